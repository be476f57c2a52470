// Statistics: sums up many numbers in one or two.

/** The middle value, or the mean of the two in the middle; undefined for no values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.ceil((sorted.length - 1) / 2)];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** How well two samples can be told apart: `auc` is true to within `margin` in 95 of 100 cases. */
export type Separation = { readonly auc: number; readonly margin: number };

/** 95 % of a normal distribution lie within this many standard errors of the mean. */
const Z95 = 1.96;

/**
 * The area under the ROC curve: the probability that one of `some`, drawn at random, is greater than one of `others`,
 * ties counting half. 0.5: no observer can tell them apart. Margin by Hanley and McNeil (Radiology 143, 1982).
 */
export function separate(some: readonly number[], others: readonly number[]): Separation {
  const sorted = others.toSorted((a, b) => a - b);
  const wins = some.reduce((sum, value) => sum + (rank(sorted, value, '<') + rank(sorted, value, '<=')) / 2, 0);
  const [n, m] = [some.length, others.length];
  const auc = wins / (n * m);
  const spread = (n - 1) * (auc / (2 - auc) - auc ** 2) + (m - 1) * ((2 * auc ** 2) / (1 + auc) - auc ** 2);
  return { auc, margin: Z95 * Math.sqrt((auc * (1 - auc) + spread) / (n * m)) };
}

/** How many of these are below a value, or not above it. */
function rank(sorted: readonly number[], value: number, relation: '<' | '<='): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle] as number;
    if (one < value || (relation === '<=' && one === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values in a new random order. */
export function shuffle<Value>(values: readonly Value[]): Value[] {
  const drawn = values.map((value) => ({ value, key: Math.random() }));
  return drawn.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
