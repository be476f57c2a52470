// The rounds of a table: how long each contestant runs, before it is measured and while it is, and in which order.

/** How long a table takes for each contestant, in seconds. */
export type Rounds = {
  /** Once before all rounds: the engine compiles the code. 0: none. */
  readonly warmUp: number;
  /** Right before each round, of the same load: caches hold what other contestants have used since. 0: none. */
  readonly leadIn: number;
  /** Of a round. 0: it ends by itself. */
  readonly seconds: number;
  /** How many rounds there are. */
  readonly count: number;
};

/** The rounds of each kind of table. */
export type Plan = {
  /** Sign-in, and what runs beside it. */
  readonly hashes: Rounds;
  readonly calls: Rounds;
  /** Each round starts the contestant anew, and runs it, or only waits until it answers. */
  readonly memory: Rounds;
  readonly starts: Rounds;
};

/** One load of one contestant. */
export type Turn = {
  /** Counts all turns of the contestant from 0. */
  readonly number: number;
  readonly kind: 'warm-up' | 'lead-in' | 'round';
  readonly seconds: number;
};

/** What the page shows. Shorter sign-in rounds measure a processor and a heap that have not settled. */
export const wholePlan: Plan = {
  hashes: { warmUp: 20, leadIn: 2, seconds: 20, count: 5 },
  calls: { warmUp: 20, leadIn: 1, seconds: 5, count: 5 },
  memory: { warmUp: 0, leadIn: 0, seconds: 10, count: 5 },
  starts: { warmUp: 0, leadIn: 0, seconds: 0, count: 5 },
};

/** For development: shows whether a figure works, and little of its value. */
export const shortPlan: Plan = {
  hashes: { warmUp: 2, leadIn: 1, seconds: 2, count: 3 },
  calls: { warmUp: 2, leadIn: 1, seconds: 2, count: 3 },
  memory: { warmUp: 0, leadIn: 0, seconds: 2, count: 3 },
  starts: { warmUp: 0, leadIn: 0, seconds: 0, count: 3 },
};

/** Returns the turns of all contestants: warm-ups, then rounds, each in the reverse order of the previous one. */
export function* turnsOf<Contestant>(
  contestants: readonly Contestant[],
  { warmUp, leadIn, seconds, count }: Rounds,
): Generator<{ readonly contestant: Contestant; readonly turn: Turn }> {
  const before = new Map<Contestant, number>();
  const next = (contestant: Contestant, kind: Turn['kind'], length: number) => {
    const number = before.get(contestant) ?? 0;
    before.set(contestant, number + 1);
    return { contestant, turn: { number, kind, seconds: length } };
  };
  if (warmUp > 0) for (const contestant of contestants) yield next(contestant, 'warm-up', warmUp);
  for (let round = 1; round <= count; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      if (leadIn > 0) yield next(contestant, 'lead-in', leadIn);
      yield next(contestant, 'round', seconds);
    }
  }
}

/** Returns how many turns each contestant has. */
export const countTurns = (rounds: Rounds): number => [...turnsOf([0], rounds)].length;

/** Returns how long all turns of one contestant take, in seconds. */
export const totalSeconds = (rounds: Rounds): number =>
  turnsOf([0], rounds).reduce((sum, { turn }) => sum + turn.seconds, 0);

/** Returns a sentence for the page. */
export function describeRounds({ warmUp, leadIn, seconds, count }: Rounds): string {
  const before = [
    ...(leadIn > 0 ? [`each after a lead-in of ${leadIn} s`] : []),
    ...(warmUp > 0 ? [`all after a warm-up of ${warmUp} s`] : []),
  ];
  const rounds = `${count} rounds${seconds > 0 ? ` of ${seconds} s` : ''}`;
  return `${[rounds, ...before].join(', ')}.`;
}
