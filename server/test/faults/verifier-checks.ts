// The checks of verifiers: a dead token is refused in time, and a live one is accepted again in time after each fault.
import type { Violation } from './checks.ts';
import type { Entry } from './ledger.ts';

/** A time in which a test had broken something, by the clock of the ledgers. */
export type Fault = { readonly startedAt: number; readonly endedAt: number };

type VerifierRecords = {
  /** What people did: the tokens that they got and that they ended. */
  readonly entries: readonly Entry[];
  /** What verifiers said. `caller` names the verifier; `shows` names the token and its session. */
  readonly verdicts: readonly Entry[];
  readonly faults: readonly Fault[];
};

/** In milliseconds. */
type Limits = {
  /** A verifier may accept a token for this long after the answer to the call that ended it. */
  readonly bound: number;
  /** A verifier may refuse a live token for this long after a fault, or without one: a busy machine is slow. */
  readonly recovery: number;
};

/** Returns every broken promise; empty when all were kept. */
export function findVerifierViolations(records: VerifierRecords, limits: Limits): Violation[] {
  return [...findAcceptedDead(records, limits), ...findRefusedLiving(records, limits)];
}

/** Returns for how long after its acknowledged end a token was still accepted at most, in milliseconds. */
export function longestAfterlife({ entries, verdicts }: VerifierRecords): number {
  const ends = firstBy(
    entries,
    ({ ends }) => ends,
    isDone,
    ({ endedAt }) => endedAt,
  );
  return verdicts
    .filter(isDone)
    .reduce((longest, verdict) => Math.max(longest, verdict.startedAt - firstOf(ends, verdict)), 0);
}

const isDone = ({ outcome }: Entry) => outcome === 'done';

/** Returns the first moment at which an entry of this kind names each thing. */
function firstBy(
  entries: readonly Entry[],
  namesOf: (entry: Entry) => readonly string[] | undefined,
  isMeant: (entry: Entry) => boolean,
  momentOf: (entry: Entry) => number,
): Map<string, number> {
  const moments = new Map<string, number>();
  for (const entry of entries.filter(isMeant)) {
    for (const name of namesOf(entry) ?? []) {
      moments.set(name, Math.min(moments.get(name) ?? Number.POSITIVE_INFINITY, momentOf(entry)));
    }
  }
  return moments;
}

const firstOf = (moments: Map<string, number>, { shows = [] }: Entry) =>
  Math.min(...shows.map((name) => moments.get(name) ?? Number.POSITIVE_INFINITY));

/** No verifier accepts a token when the bound has passed since its acknowledged end. */
function findAcceptedDead({ entries, verdicts }: VerifierRecords, { bound }: Limits): Violation[] {
  const ends = firstBy(
    entries,
    ({ ends }) => ends,
    isDone,
    ({ endedAt }) => endedAt,
  );
  return verdicts
    .filter((verdict) => isDone(verdict) && verdict.startedAt > firstOf(ends, verdict) + bound)
    .map((verdict) => ({ rule: 'dead within the bound', what: String(verdict.shows), entries: [verdict] }));
}

/**
 * No verifier refuses a token that was issued and that no call, answered or not, can have ended: never as revoked, as
 * invalid or expired only around a fault, and not for long as a token that it cannot judge.
 */
function findRefusedLiving({ entries, verdicts, faults }: VerifierRecords, { recovery }: Limits): Violation[] {
  const given = firstBy(
    entries,
    ({ gives }) => gives,
    isDone,
    ({ endedAt }) => endedAt,
  );
  const mayEnd = firstBy(
    entries,
    ({ ends }) => ends,
    ({ outcome }) => outcome !== 'refused',
    ({ startedAt }) => startedAt,
  );
  const isLive = (verdict: Entry) =>
    (verdict.shows ?? []).every((name) => (given.get(name) ?? Number.POSITIVE_INFINITY) <= verdict.startedAt) &&
    firstOf(mayEnd, verdict) > verdict.endedAt;
  const isExcused = ({ startedAt, endedAt }: Entry) =>
    faults.some((fault) => fault.startedAt <= endedAt && startedAt <= fault.endedAt + recovery);

  const refusedSince = new Map<string, number>();
  const broken: Violation[] = [];
  for (const verdict of verdicts.filter(isLive).toSorted((one, other) => one.endedAt - other.endedAt)) {
    const { caller, outcome, reason, startedAt } = verdict;
    if (outcome === 'done') {
      refusedSince.delete(caller);
      continue;
    }
    const since = refusedSince.get(caller) ?? startedAt;
    refusedSince.set(caller, since);
    const isTolerated = outcome === 'unknown' && startedAt <= since + recovery;
    if (reason !== 'revoked' && (isTolerated || isExcused(verdict))) continue;
    broken.push({ rule: 'live after the fault', what: `${caller}: ${reason}, ${verdict.shows}`, entries: [verdict] });
  }
  return broken;
}
