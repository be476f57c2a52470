// The notice of a problem: read aloud, with a countdown where waiting helps.
import { Alert, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { words } from '../words/index.ts';
import { describeDuration } from './format.ts';
import type { Problem } from './problem.ts';

/** Whole seconds until `at`, counted down; 0 when it is past or not given. */
export function useCountdown(at: number | undefined): number {
  const left = () => (at === undefined ? 0 : Math.max(0, Math.ceil((at - Date.now()) / 1000)));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left follows from `at` and the time.
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
    // Takes no room while there is nothing to tell.
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
