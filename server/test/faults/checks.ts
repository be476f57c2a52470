// The checks: which promises a ledger proves broken, under any fault while it was written.
import type { Entry } from './ledger.ts';
import { findUnexplained } from './linearizability.ts';

/** The final state of the world, read once all operations have ended. */
export type Aftermath = {
  /** The recipient of each message that arrived, once for each arrival. */
  readonly deliveries?: readonly string[];
  /** The owner of each account that exists. */
  readonly accounts?: readonly string[];
  /** How many attempts a lock allows. */
  readonly allowedGuesses?: number;
};

/** The promises that can be broken. */
export type Rule =
  | 'used once'
  | 'dead is dead'
  | 'acknowledged holds'
  | 'one order explains a session'
  | 'one order explains a grant'
  | 'guesses are counted'
  | 'answers are their caller’s'
  | 'one account each'
  | 'promised messages arrive'
  | 'one duplicate at most'
  | 'events arrive under one id'
  | 'the feed has each entry once'
  | 'the chain fits'
  | 'what is done is recorded'
  | 'never a 500'
  | 'dead within the bound'
  | 'live after the fault'
  | 'collectors miss nothing';

export type Violation = { readonly rule: Rule; readonly what: string; readonly entries: readonly Entry[] };

/** Returns the operations that began before an instant and were not done. */
export const findFailedBefore = (entries: readonly Entry[], instant: number): Entry[] =>
  entries.filter(({ outcome, startedAt }) => outcome !== 'done' && startedAt < instant);

const isDone = ({ outcome }: Entry) => outcome === 'done';

/** Returns every broken promise; empty when all were kept. */
export function findViolations(entries: readonly Entry[], aftermath: Aftermath = {}): Violation[] {
  return [
    ...findUsedTwice(entries),
    ...findLivingDead(entries),
    ...findLost(entries),
    ...findUnexplained(entries).map(({ kind, name, entries: around }) => ({
      rule: `one order explains a ${kind}` as const,
      what: name,
      entries: around,
    })),
    ...findGuessedTooOften(entries, aftermath.allowedGuesses ?? 5),
    ...findForeignAnswers(entries),
    ...findSecondAccounts(aftermath.accounts ?? []),
    ...findLostMessages(entries, aftermath.deliveries),
    ...findFaults(entries),
  ];
}

function groupBy<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

/** No refresh of a token, pin, reset token or proof succeeded for two operations. */
function findUsedTwice(entries: readonly Entry[]): Violation[] {
  const users = groupBy(entries.filter(isDone), ({ uses = [] }) => uses);
  return [...users]
    .filter(([, group]) => group.length > 1)
    .map(([what, group]) => ({ rule: 'used once', what, entries: group }));
}

/** No operation succeeded that began after the acknowledged end of the token it presented. A session may be ended again. */
function findLivingDead(entries: readonly Entry[]): Violation[] {
  const ends = new Map<string, Entry>();
  for (const entry of entries.filter(isDone)) {
    for (const what of entry.ends ?? []) {
      const known = ends.get(what);
      if (!known || entry.endedAt < known.endedAt) ends.set(what, entry);
    }
  }
  return entries.filter(isDone).flatMap((entry) =>
    (entry.shows ?? []).flatMap((what): Violation[] => {
      const end = ends.get(what);
      const isEndedAgain = what.startsWith('session:') && entry.ends?.includes(what);
      if (!end || isEndedAgain || end.number === entry.number || entry.startedAt <= end.endedAt) return [];
      return [{ rule: 'dead is dead', what, entries: [end, entry] }];
    }),
  );
}

/**
 * No token is refused that an acknowledged operation issued and that no operation, answered or not, can have ended. Nor is the
 * sign-off of such a session.
 */
function findLost(entries: readonly Entry[]): Violation[] {
  const given = groupBy(entries.filter(isDone), ({ gives = [] }) => gives);
  const enders = groupBy(
    entries.filter(({ outcome }) => outcome !== 'refused'),
    ({ ends = [] }) => ends,
  );
  const lives = (what: string, entry: Entry) =>
    given.get(what)?.some(({ endedAt }) => endedAt <= entry.startedAt) &&
    !enders.get(what)?.some(({ number, startedAt }) => number !== entry.number && startedAt <= entry.endedAt);
  return entries
    .filter(({ status, reason }) => status === 401 && reason !== 'signIn.lockedOut')
    .filter((entry) => entry.shows?.every((what) => lives(what, entry)))
    .map((entry) => ({ rule: 'acknowledged holds', what: (entry.shows ?? []).join(', '), entries: [entry] }));
}

/** No lock let more attempts be verified than it allows, or a right one succeed after it had closed. */
function findGuessedTooOften(entries: readonly Entry[], allowed: number): Violation[] {
  const guesses = groupBy(entries, ({ guesses }) => (guesses === undefined ? [] : [guesses]));
  return [...guesses].flatMap(([what, group]): Violation[] => {
    const judged = group.filter(({ reason }) => reason === 'signIn.invalidCredentials');
    const closed = group.filter(({ reason }) => reason === 'signIn.lockedOut');
    const closedAt = Math.min(...closed.map(({ endedAt }) => endedAt));
    const late = group.filter((entry) => isDone(entry) && entry.startedAt > closedAt);
    const tooMany = judged.length > allowed ? judged : [];
    return tooMany.length + late.length === 0
      ? []
      : [{ rule: 'guesses are counted', what, entries: [...tooMany, ...late] }];
  });
}

/** No answer held the canary of another caller. */
function findForeignAnswers(entries: readonly Entry[]): Violation[] {
  return entries
    .filter(({ caller, canaries }) => canaries.some((canary) => canary !== caller))
    .map((entry) => ({ rule: 'answers are their caller’s', what: entry.canaries.join(', '), entries: [entry] }));
}

function findSecondAccounts(accounts: readonly string[]): Violation[] {
  return [...groupBy(accounts, (person) => [person])]
    .filter(([, group]) => group.length > 1)
    .map(([what]) => ({ rule: 'one account each', what, entries: [] }));
}

/** Every promised message arrived, and none arrived more than twice. */
function findLostMessages(entries: readonly Entry[], deliveries: readonly string[] | undefined): Violation[] {
  if (!deliveries) return [];
  const arrivals = groupBy(deliveries, (recipient) => [recipient]);
  return entries
    .filter(({ promises }) => promises !== undefined)
    .flatMap((entry): Violation[] => {
      const what = entry.promises as string;
      const count = arrivals.get(what)?.length ?? 0;
      const broken: Violation[] = [];
      if (isDone(entry) && count === 0) broken.push({ rule: 'promised messages arrive', what, entries: [entry] });
      if (count > 2) broken.push({ rule: 'one duplicate at most', what: `${what}: ${count}`, entries: [entry] });
      return broken;
    });
}

/** No operation ended in a fault of the service itself. */
function findFaults(entries: readonly Entry[]): Violation[] {
  return entries
    .filter(({ status }) => status === 500)
    .map((entry) => ({ rule: 'never a 500', what: entry.call, entries: [entry] }));
}
