// The data of the charts: the most frequent parts of a figure, with the rest as one, and the labels of its intervals.
import type { Calls } from 'latchkey-sdk';
import { readLocale } from '../../ui/format.ts';
import { translate, words } from '../../words/index.ts';
import { sequence } from './colours.ts';

export type OverviewData = Calls['Overview/Get']['result'];
export type FigureData = OverviewData['signIns'];

export const ranges = ['24h', '7d', '30d'] as const;
export type Range = (typeof ranges)[number];

/** One part of a chart: its name, its total, and its count in each interval. */
export type Series = {
  readonly name: string;
  readonly total: number;
  readonly counts: readonly number[];
  /** Without one, it gets the colour of its place. */
  readonly colour?: string;
  /** The page that lists what it counts. */
  readonly list?: string;
};

const MOST_SERIES = sequence.length;

const nameOfPart = (name: string) => translate(words.overview.parts, name);

/**
 * Returns the parts of a figure as series. If there are too many, the least frequent ones share the last series.
 * @param options.nameOf what people call a part. Default: its name in the texts.
 * @param options.listOf the page that lists what a part counts.
 */
export function seriesOf(
  { parts }: FigureData,
  { nameOf = nameOfPart, listOf }: { nameOf?: (part: string) => string; listOf?: (part: string) => string } = {},
): Series[] {
  const named = parts.filter(({ name }) => name !== 'other');
  const shown = named.slice(0, parts.length > MOST_SERIES ? MOST_SERIES - 1 : MOST_SERIES);
  const rest = parts.filter((part) => !shown.includes(part));
  const all = shown.map(({ name, total, counts }) => ({
    name: nameOf(name),
    total,
    counts,
    ...(listOf && { list: listOf(name) }),
  }));
  return rest.length === 0 ? all : [...all, join(words.overview.parts.other ?? '', rest)];
}

/** Returns all parts of a figure as one series. */
export const totalOf = ({ parts }: FigureData, name: string, length: number): Series =>
  parts.length === 0 ? { name, total: 0, counts: Array.from({ length }, () => 0) } : join(name, parts);

function join(name: string, parts: readonly Pick<Series, 'total' | 'counts'>[]): Series {
  const [first] = parts;
  return {
    name,
    total: parts.reduce((sum, { total }) => sum + total, 0),
    counts: first?.counts.map((_, index) => parts.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)) ?? [],
  };
}

/** Returns the labels of the intervals: short ones for the axis, long ones for the table. */
export function labelsOf(starts: readonly string[], range: Range): { axis: string[]; full: string[] } {
  const hours = range === '24h';
  const short = new Intl.DateTimeFormat(
    readLocale(),
    hours ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' },
  );
  const long = new Intl.DateTimeFormat(
    readLocale(),
    hours
      ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
      : { weekday: 'short', day: 'numeric', month: 'short' },
  );
  const dates = starts.map((start) => new Date(start));
  return { axis: dates.map((date) => short.format(date)), full: dates.map((date) => long.format(date)) };
}

/** Returns a number in the reader's format. */
export const formatNumber = (count: number) => new Intl.NumberFormat(document.documentElement.lang).format(count);

/** Returns a change in per cent with its sign. */
export const formatChange = (change: number) =>
  new Intl.NumberFormat(document.documentElement.lang, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format(change);
