// Even time: what must not tell by its time what it came to is answered at whole steps after it was asked.
import type { Clock } from './clock.ts';

/** Longer than a call takes on a database that is well, shorter than anybody notices. */
const STEP_MS = 20;

/** Runs `work`, and ends as it does, at the first whole step after it has begun that finds it done. */
export type EvenTime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * For calls that do the same for a name that nobody has: a row that is there still takes some microseconds more to read
 * than one that is not, which whoever asks often enough makes out (OWASP ASVS 6.3.8). The first step is counted from the
 * beginning by one timer, so that nothing of the work's own time is left in it.
 */
export function createEvenTime(clock: Pick<Clock, 'elapsed' | 'sleep'>): EvenTime {
  return async (work) => {
    const startedAt = clock.elapsed();
    const firstStep = clock.sleep(STEP_MS);
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    // Whoever waits for it does so below.
    done.catch(() => {});
    await firstStep;
    if (!isDone) {
      await Promise.allSettled([done]);
      await clock.sleep(STEP_MS - ((clock.elapsed() - startedAt) % STEP_MS));
    }
    return done;
  };
}
