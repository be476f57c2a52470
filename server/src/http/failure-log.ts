// The log of failures: logs each fault, and counts and summarizes refusals because of load or a limit.
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';

/** The time between two entries of the same kind, so that an attack does not fill the disk. */
const INTERVAL_MS = 1000;

/** Logs requests that failed. */
export interface FailureLog {
  /** Logs or counts the error of a request. */
  note(error: AuthError, traceId: string): void;
  /** Returns the number of requests refused because of load or a limit (502, 503, 429) since the start, by reason. */
  refusals(): ReadonlyMap<string, number>;
}

/**
 * Returns a log that writes:
 * - for a refusal by design (429, or a 502 or 503 without a cause): at most one line a second, with the number of requests by
 *   reason since the last line, and no stack;
 * - for a 503 with a cause, such as a database out of reach: at most one entry a second, with the cause and its stack;
 * - for every other 5xx: one entry each;
 * - for another refusal that its table says is logged: one line each, with the messages of its causes and no stack.
 */
export function createFailureLog({ log, clock }: { log: Logger; clock: Clock }): FailureLog {
  const refusals = new Map<string, number>();
  let logged = new Map<string, number>();
  const logRefusals = oncePerInterval(clock);
  const logOutages = oncePerInterval(clock);

  function noteRefusal(reason: string, traceId: string) {
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    logRefusals(() => {
      const refused = Object.fromEntries([...refusals].map(([name, count]) => [name, count - (logged.get(name) ?? 0)]));
      logged = new Map(refusals);
      log.warn({ traceId, refused }, 'requests were refused because of load or a limit');
    });
  }

  return {
    note(error, traceId) {
      const { status, reason, cause } = error;
      const isByDesign = status === 429 || (cause === undefined && (status === 502 || status === 503));
      if (isByDesign) noteRefusal(reason, traceId);
      else if (status === 503) logOutages((requests) => log.warn({ traceId, requests, err: cause }, reason));
      else if (status >= 500) log.error({ traceId, err: cause ?? error }, reason);
      else if (error.isLogged) log.warn({ traceId, why: messagesOf(cause) }, reason);
    },
    refusals: () => refusals,
  };
}

/** Returns the message of an error and of its causes. */
function messagesOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return [error.message, messagesOf(error.cause)].filter(Boolean).join(': ');
}

/** Returns a function that runs its argument at most once per interval. `requests` counts the calls since the last run. */
function oncePerInterval({ elapsed }: Clock): (write: (requests: number) => void) => void {
  let requests = 0;
  let writtenAt = -INTERVAL_MS;
  return (write) => {
    requests += 1;
    const now = elapsed();
    if (now - writtenAt < INTERVAL_MS) return;
    writtenAt = now;
    write(requests);
    requests = 0;
  };
}
