// Linearizability: whether one order of the operations on a session explains all that its clients saw (Wing and Gong, 1993).
import type { Entry } from './ledger.ts';

/**
 * An operation on the register that a session is. It holds the current token: a sign-in writes the first one, a check reads
 * it, a refresh compares and swaps it, and an end writes that there is none.
 */
type Operation =
  | { readonly kind: 'open'; readonly token: string }
  /** The token was current. */
  | { readonly kind: 'accepted'; readonly token: string }
  /** The token was not current. */
  | { readonly kind: 'refused'; readonly token: string }
  /** A sign-off was refused: the session had ended. */
  | { readonly kind: 'had ended' }
  /** `to` is unknown without an answer. */
  | { readonly kind: 'refresh'; readonly from: string; readonly to: string }
  | { readonly kind: 'end' };

/** An operation of one session. Without an answer it may take effect at any time after its start, or never. */
type Step = { readonly entry: Entry; readonly operation: Operation; readonly isUnknown: boolean };

/** A state that the session may be in, and which operations under way have taken effect in it. */
type Possibility = { readonly state: string; readonly done: ReadonlySet<Step> };

const UNOPENED = 'unopened';
const ENDED = 'ended';

/** The entries of a session that end in no order of its operations. */
export type Unexplained = { readonly session: string; readonly entries: readonly Entry[] };

/** Entries before the one that nothing explains, for the person who reads the report. */
const CONTEXT = 8;

/** Returns the sessions whose history is not that of a register. Sessions whose sign-in is not in the ledger are left out. */
export function findUnexplained(entries: readonly Entry[]): Unexplained[] {
  const histories = new Map<string, Step[]>();
  for (const entry of entries) {
    for (const [session, operation] of operationsOf(entry)) {
      const step = { entry, operation, isUnknown: entry.outcome === 'unknown' };
      const history = histories.get(session);
      if (history) history.push(step);
      else histories.set(session, [step]);
    }
  }
  return [...histories].flatMap(([session, steps]) => {
    if (!steps.some(({ operation }) => operation.kind === 'open')) return [];
    const unexplained = explain(steps);
    return unexplained ? [{ session, entries: unexplained }] : [];
  });
}

const named = (kind: 'session' | 'token', names: readonly string[] = []) =>
  names.filter((name) => name.startsWith(`${kind}:`));

/** Returns the operations that an entry is, each with the session that it is about. */
function operationsOf({ outcome, reason, shows, ends, gives }: Entry): [session: string, operation: Operation][] {
  const [session] = named('session', [...(gives ?? []), ...(shows ?? [])]);
  const [shown] = named('token', shows);
  if (outcome === 'refused') {
    // Other reasons say nothing about the register: the token has expired, or the password was wrong.
    if (reason !== 'token.revoked' || session === undefined) return [];
    return [[session, shown === undefined ? { kind: 'had ended' } : { kind: 'refused', token: shown }]];
  }
  const ended = named('session', ends).map((one): [string, Operation] => [one, { kind: 'end' }]);
  if (session === undefined || ended.some(([one]) => one === session)) return ended;
  const [from] = named('token', ends);
  const [given] = named('token', gives);
  if (from !== undefined) return [...ended, [session, { kind: 'refresh', from, to: given ?? `after ${from}` }]];
  if (given !== undefined) return [...ended, [session, { kind: 'open', token: given }]];
  return shown === undefined || outcome === 'unknown'
    ? ended
    : [...ended, [session, { kind: 'accepted', token: shown }]];
}

/** Returns the state after the operation, or `undefined` if the operation cannot have this outcome in the state. */
function apply(state: string, operation: Operation): string | undefined {
  switch (operation.kind) {
    case 'open':
      return state === UNOPENED ? operation.token : undefined;
    case 'accepted':
      return state === operation.token ? state : undefined;
    case 'refused':
      return state === operation.token ? undefined : state;
    case 'had ended':
      return state === ENDED ? state : undefined;
    case 'refresh':
      return state === operation.from ? operation.to : undefined;
    case 'end':
      return ENDED;
  }
}

/**
 * Returns nothing if some order explains the steps, else the entries around the first one that has no place in any order.
 * Follows all states that the session may be in, and lets operations take effect only when one of them must have (Lowe, 2017).
 */
function explain(steps: readonly Step[]): readonly Entry[] | undefined {
  const starts = steps.map((step) => ({ at: step.entry.startedAt, step, isEnd: false }));
  const ends = steps.flatMap((step) => (step.isUnknown ? [] : [{ at: step.entry.endedAt, step, isEnd: true }]));
  // At the same moment a start comes first: the two operations overlapped.
  const events = [...starts, ...ends].toSorted((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
  const underWay = new Set<Step>();
  let possible: readonly Possibility[] = [{ state: UNOPENED, done: new Set() }];
  for (const { step, isEnd } of events) {
    if (!isEnd) underWay.add(step);
    else {
      possible = follow(possible, step, underWay);
      underWay.delete(step);
      if (possible.length > 0) continue;
      const before = steps.filter(({ entry }) => entry.startedAt <= step.entry.endedAt && entry !== step.entry);
      return [...before.slice(-CONTEXT).map(({ entry }) => entry), step.entry];
    }
  }
  return undefined;
}

/** Returns what is possible once the step has taken effect, after any of those under way. */
function follow(possible: readonly Possibility[], step: Step, underWay: ReadonlySet<Step>): Possibility[] {
  const numbers = new Map([...underWay].map((one, index) => [one, index]));
  const keyOf = ({ state, done }: Possibility) => `${state} ${[...done].map((one) => numbers.get(one)).sort()}`;
  const seen = new Set<string>();
  const results = new Map<string, Possibility>();
  const open = [...possible];
  for (let next = open.pop(); next; next = open.pop()) {
    const key = keyOf(next);
    if (seen.has(key)) continue;
    seen.add(key);
    const { state, done } = next;
    if (done.has(step)) {
      const result = { state, done: new Set([...done].filter((one) => one !== step)) };
      results.set(keyOf(result), result);
      continue;
    }
    for (const one of underWay) {
      if (done.has(one)) continue;
      const after = apply(state, one.operation);
      if (after === undefined) continue;
      // What has no answer takes effect at most once: a token is current only once, and an end is for good.
      open.push({ state: after, done: one.isUnknown ? done : new Set([...done, one]) });
    }
  }
  return [...results.values()];
}
