// The button that requests another pin, link or code, once the cooldown is over.
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { describeDuration } from '../ui/format.ts';
import { usePinRules } from '../ui/pin-rules.ts';
import { ProblemNotice, useCountdown } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';

/** @param props.sentAt when the last message was sent, in milliseconds of this browser's clock. */
export function ResendButton(props: { sentAt: number; send: () => Promise<unknown> }) {
  const { send } = props;
  const rules = usePinRules();
  const [sentAt, setSentAt] = useState(props.sentAt);
  const [isResent, setResent] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    setResent(false);
    await send();
    setSentAt(Date.now());
    setResent(true);
  });
  const readyAt = rules.state === 'loaded' ? sentAt + rules.value.cooldown * 1000 : undefined;
  const seconds = useCountdown(problem?.retryAt ?? readyAt);
  return (
    <Stack gap={problem || isResent ? 'xs' : 0}>
      <WideButton onClick={submit} loading={isBusy} disabled={seconds > 0 || rules.state === 'loading'}>
        {seconds > 0 ? words.pin.resendIn(describeDuration(seconds)) : words.pin.resend}
      </WideButton>
      <div role="status">{isResent && <Text size="sm">{words.pin.resent}</Text>}</div>
      <ProblemNotice problem={problem} />
    </Stack>
  );
}
