// Uniform timing: an answer leaves at a fixed step after the call began, so that its time tells nothing (OWASP ASVS 6.3.8).
import type { Clock } from './clock.ts';

/** Longer than a call takes on a healthy database, shorter than a person notices. */
const STEP_MS = 20;

/** Runs `work`, and settles as it does, at the first multiple of the step at which it is done. */
export type UniformTiming = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * For calls that do the same work for a known and an unknown name. Gauge a row that exists still takes some
 * microseconds more than reading one that does not, and an attacker who asks often enough can measure that. One timer
 * counts the first step from the beginning of the call, so that the work's own time leaves no trace.
 */
export function createUniformTiming(clock: Pick<Clock, 'elapsed' | 'sleep'>): UniformTiming {
  return async (work) => {
    const startedAt = clock.elapsed();
    const firstStep = clock.sleep(STEP_MS);
    let isDone = false;
    const done = work().finally(() => {
      isDone = true;
    });
    // The caller handles a rejection: `done` is returned below.
    done.catch(() => {});
    await firstStep;
    if (!isDone) {
      await Promise.allSettled([done]);
      await clock.sleep(STEP_MS - ((clock.elapsed() - startedAt) % STEP_MS));
    }
    return done;
  };
}
