// The notice of a problem: announced to screen readers, with a countdown if the call can be retried later.
import { Alert, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { words } from '../words/index.ts';
import { describeDuration } from './format.ts';
import type { Problem } from './problem.ts';

/** Returns the whole seconds until `at`, counting down. 0 when `at` is past or absent. */
export function useCountdown(at: number | undefined): number {
  const left = () => (at === undefined ? 0 : Math.max(0, Math.ceil((at - Date.now()) / 1000)));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` depends on `at` and the time only.
  useEffect(() => {
    setSeconds(left());
    if (at === undefined) return;
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

export function ProblemNotice({ problem }: { problem: Problem | undefined }) {
  const seconds = useCountdown(problem?.retryAt);
  return (
    // Takes no space without a problem.
    <div aria-live="assertive" {...(!problem && { style: { marginTop: 'calc(-1 * var(--stack-gap, 0px))' } })}>
      {problem && (
        <Alert color="red" variant="light" role="alert" data-testid="problem">
          <Text size="sm">{problem.message}</Text>
          {seconds > 0 && (
            <Text size="sm" aria-hidden>
              {words.common.wait(describeDuration(seconds))}
            </Text>
          )}
          {problem.traceId && <Text size="xs">{words.common.traceId(problem.traceId)}</Text>}
        </Alert>
      )}
    </div>
  );
}
