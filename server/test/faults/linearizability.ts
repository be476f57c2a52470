// Linearizability: whether one order of the operations on a register explains all that its clients saw (Wing and Gong, 1993).
import type { Entry } from './ledger.ts';
import { grantRegister, type Register, sessionRegister } from './registers.ts';

/** An operation on one register. Without an answer it may take effect at any time after its start, or never. */
type Step<Operation> = {
  readonly entry: Entry;
  readonly operation: Operation;
  readonly isUnknown: boolean;
  /** The same for operations that do the same. */
  readonly effect: string;
};

/** A state that the register may be in, and which operations under way have taken effect in it. */
type Possibility<Operation> = {
  readonly state: string;
  /** Of those that have an answer. */
  readonly done: ReadonlySet<Step<Operation>>;
  /** Of those without. */
  readonly guessed: ReadonlySet<Step<Operation>>;
};

/** The entries of a register that end in no order of its operations. */
export type Unexplained = {
  readonly kind: 'session' | 'grant';
  readonly name: string;
  readonly entries: readonly Entry[];
};

/** Entries before the one that nothing explains, for the person who reads the report. */
const CONTEXT = 8;

/** Returns the sessions and grants whose history is not that of a register. */
export const findUnexplained = (entries: readonly Entry[]): Unexplained[] => [
  ...findUnexplainedOf(sessionRegister, entries),
  ...findUnexplainedOf(grantRegister, entries),
];

function findUnexplainedOf<Operation>(register: Register<Operation>, entries: readonly Entry[]): Unexplained[] {
  const { kind } = register;
  const histories = new Map<string, Step<Operation>[]>();
  for (const entry of entries) {
    for (const [name, operation] of register.operationsOf(entry)) {
      const step = { entry, operation, isUnknown: entry.outcome === 'unknown', effect: JSON.stringify(operation) };
      const history = histories.get(name);
      if (history) history.push(step);
      else histories.set(name, [step]);
    }
  }
  return [...histories].flatMap(([name, steps]) => {
    if (!register.isWhole(steps.map(({ operation }) => operation))) return [];
    const unexplained = explain(register, steps);
    return unexplained ? [{ kind, name, entries: unexplained }] : [];
  });
}

/**
 * Returns nothing if some order explains the steps, else the entries around the first one that has no place in any order.
 * Follows all states that the register may be in, and lets operations take effect only when one of them must have (Lowe, 2017).
 */
function explain<Operation>(
  register: Register<Operation>,
  steps: readonly Step<Operation>[],
): readonly Entry[] | undefined {
  const starts = steps.map((step) => ({ at: step.entry.startedAt, step, isEnd: false }));
  const ends = steps.flatMap((step) => (step.isUnknown ? [] : [{ at: step.entry.endedAt, step, isEnd: true }]));
  // At the same moment a start comes first: the two operations overlapped.
  const events = [...starts, ...ends].toSorted((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
  const underWay = new Set<Step<Operation>>();
  let possible: readonly Possibility<Operation>[] = [{ state: register.initial, done: new Set(), guessed: new Set() }];
  for (const { step, isEnd } of events) {
    if (!isEnd) underWay.add(step);
    else {
      possible = follow(register, possible, step, underWay);
      underWay.delete(step);
      if (possible.length > 0) continue;
      const before = steps.filter(({ entry }) => entry.startedAt <= step.entry.endedAt && entry !== step.entry);
      return [...before.slice(-CONTEXT).map(({ entry }) => entry), step.entry];
    }
  }
  return undefined;
}

/** Returns what is possible once the step has taken effect, after any of those under way. */
function follow<Operation>(
  register: Register<Operation>,
  possible: readonly Possibility<Operation>[],
  step: Step<Operation>,
  underWay: ReadonlySet<Step<Operation>>,
): Possibility<Operation>[] {
  const isNews = createFilter(underWay);
  const isResult = createFilter(underWay);
  const results: Possibility<Operation>[] = [];
  const open = [...possible];
  for (let next = open.shift(); next; next = open.shift()) {
    if (!isNews(next)) continue;
    const { state, done, guessed } = next;
    if (done.has(step)) {
      const result = { state, done: new Set([...done].filter((one) => one !== step)), guessed };
      if (isResult(result)) results.push(result);
      continue;
    }
    const tried = new Set<string>();
    for (const one of underWay) {
      if (done.has(one) || guessed.has(one) || (one.isUnknown && tried.has(one.effect))) continue;
      const after = register.apply(state, one.operation);
      if (after === undefined) continue;
      if (!one.isUnknown) open.push({ state: after, done: new Set([...done, one]), guessed });
      // What has no answer need not take effect when nothing changes by it.
      else if (after !== state) {
        tried.add(one.effect);
        open.push({ state: after, done, guessed: new Set([...guessed, one]) });
      }
    }
  }
  return results;
}

/**
 * Returns a filter for what adds nothing: another possibility with the same state has needed fewer operations without an answer,
 * and all that may follow this one may follow that one. Without it, each lost answer would double the possibilities.
 */
function createFilter<Operation>(underWay: ReadonlySet<Step<Operation>>) {
  const numbers = new Map([...underWay].map((one, index) => [one, index]));
  const known = new Map<string, ReadonlySet<Step<Operation>>[]>();
  return ({ state, done, guessed }: Possibility<Operation>): boolean => {
    const key = `${state} ${[...done].map((one) => numbers.get(one)).sort()}`;
    const others = known.get(key) ?? [];
    if (others.some((one) => one.isSubsetOf(guessed))) return false;
    known.set(key, [...others, guessed]);
    return true;
  };
}
