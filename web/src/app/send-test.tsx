// The button with which administrators send a message to themselves.
import { Button, Stack } from '@mantine/core';
import { latchkey } from '../api/latchkey.ts';
import { useNotify } from '../ui/notify.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';

/** `name` is the setting with the texts, `value` replaces them for this test, and `appKey` is the front end of the brand. */
export type TestedMessage = { readonly name: string; readonly value?: unknown; readonly appKey: string };

/** @param props.message absent for a message that is there for tests only. */
export function SendTest({ means, message }: { means: 'email' | 'sms'; message?: TestedMessage }) {
  const notify = useNotify();
  const texts = words.common.sendTest;
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { to } = await latchkey.call('Message/SendTest', { means, ...message });
    notify(texts.sent(to));
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void submit()}>
        {texts[means]}
      </Button>
      <ProblemNotice problem={problem} />
    </Stack>
  );
}
