// The runner: rounds of all contestants of a figure in turn, so that other work of the machine affects all alike.
import type { Bound, Contestant, Outcome } from './contestants.ts';
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
  readonly isMet: boolean | undefined;
};

/** One warm-up, then `rounds` rounds; each round runs the contestants in the reverse order of the previous one. */
export async function runRounds(contestants: readonly Contestant[], rounds: number): Promise<Line[]> {
  const outcomes = new Map<Contestant, Outcome[]>(contestants.map((contestant) => [contestant, []]));
  for (let number = 0; number <= rounds; number++) {
    const order = number % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      const outcome = await contestant.round(number);
      if (number > 0) outcomes.get(contestant)?.push(outcome);
    }
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
  };
}

function summarize(
  { name, ratio: wanted, target }: Contestant,
  outcomes: readonly Outcome[],
  first: ReturnType<typeof middles> | undefined,
): Line {
  const values = outcomes.map(({ value }) => value);
  const own = middles(outcomes);
  const divide = (a: number | undefined, b: number | undefined) => (wanted && a && b ? a / b : undefined);
  const ratio = divide(first?.median, own.median);
  const bound = wanted === 'shown' ? target : (wanted ?? target);
  return {
    name,
    min: Math.min(...values),
    max: Math.max(...values),
    ...own,
    ratio,
    cpuRatio: divide(first?.perCpuSecond, own.perCpuSecond),
    bound,
    isMet: bound && isWithin(ratio ?? own.median, bound),
  };
}

function isWithin(value: number, bound: Bound): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}
