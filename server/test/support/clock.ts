// A clock for tests that moves only when a test moves it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addSeconds, type Clock, type Instant, systemClock } from '../../src/foundation/clock.ts';

export interface ManualClock extends Clock {
  /** Moves time forward by `seconds` (back, when negative). */
  advance(seconds: number): void;
  /** Sets the clock forward by `seconds`, or back, without time passing. */
  set(seconds: number): void;
}

/** Starts at the machine's time, so that real peers and libraries agree with it. */
export function createManualClock(start = Date.now() as Instant): ManualClock {
  let now = start;
  let elapsed = 0;
  return {
    now: () => now,
    elapsed: () => elapsed,
    advance: (seconds) => {
      now = addSeconds(now, seconds);
      elapsed += Math.max(0, seconds * 1000);
    },
    set: (seconds) => {
      now = addSeconds(now, seconds);
    },
    sleep: async () => {
      await nextTurn();
    },
    every: () => () => {},
  };
}

/** A clock that runs, with real timers, and that a test can also move. */
export function createRunningClock(): ManualClock {
  let ahead = 0;
  let passed = 0;
  return {
    ...systemClock,
    now: () => addSeconds(systemClock.now(), ahead),
    elapsed: () => systemClock.elapsed() + passed * 1000,
    advance: (seconds) => {
      ahead += seconds;
      passed += Math.max(0, seconds);
    },
    set: (seconds) => {
      ahead += seconds;
    },
  };
}
