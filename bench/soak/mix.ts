// The mix: which request comes next under the load of a soak.

export const operations = ['sign-in', 'refresh', 'check', 'sign-off'] as const;
export type Operation = (typeof operations)[number];

/** How many of each in a cycle. As many sessions end as begin, so their number stays the same. */
export const SHARES: Readonly<Record<Operation, number>> = { 'sign-in': 1, refresh: 4, check: 44, 'sign-off': 1 };

const CYCLE = Object.values(SHARES).reduce((a, b) => a + b, 0);

/** One cycle, each operation evenly spread over it. */
const cycle: readonly Operation[] = operations
  .flatMap((operation) =>
    Array.from({ length: SHARES[operation] }, (_, n) => ({ operation, at: (n + 0.5) / SHARES[operation] })),
  )
  .toSorted((a, b) => a.at - b.at)
  .map(({ operation }) => operation);

/** Returns the operation of the request with this number. */
export const operationOf = (number: number): Operation => cycle[number % CYCLE] ?? 'check';
