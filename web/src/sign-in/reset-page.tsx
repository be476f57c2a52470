// The page behind a mailed link. Opening it uses nothing up, for programs that look into mail open links too: a press does.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { CardPage } from '../ui/card-page.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { fragment } from './fragment.ts';
import { type Proven, readProof, SetPassword } from './set-password.tsx';
import { WaysBack } from './ways-back.tsx';

export function ResetPage() {
  const [proven, setProven] = useState<Proven>();
  const [isBad, setBad] = useState(false);
  const username = fragment.get('username') ?? '';
  const code = fragment.get('code') ?? '';
  const { submit, isBusy, problem } = useSubmit(async () => {
    const answer = readProof(await latchkey.call('User/ValidateResetCode', { username, code, method: 2 }));
    setProven(answer);
    setBad(!answer);
  });
  if (proven) return <SetPassword proven={proven} />;
  const isEmpty = username === '' || code === '';
  return (
    <CardPage title={words.reset.title}>
      <Text role="status">{isEmpty ? words.reset.empty : isBad ? words.reset.bad : words.reset.ready(username)}</Text>
      {!isEmpty && !isBad && (
        <Button onClick={submit} loading={isBusy} fullWidth>
          {words.common.continue}
        </Button>
      )}
      <ProblemNotice problem={problem} />
      <WaysBack begin="/forgot-password" label={words.reset.begin} />
    </CardPage>
  );
}
