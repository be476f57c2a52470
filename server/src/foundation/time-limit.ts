// Time limits: for work of other code that must end in time.
import type { Clock } from './clock.ts';

const CHECK_INTERVAL_MS = 20;

/** Work took longer than its limit. */
export class TimeLimitError extends Error {
  constructor(seconds: number) {
    super(`It took longer than ${seconds} s.`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Runs `work` and returns its result. After `seconds` it aborts the signal, rejects, and discards the result.
 * It checks the time at intervals. The timers also keep the process alive until the work ends.
 * @throws TimeLimitError after `seconds`. The signal's reason is the same error.
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
    while (!hasEnded && clock.elapsed() < end) await clock.sleep(CHECK_INTERVAL_MS);
    if (hasEnded) return working;
    const error = new TimeLimitError(seconds);
    limit.abort(error);
    throw error;
  };
  return Promise.race([working, watch()]);
}
