// Asking once more for a pin, link or code, when that is allowed again.
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ProblemNotice, useCountdown } from '../ui/problem-notice.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { WideButton } from '../ui/wide-button.tsx';
import { words } from '../words/index.ts';

/** The default of the service. Where more is set, its refusal says how long to wait. */
const USUAL_COOLDOWN_MS = 60_000;

const nextAt = () => Date.now() + USUAL_COOLDOWN_MS;

/** Shown when one was sent a moment ago. */
export function ResendButton({ send }: { send: () => Promise<unknown> }) {
  const [readyAt, setReadyAt] = useState(nextAt);
  const [isResent, setResent] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    setResent(false);
    await send();
    setReadyAt(nextAt());
    setResent(true);
  });
  const seconds = useCountdown(problem?.retryAt ?? readyAt);
  return (
    <Stack gap={problem || isResent ? 'xs' : 0}>
      <WideButton onClick={submit} loading={isBusy} disabled={seconds > 0}>
        {seconds > 0 ? words.pin.resendIn(seconds) : words.pin.resend}
      </WideButton>
      <div role="status">{isResent && <Text size="sm">{words.pin.resent}</Text>}</div>
      <ProblemNotice problem={problem} />
    </Stack>
  );
}
