// Freshness: up to which moment the verifier certainly knows all revocations, and what time it is for the service.
import type { System } from './system.ts';

/** A sign of life in the feed: the service has sent all revocations up to `elapsed`. */
export type Beat = {
  /** Milliseconds since the service received the request of this stream, by a clock that is never set. */
  readonly elapsed: number;
  /** The service's time at that moment, in milliseconds since 1970. */
  readonly time: number;
};

/** The moment at which a stream was requested, by both clocks of this machine. */
export type StreamStart = { readonly elapsed: number; readonly now: number };

/** A beat may run this far ahead of this machine's clock, in milliseconds. Within one stream, clocks differ by less. */
const TOLERANCE_MS = 1000;

export interface Freshness {
  /** Returns the start of a stream that is requested now. */
  start(): StreamStart;
  /**
   * Takes a beat of the stream. The service received its request after `start`, so all revocations up to
   * `start + beat.elapsed` are known, however late the beat arrives.
   * @throws Error if the beat runs ahead: this machine was suspended.
   */
  take(beat: Beat, start: StreamStart): void;
  /** Milliseconds since the moment up to which all revocations are known. */
  age(): number;
  /** Returns the service's time, in milliseconds since 1970, or `undefined` before the first beat. */
  now(): number | undefined;
}

export function createFreshness({ now, elapsed }: Pick<System, 'now' | 'elapsed'>): Freshness {
  let knownUntil = Number.NEGATIVE_INFINITY;
  let latest: StreamStart | undefined;
  let heard: { time: number; at: number } | undefined;

  return {
    start: () => ({ elapsed: elapsed(), now: now() }),
    take(beat, start) {
      const received = elapsed();
      const until = start.elapsed + beat.elapsed;
      if (until > received + TOLERANCE_MS) throw new Error('The stream runs ahead: this machine was suspended.');
      knownUntil = Math.max(knownUntil, Math.min(until, received));
      latest = start;
      // A beat that waited tells an earlier time. From then on, this machine counts.
      heard = { time: beat.time, at: Math.min(until, received) };
    },
    age() {
      // `elapsed` may stand still while the machine is suspended. Then `now` has moved further since the stream began.
      const suspended = latest ? now() - latest.now - (elapsed() - latest.elapsed) : 0;
      return elapsed() - knownUntil + Math.max(0, suspended);
    },
    now: () => heard && heard.time + elapsed() - heard.at,
  };
}

/** Reads the comment of a beat: `ELAPSED TIME`, in milliseconds and ISO 8601. Returns `undefined` for any other. */
export function parseBeat(comment: string): Beat | undefined {
  const [, elapsed, time = ''] = /^\s*(-?\d{1,12}) (\S+)$/.exec(comment) ?? [];
  const instant = Date.parse(time);
  return elapsed === undefined || Number.isNaN(instant) ? undefined : { elapsed: Number(elapsed), time: instant };
}
