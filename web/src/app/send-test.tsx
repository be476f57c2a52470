// The button with which administrators send a message to themselves.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { latchkey } from '../api/latchkey.ts';
import { useNotify } from '../ui/notify.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/index.ts';
import { useMe } from './me.ts';

/** `name` is the setting with the texts, `value` replaces them for this test, and `appKey` is the front end of the brand. */
export type TestedMessage = { readonly name: string; readonly value?: unknown; readonly appKey: string };

/**
 * @param props.message absent for a message that is there for tests only.
 * @param props.isFaulty whether the message has texts that the service would refuse.
 */
export function SendTest(props: { means: 'email' | 'sms'; message?: TestedMessage; isFaulty?: boolean }) {
  const { means, message, isFaulty = false } = props;
  const notify = useNotify();
  const { email, isEmailConfirmed, mobileNumber, isMobileConfirmed } = useMe();
  const canReceive =
    means === 'email' ? email !== null && isEmailConfirmed : mobileNumber !== null && isMobileConfirmed;
  const texts = words.common.sendTest;
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { to } = await latchkey.call('Message/SendTest', { means, ...message });
    notify(texts.sent(to));
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        loading={isBusy}
        disabled={!canReceive || isFaulty}
        onClick={() => void submit()}
      >
        {texts[means]}
      </Button>
      {!canReceive && (
        <Text size="xs" c="dimmed">
          {texts.unverified[means]}{' '}
          <Anchor component={Link} to="/account" inherit underline="always">
            {words.shell.account}
          </Anchor>
        </Text>
      )}
      <ProblemNotice problem={problem} />
    </Stack>
  );
}
