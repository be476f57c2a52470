// The notice of a problem: announced to screen readers, with a countdown if the call can be retried later.
import { Alert, Text } from '@mantine/core';
import { type Ref, useEffect, useMemo, useState } from 'react';
import { words } from '../words/index.ts';
import { describeDuration } from './format.ts';
import type { Problem } from './problem.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Returns the whole seconds until `at`, counting down. 0 when `at` is past or absent. */
export function useCountdown(at: number | undefined): number {
  const left = () => (at === undefined ? 0 : Math.max(0, Math.ceil((at - Date.now()) / 1000)));
  const [, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` depends on `at` and the time only.
  useEffect(() => {
    setSeconds(left());
    if (at === undefined) return;
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [at]);
  // Not the state: for a moment it is still that of the former `at`, and screen readers would read it.
  return left();
}

/**
 * It stands in a stack itself, without an element around it: only so does it take no space while there is no problem.
 * @param props.isAbove whether what it is about stands below it.
 */
export function ProblemNotice(props: { problem: Problem | undefined; isAbove?: boolean; box?: Ref<HTMLDivElement> }) {
  const { problem, isAbove = false, box } = props;
  const seconds = useCountdown(problem?.retryAt);
  const secondsAtFirst = useMemo(
    () => Math.max(1, Math.ceil(((problem?.retryAt ?? 0) - Date.now()) / 1000)),
    [problem],
  );
  return (
    <div
      ref={box}
      aria-live="assertive"
      {...(!problem && { style: { [isAbove ? 'marginBottom' : 'marginTop']: 'calc(-1 * var(--stack-gap, 0px))' } })}
    >
      {problem && (
        <Alert color="red" variant="light" role="alert" data-testid="problem">
          {problem.isLocked && (
            <Text size="sm" fw={600}>
              {words.locked.title}
            </Text>
          )}
          <Text size="sm">{problem.isLocked ? words.locked.reason : problem.message}</Text>
          {seconds > 0 && (
            // Screen readers hear the time once: the changing text would interrupt them each second.
            <Text size="sm" aria-hidden style={{ fontVariantNumeric: 'tabular-nums' }}>
              {words.common.wait(describeDuration(seconds))}
            </Text>
          )}
          {problem.retryAt !== undefined && seconds > 0 && (
            <VisuallyHidden>{words.common.wait(describeDuration(secondsAtFirst))}</VisuallyHidden>
          )}
          {problem.isLocked && seconds === 0 && <Text size="sm">{words.locked.over}</Text>}
          {problem.traceId && <Text size="xs">{words.common.traceId(problem.traceId)}</Text>}
        </Alert>
      )}
    </div>
  );
}
