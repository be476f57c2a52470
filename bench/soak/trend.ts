// The trend of a soak: how fast a measurement grows, and how certain that is.

export type Point = { readonly x: number; readonly y: number };

/** A slope per unit of `x`, with its 95 % interval. */
export type Trend = {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
  /** Of neighbouring residuals. Well above 0, the interval is too narrow. */
  readonly autocorrelation: number;
};

/**
 * Consecutive samples resemble each other, which would make an interval of single samples too narrow. Means of
 * blocks that are longer than that resemblance do so much less.
 */
export const BLOCKS = 15;

/** The 0.975 quantile of Student's t with `BLOCKS` - 2 degrees of freedom. */
const T975 = 2.16;

/** Returns the slope by ordinary least squares over the means of equal blocks. @param points at least `BLOCKS`, by `x`. */
export function trendOf(points: readonly Point[]): Trend {
  if (points.length < BLOCKS) throw new Error(`A trend needs at least ${BLOCKS} samples.`);
  const blocks = Array.from({ length: BLOCKS }, (_, n) =>
    center(points.slice(Math.floor((n * points.length) / BLOCKS), Math.floor(((n + 1) * points.length) / BLOCKS))),
  );
  const middle = center(blocks);
  const spread = sum(blocks.map(({ x }) => (x - middle.x) ** 2));
  const slope = sum(blocks.map(({ x, y }) => (x - middle.x) * (y - middle.y))) / spread;
  const residuals = blocks.map(({ x, y }) => y - middle.y - slope * (x - middle.x));
  const squares = sum(residuals.map((residual) => residual ** 2));
  const margin = T975 * Math.sqrt(squares / (BLOCKS - 2) / spread);
  const products = residuals.slice(1).map((residual, n) => residual * (residuals[n] ?? 0));
  return {
    slope,
    low: slope - margin,
    high: slope + margin,
    autocorrelation: squares === 0 ? 0 : sum(products) / squares,
  };
}

/** In MB an hour. */
export const FLAT = 2;

/** Returns what the interval proves: a wide one that holds 0 proves nothing. */
export function judge({ low, high }: Trend): 'flat' | 'growing' | 'uncertain' {
  if (high < FLAT) return 'flat';
  return low > 0 ? 'growing' : 'uncertain';
}

export const mean = (values: readonly number[]): number => sum(values) / values.length;

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

const center = (points: readonly Point[]): Point => ({
  x: mean(points.map(({ x }) => x)),
  y: mean(points.map(({ y }) => y)),
});
