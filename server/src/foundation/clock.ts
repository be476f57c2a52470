// Time: the only place of the service that reads the system's clock or waits.

declare const instantBrand: unique symbol;

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: true };

/** Time as it is handed to services: rules take an {@link Instant} instead. */
export interface Clock {
  now(): Instant;
  /** Milliseconds since some moment, never set back or forth: for how long something takes. */
  elapsed(): number;
  /** Resolves after `milliseconds`. */
  sleep(milliseconds: number): Promise<void>;
  /**
   * Runs `task` again and again, `milliseconds` after its last end, without keeping the process alive.
   * @returns a function that stops it.
   */
  every(milliseconds: number, task: () => unknown): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now() as Instant,
  elapsed: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
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

/** The instant `seconds` after `start` (before it, when negative). */
export function addSeconds(start: Instant, seconds: number): Instant {
  return (start + seconds * 1000) as Instant;
}

/** Whole seconds from `now` until `end`, rounded up and at least 1: a `Retry-After` that is never early (RFC 9110, 10.2.3). */
export function secondsUntil(end: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((end - now) / 1000));
}

/** Seconds since 1970, rounded down: the `NumericDate` of RFC 7519. */
export function toNumericDate(instant: Instant): number {
  return Math.floor(instant / 1000);
}

/** ISO 8601 in UTC, ending in `Z`. */
export function toIsoString(instant: Instant): string {
  return new Date(instant).toISOString();
}
