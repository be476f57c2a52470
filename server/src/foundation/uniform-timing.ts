// Uniform timing: an answer leaves at a fixed step after the call began, so that its time reveals nothing (OWASP ASVS 6.3.8).
import type { Clock } from './clock.ts';

/** Longer than a call takes on a healthy database, shorter than a person notices. */
const STEP_MS = 20;

/** Runs `work` and returns its outcome, at the first multiple of the step at which it is done. */
export type UniformTiming = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns uniform timing, for calls that do the same work for a known and an unknown name. Reading an existing row still
 * takes some microseconds more than finding none, and an attacker with enough requests can measure that. The timer of
 * each step starts before the work ends, so the work's own time leaves no trace. A timer from its end would show the
 * fraction of a millisecond, which Node cuts.
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
    while (!isDone) await clock.sleep(STEP_MS - ((clock.elapsed() - startedAt) % STEP_MS));
    return done;
  };
}
