// Grouped work: the callers of an event-loop turn, and those that come while others are served, share a transaction.
import type { Clock } from '../foundation/clock.ts';
import { AuthError, serviceErrors } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';

/** The most callers of one transaction. */
const MAX_CALLERS = 64;

/** No group waits longer for others, however many there are, so that callers are answered in 2 s. */
const HOLD_UP_MS = 300;

/** The callers of a failed group are served alone only if it ends within this time, so that they are answered in 2 s. */
const SERVE_ALONE_WITHIN_MS = 500;

type Caller<Given, Result> = PromiseWithResolvers<Result | undefined> & { readonly given: Given };

type Group<Given, Result> = { readonly openedAt: number; readonly callers: Caller<Given, Result>[] };

/**
 * Returns a function that serves a caller together with others. One group is served at a time.
 * - Of several callers, one without a result is served again alone. It may be at fault itself, or another transaction may have
 *   locked its row. Alone, a missing result stands.
 * - If the transaction of several callers fails and is rolled back, each of them is served again alone.
 * - In an outage during the commit all of them get 503, because the database may have committed.
 * @param serveAll serves all of these callers in one transaction, and returns their results in the same order. It calls
 * `onCommit` before the commit.
 */
export function createGroups<Given, Result>(
  serveAll: (given: readonly Given[], onCommit: () => void) => Promise<(Result | undefined)[]>,
  clock: Pick<Clock, 'elapsed' | 'sleep'>,
): (given: Given) => Promise<Result | undefined> {
  /** In the order in which they opened. */
  const waiting: Group<Given, Result>[] = [];
  let underWay: Group<Given, Result> | undefined;
  const departAfterThisTurn = oncePerTurn(
    async () => departNext(),
    () => {},
  );

  function departNext() {
    const [next] = waiting;
    if (next && !underWay) void depart(next);
  }

  async function depart(group: Group<Given, Result>) {
    waiting.splice(waiting.indexOf(group), 1);
    underWay = group;
    await serve(group);
    if (underWay !== group) return;
    underWay = undefined;
    departNext();
  }

  /** Never rejects. Resolves when the transaction of the group has ended. */
  async function serve({ openedAt, callers }: Group<Given, Result>) {
    let results: readonly (Result | undefined)[] = [];
    let failure: unknown;
    let mayBeCommitted = false;
    try {
      results = await serveAll(
        callers.map(({ given }) => given),
        () => {
          mayBeCommitted = true;
        },
      );
    } catch (error) {
      failure = error;
    }
    const isAlone = callers.length === 1;
    const isLate = clock.elapsed() - openedAt >= SERVE_ALONE_WITHIN_MS;
    for (const [place, { given, resolve, reject }] of callers.entries()) {
      const result = results[place];
      if (failure === undefined && (isAlone || result !== undefined)) resolve(result);
      else if (isAlone || (mayBeCommitted && isOutage(failure))) reject(failure);
      else if (failure !== undefined && isLate)
        reject(serviceErrors.unavailable({ retryAfterSeconds: 1, cause: failure }));
      else serveAll([given], () => {}).then(([alone]) => resolve(alone), reject);
    }
  }

  function open(): Group<Given, Result> {
    const opened = { openedAt: clock.elapsed(), callers: [] };
    waiting.push(opened);
    void clock.sleep(HOLD_UP_MS).then(() => {
      if (waiting.includes(opened)) void depart(opened);
    });
    departAfterThisTurn();
    return opened;
  }

  return (given) => {
    const last = waiting.at(-1);
    const group = last && last.callers.length < MAX_CALLERS ? last : open();
    const caller = { given, ...Promise.withResolvers<Result | undefined>() };
    group.callers.push(caller);
    return caller.promise;
  };
}

const isOutage = (error: unknown) => error instanceof AuthError && error.isFault;
