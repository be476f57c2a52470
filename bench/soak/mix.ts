// The mix: which operation comes next under the load of a soak.

export const operations = [
  'sign-in',
  'refresh',
  'check',
  'application sign-in',
  'application refresh',
  'sign-off',
] as const;
export type Operation = (typeof operations)[number];

/** How many of each in a cycle. As many sessions end as begin, so their number stays the same. */
export const SHARES: Readonly<Record<Operation, number>> = {
  'sign-in': 2,
  refresh: 6,
  check: 86,
  'application sign-in': 1,
  'application refresh': 3,
  'sign-off': 2,
};

const CYCLE = Object.values(SHARES).reduce((a, b) => a + b, 0);

/** One cycle, each operation evenly spread over it. */
const cycle: readonly Operation[] = operations
  .flatMap((operation) =>
    Array.from({ length: SHARES[operation] }, (_, n) => ({ operation, at: (n + 0.5) / SHARES[operation] })),
  )
  .toSorted((a, b) => a.at - b.at)
  .map(({ operation }) => operation);

/** Returns the operation with this number. */
export const operationOf = (number: number): Operation => cycle[number % CYCLE] ?? 'check';

/** Returns a value for each operation. */
export const perOperation = <Value>(make: (operation: Operation) => Value): Record<Operation, Value> =>
  Object.fromEntries(operations.map((operation) => [operation, make(operation)])) as Record<Operation, Value>;
