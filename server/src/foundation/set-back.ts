// A clock that was ahead and is set back: what it has put off must not wait until the time that it showed.
import type { Clock, Instant } from './clock.ts';

/** A clock that was set back by so much is noticed at the next run. */
const SET_BACK_MS = 10_000;

/** The clock of another node may have been ahead. */
const OTHERS_MS = 3_600_000;

/** A claim of a dispatcher ends sooner, and the clocks of nodes differ by less. In seconds. */
export const SLACK_SECONDS = 60;

/** Returns a job that corrects times after this node's clock was set back, and otherwise once an hour. */
export function afterSetBack(clock: Clock, correct: (now: Instant) => Promise<void>): () => Promise<void> {
  /** When times were last corrected by `clock.elapsed`, and by how much its present time was ahead of that. */
  let corrected = { elapsed: Number.NEGATIVE_INFINITY, ahead: 0 };
  return async () => {
    const [now, elapsed] = [clock.now(), clock.elapsed()];
    const isSetBack = now - elapsed < corrected.ahead - SET_BACK_MS;
    if (!isSetBack && elapsed < corrected.elapsed + OTHERS_MS) {
      corrected.ahead = Math.max(corrected.ahead, now - elapsed);
      return;
    }
    await correct(now);
    corrected = { elapsed, ahead: now - elapsed };
  };
}
