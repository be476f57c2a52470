// The page of a mailed reset link. Opening it does not use up the link: programs that scan mail open links too.
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../api/latchkey.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';
import { fragment } from './fragment.ts';
import { addKeptRequest } from './kept-request.ts';
import { type ProvenReset, readProvenReset, SetPassword } from './set-password.tsx';

addKeptRequest();

export function ResetPage() {
  const [proven, setProven] = useState<ProvenReset>();
  const [isBad, setBad] = useState(false);
  const username = fragment.get('username') ?? '';
  const code = fragment.get('code') ?? '';
  const { submit, isBusy, problem } = useSubmit(async () => {
    const answer = readProvenReset(await latchkey.call('User/ValidateResetCode', { username, code, method: 2 }));
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
      <BackLinks begin="/forgot-password" label={words.reset.begin} />
    </CardPage>
  );
}
