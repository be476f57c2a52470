// The log of failures: faults are told one by one, refusals because of load or a limit are counted and summed up.
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';

/** Between two entries of the same kind, so that an attack does not fill the disk. */
const INTERVAL_MS = 1000;

/** What the log says of requests that ended in an error. */
export interface FailureLog {
  /** Logs or counts the error that a request is answered with. */
  note(error: AuthError, traceId: string): void;
  /** Requests that were refused because of load or a limit (503, 429) since the start, by reason. */
  refusals(): ReadonlyMap<string, number>;
}

/**
 * - A refusal by design (429, or a 503 without a cause): at most one line a second, with the number of requests by
 *   reason since the last line, and no stack.
 * - A 503 with a cause, such as a database out of reach: at most one entry a second, with that cause and its stack.
 * - Every other 5xx is a fault of its own, and has an entry of its own.
 */
export function createFailureLog({ log, clock }: { log: Logger; clock: Clock }): FailureLog {
  const refusals = new Map<string, number>();
  let told = new Map<string, number>();
  const sumUpRefusals = atIntervals(clock);
  const sumUpOutages = atIntervals(clock);

  function noteRefusal(reason: string, traceId: string) {
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    sumUpRefusals(() => {
      const refused = Object.fromEntries([...refusals].map(([name, count]) => [name, count - (told.get(name) ?? 0)]));
      told = new Map(refusals);
      log.warn({ traceId, refused }, 'requests were refused because of load or a limit');
    });
  }

  return {
    note(error, traceId) {
      const { status, reason, cause } = error;
      if (status === 429 || (status === 503 && cause === undefined)) noteRefusal(reason, traceId);
      else if (status === 503) sumUpOutages((requests) => log.warn({ traceId, requests, err: cause }, reason));
      else if (status >= 500) log.error({ traceId, err: cause ?? error }, reason);
    },
    refusals: () => refusals,
  };
}

/** Runs what it is given unless it has done so in this interval. `requests`: how many have come since it last did. */
function atIntervals({ elapsed }: Clock): (tell: (requests: number) => void) => void {
  let requests = 0;
  let toldAt = -INTERVAL_MS;
  return (tell) => {
    requests += 1;
    const now = elapsed();
    if (now - toldAt < INTERVAL_MS) return;
    toldAt = now;
    tell(requests);
    requests = 0;
  };
}
