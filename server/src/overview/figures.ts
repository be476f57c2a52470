// Figures: the counts of a range by interval, and their change against the period before.
import { type Counters, FIGURES, type Figure } from '../counters/index.ts';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import { createTurnEnd } from '../foundation/turn.ts';
import { findPeriodBefore, type Intervals, type Range } from './range.ts';

const DAY_SECONDS = 86_400;

/** One part of a figure, with a count for each interval. */
type PartSeries = { readonly name: string; readonly total: number; readonly counts: number[] };

/** A figure in a range. `previous` is its total in the period before, or null if the service did not count all of it. */
export type FigureSeries = {
  readonly total: number;
  readonly previous: number | null;
  /** The parts that occurred, the most frequent first. */
  readonly parts: PartSeries[];
};

export type Figures = {
  readonly series: Readonly<Record<Figure, FigureSeries>>;
  /** Since when the service counts. */
  readonly countedSince: Instant | undefined;
};

const endOfTurn = createTurnEnd();

/**
 * Reads the figures of a range, one interval after the other: no statement reads more than a day. Between two of them the
 * service answers requests.
 */
export async function readFigures(counters: Counters, intervals: Intervals, range: Range): Promise<Figures> {
  const { starts, end } = intervals;
  const countedSince = await counters.findBeginning();
  const found = new Map<Figure, Map<string, number[]>>(FIGURES.map((figure) => [figure, new Map()]));
  for (const [index, from] of starts.entries()) {
    await endOfTurn();
    for (const { figure, part, count } of await counters.sum(from, starts[index + 1] ?? end)) {
      const parts = found.get(figure);
      const counts = parts?.get(part) ?? starts.map(() => 0);
      counts[index] = count;
      parts?.set(part, counts);
    }
  }
  const before = findPeriodBefore(intervals, range);
  const isComparable = countedSince !== undefined && countedSince <= before.from;
  const previous = isComparable ? await sumByFigure(counters, before) : undefined;

  const seriesOf = (figure: Figure): FigureSeries => {
    const parts = [...(found.get(figure) ?? [])]
      .map(([name, counts]) => ({ name, total: sum(counts), counts }))
      .toSorted((one, other) => other.total - one.total || (one.name < other.name ? -1 : 1));
    return {
      total: sum(parts.map(({ total }) => total)),
      previous: previous ? (previous.get(figure) ?? 0) : null,
      parts,
    };
  };
  const series = {
    signIn: seriesOf('signIn'),
    application: seriesOf('application'),
    refusal: seriesOf('refusal'),
    lockout: seriesOf('lockout'),
    registration: seriesOf('registration'),
    messageSent: seriesOf('messageSent'),
    messageFailed: seriesOf('messageFailed'),
  };
  return { series, countedSince };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns the totals of a period. */
async function sumByFigure(counters: Counters, { from, to }: { from: Instant; to: Instant }) {
  const totals = new Map<Figure, number>();
  for (let start = from; start < to; start = addSeconds(start, DAY_SECONDS)) {
    await endOfTurn();
    const end = toInstant(Math.min(addSeconds(start, DAY_SECONDS), to));
    for (const { figure, count } of await counters.sum(start, end))
      totals.set(figure, (totals.get(figure) ?? 0) + count);
  }
  return totals;
}
