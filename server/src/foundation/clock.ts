// Time: only this file reads the system clock or waits.

declare const instantBrand: unique symbol;

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: true };

/** The clock that services take. Pure rules take an {@link Instant} instead. */
export interface Clock {
  now(): Instant;
  /** Milliseconds since a fixed moment, from a monotonic clock. Use it to measure durations. */
  elapsed(): number;
  /** Resolves after `milliseconds`: at once if they are over. */
  sleep(milliseconds: number): Promise<void>;
  /**
   * Runs `task` repeatedly, each time `milliseconds` after its last run ended. It does not keep the process alive.
   * @returns a function that stops the repetition.
   */
  every(milliseconds: number, task: () => unknown): () => void;
}

/** Marks milliseconds since 1970-01-01T00:00:00Z as an instant. */
export function toInstant(milliseconds: number): Instant {
  // The brand exists only in the types, so this is the one cast that makes it.
  return milliseconds as Instant;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => toInstant(Date.now()),
  elapsed: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds))),
  every(milliseconds, task) {
    let timer: NodeJS.Timeout;
    let stopped = false;
    const schedule = () => {
      if (stopped) return;
      timer = setTimeout(() => Promise.resolve(task()).finally(schedule), milliseconds);
      timer.unref();
    };
    schedule();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  },
};

/**
 * Runs `task` as {@link Clock.every} does.
 * @returns a function that stops the repetition, and resolves when the run under way has ended.
 */
export function runEvery(clock: Pick<Clock, 'every'>, milliseconds: number, task: () => Promise<void>) {
  let running: Promise<void> | undefined;
  const stopTimer = clock.every(milliseconds, () => {
    running = task();
    return running;
  });
  return async (): Promise<void> => {
    stopTimer();
    await running;
  };
}

/** Returns the instant `seconds` after `start`. Negative seconds give an earlier instant. */
export function addSeconds(start: Instant, seconds: number): Instant {
  return toInstant(start + seconds * 1000);
}

/** Returns whole seconds from `now` until `end`, rounded up and at least 1: `Retry-After` is never early (RFC 9110, 10.2.3). */
export function secondsUntil(end: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Returns seconds since 1970, rounded down: the `NumericDate` of RFC 7519. */
export function toNumericDate(instant: Instant): number {
  return Math.floor(instant / 1000);
}

/** Returns the start of the next whole second. */
export function nextSecond(instant: Instant): Instant {
  return toInstant((toNumericDate(instant) + 1) * 1000);
}

/** The first and the last millisecond that RFC 3339 can write: those of the years 0 and 9999. */
const FIRST = -62_167_219_200_000;
const LAST = 253_402_300_799_999;

/**
 * Returns the instant in RFC 3339, in UTC, ending in `Z`. A stored value that is none, because somebody has edited the row, must
 * not hold up all others: it becomes the nearest time that can be written, or 1970.
 */
export function toIsoString(instant: Instant): string {
  return new Date(Math.min(Math.max(instant, FIRST), LAST) || 0).toISOString();
}
