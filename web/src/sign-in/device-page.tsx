// The page where a person types the code that a device shows, and sees what the device wants before signing in.
import { Anchor, Button, Text, TextInput } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { at } from '../api/base-path.ts';
import { latchkey } from '../api/latchkey.ts';
import { FocusedText } from '../ui/focused-text.tsx';
import { Form } from '../ui/form.tsx';
import { asFieldError, requireFields } from '../ui/problem.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { applicationTexts } from './application-texts.ts';
import { CardPage } from './card-page.tsx';

type Waiting = Calls['Device/Get']['result'];

/** The length of a longer text that is no code. */
const MAX_CODE_LENGTH = 40;

/** A link with the code fills it in. It sends nothing: the link may come from somebody else. */
const readGiven = () => (new URLSearchParams(location.search).get('user_code') ?? '').slice(0, MAX_CODE_LENGTH);

export function DevicePage() {
  const [code, setCode] = useState(readGiven);
  const [waiting, setWaiting] = useState<Waiting>();
  const texts = applicationTexts().device;
  const { submit, isBusy, problem } = useSubmit(async () => {
    const userCode = code.trim();
    requireFields({ ...(userCode === '' && { userCode: words.common.required }) });
    setWaiting(await latchkey.call('Device/Get', { userCode }).catch(asFieldError('userCode', 'device.notFound')));
  });
  if (waiting) return <Confirm waiting={waiting} onOther={() => setWaiting(undefined)} />;
  return (
    <CardPage title={texts.title}>
      <Form label={texts.title} onSubmit={submit} problem={problem}>
        <TextInput
          name="userCode"
          label={texts.code}
          description={texts.codeHint}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck="false"
          maxLength={MAX_CODE_LENGTH}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', textTransform: 'uppercase' } }}
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={problem?.fields.userCode}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {words.common.continue}
        </Button>
      </Form>
    </CardPage>
  );
}

/** The sign-in page goes on from here: it asks who is signed in, and whether they agree. */
function Confirm({ waiting, onOther }: { waiting: Waiting; onOther: () => void }) {
  const { authorization, application, ipAddress } = waiting;
  const texts = applicationTexts().device;
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { frontEnd } = await latchkey.call('Authorization/Get', { authorization });
    location.assign(at(`/login?${new URLSearchParams({ authorization, frontEnd })}`));
  });
  return (
    <CardPage title={texts.title}>
      <FocusedText text={texts.wants(application.name)} />
      {ipAddress !== null && <Text size="sm">{texts.from(ipAddress)}</Text>}
      <Text fw={600}>{texts.warning}</Text>
      <ProblemNotice problem={problem} />
      <Button onClick={submit} loading={isBusy} fullWidth>
        {words.common.continue}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="start" onClick={onOther}>
        {texts.otherCode}
      </Anchor>
    </CardPage>
  );
}
