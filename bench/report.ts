// The report: figures as tables, for the terminal and for the page of the reference.
import { cpus, totalmem } from 'node:os';
import type { Arena } from './arena.ts';
import type { Bound } from './contestants.ts';
import type { Figure } from './figures.ts';
import type { Line } from './runner.ts';

const HEAD = [
  '',
  'min',
  'median',
  'max',
  'p50 ms',
  'p99 ms',
  'CPU s a round',
  'per CPU s',
  'CPU ratio',
  'ratio',
  'target',
  '',
];

/** A figure's table in Markdown, columns aligned. */
export function renderFigure(
  { title, unit, about }: Pick<Figure, 'title' | 'unit' | 'about'>,
  lines: readonly Line[],
): string {
  return renderSection({ title: `${title} (${unit})`, about }, [HEAD, ...lines.map(cells)]);
}

/** A table below its headline; the first row is the header. Columns that are empty below it are omitted. */
export function renderSection(
  { title, about }: { title: string; about: string },
  rows: readonly (readonly string[])[],
): string {
  const used = rows[0]?.map((_, column) => column === 0 || rows.slice(1).some((row) => row[column] !== ''));
  const kept = rows.map((row) => row.filter((_, column) => used?.[column]));
  const widths = (kept[0] ?? []).map((_, column) => Math.max(3, ...kept.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [`## ${title}`, '', about, '', line(kept[0] ?? []), rule, ...kept.slice(1).map(line)].join('\n');
}

function cells({ name, min, median, max, p50, p99, cpu, perCpuSecond, cpuRatio, ratio, bound, isMet }: Line): string[] {
  const numbers = [min, median, max, p50, p99, cpu, perCpuSecond, cpuRatio, ratio].map(format);
  return [name, ...numbers, bound ? describe(bound) : '', isMet === undefined ? '' : isMet ? 'met' : 'missed'];
}

const describe = (bound: Bound) => ('atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`);

/** Three significant digits, or all digits before the point. */
export function format(value: number | undefined): string {
  if (value === undefined) return '';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A part of the page, which `npm run bench -- NAME` measures alone. */
export type Section = {
  readonly name: string;
  readonly title: string;
  /** @returns its headline and table. */
  measure(arena: Arena): Promise<string>;
};

/** What was measured, where, and for how long. */
export type Circumstances = {
  /** ISO 8601. */
  readonly date: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly versions: Readonly<Record<string, string>>;
};

/** The whole page. */
export function renderPage({ date, rounds, seconds, versions }: Circumstances, tables: readonly string[]): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 1e9);
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    '# Benchmarks',
    '<!-- Written by `npm run bench`: run it again, do not change this page. -->',
    `Measured on ${date} with ${names.join(', ')}, on ${processors.length} cores (${processors[0]?.model.trim()}) and ${gigabytes} GB of memory; ${process.platform}.`,
    `Each line is the result of ${rounds} rounds of ${seconds} s after one to warm up, unless its table says otherwise. The contestants of a table take turns, so that ratios hold where absolute numbers drift. The driver is another process on the same machine, over loopback. *ratio* is Latchkey's median divided by the line's; *CPU s a round* is what the contestant's own process used, all threads; *per CPU s* is what it answered in a second of that, and *CPU ratio* the same comparison as *ratio* in those: it holds also where the driver, or the disk, was slower than the server. p50 and p99 are medians over the rounds.`,
    ...tables,
  ].join('\n\n')}\n`;
}
