// Time limits: work of others that must end, whatever it waits for.
import type { Clock } from './clock.ts';

const LOOK_MS = 20;

/** What ran out of its time. */
export class TimeLimitError extends Error {
  constructor(seconds: number) {
    super(`It took longer than ${seconds} s.`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Runs `work`, and gives it up when its time is over: it is told by the signal, and what it comes to is nobody's then.
 * Looks at the time again and again, which also keeps the process alive while the work waits for nothing.
 * @throws TimeLimitError when it was given up; the signal's reason is the same error.
 */
export async function within<Result>(
  seconds: number,
  clock: Clock,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = clock.elapsed() + seconds * 1000;
  const limit = new AbortController();
  let hasEnded = false;
  const working = Promise.try(work, limit.signal).finally(() => {
    hasEnded = true;
  });
  const watch = async (): Promise<Result> => {
    while (!hasEnded && clock.elapsed() < end) await clock.sleep(LOOK_MS);
    if (hasEnded) return working;
    const error = new TimeLimitError(seconds);
    limit.abort(error);
    throw error;
  };
  return Promise.race([working, watch()]);
}
