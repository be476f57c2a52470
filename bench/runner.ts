// The runner: rounds of all contestants of a figure in turn, so that other work of the machine affects all alike.
import type { Bound, Contestant, Outcome } from './contestants.ts';
import { type Rounds, turnsOf } from './rounds.ts';
import { median } from './statistics.ts';

/** A contestant's rounds, summed up. */
export type Line = {
  readonly name: string;
  readonly min: number;
  readonly median: number;
  readonly max: number;
  /** Medians over the rounds; absent where they mean nothing. */
  readonly cpu: number | undefined;
  readonly perCpuSecond: number | undefined;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  /** The first contestant's median divided by this one's; `cpuRatio`: the same for answers per CPU second. */
  readonly ratio: number | undefined;
  readonly cpuRatio: number | undefined;
  readonly bound: Bound | undefined;
  /** Which of the line's numbers the bound is for. */
  readonly bounded: 'median' | 'ratio' | 'cpuRatio';
  readonly isMet: boolean | undefined;
  /** Failed requests of all rounds. A line with any misses its target, and all lines do that compare with it. */
  readonly failures: number;
};

/** Runs all turns of the contestants, one after the other. */
export async function runRounds(contestants: readonly Contestant[], rounds: Rounds): Promise<Line[]> {
  const outcomes = new Map<Contestant, Outcome[]>(contestants.map((contestant) => [contestant, []]));
  for (const { contestant, turn } of turnsOf(contestants, rounds)) {
    const outcome = await contestant.run(turn);
    if (turn.kind !== 'round') continue;
    outcomes.get(contestant)?.push(outcome);
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const [first] = outcomes.values().map(middles);
  return [...outcomes].map(([contestant, all]) => summarize(contestant, all, first));
}

/** Medians over the rounds of a contestant. */
function middles(outcomes: readonly Outcome[]) {
  const over = (pick: (outcome: Outcome) => number | undefined) =>
    median(outcomes.map(pick).filter((value) => value !== undefined));
  return {
    median: over(({ value }) => value) ?? Number.NaN,
    cpu: over(({ cpu }) => cpu),
    perCpuSecond: over(({ cpu, requests }) => (cpu && requests ? requests / cpu : undefined)),
    p50: over(({ p50 }) => p50),
    p99: over(({ p99 }) => p99),
    failures: outcomes.reduce((sum, { failures = 0 }) => sum + failures, 0),
  };
}

function summarize(
  { name, compared, target }: Contestant,
  outcomes: readonly Outcome[],
  first: ReturnType<typeof middles> | undefined,
): Line {
  const values = outcomes.map(({ value }) => value);
  const own = middles(outcomes);
  const divide = (a: number | undefined, b: number | undefined) => (compared && a && b ? a / b : undefined);
  const numbers = {
    ...own,
    ratio: divide(first?.median, own.median),
    cpuRatio: divide(first?.perCpuSecond, own.perCpuSecond),
  };
  const [bounded, bound] = boundOf(compared, target);
  const failures = own.failures + (compared ? (first?.failures ?? 0) : 0);
  const isMet = bound && failures === 0 && isWithin(numbers[bounded] ?? Number.NaN, bound);
  return { name, min: Math.min(...values), max: Math.max(...values), ...numbers, bounded, bound, isMet };
}

function boundOf(compared: Contestant['compared'], target: Bound | undefined): [Line['bounded'], Bound | undefined] {
  if (compared === undefined || compared === 'shown') return ['median', target];
  return 'ratio' in compared ? ['ratio', compared.ratio] : ['cpuRatio', compared.cpuRatio];
}

function isWithin(value: number, bound: Bound): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}
