// The report: figures as tables, for the terminal and for the page of the reference.
import { cpus, totalmem } from 'node:os';
import type { Arena } from './arena.ts';
import type { Bound, Contestant } from './contestants.ts';
import { describeRounds, type Plan, type Rounds, totalSeconds } from './rounds.ts';
import { type Line, runRounds } from './runner.ts';

/** One table of contestants that take turns. */
export type Figure = {
  /** The NAME in `npm run bench -- NAME`. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** The exact measurement, and what a comparison with each peer means. */
  readonly about: string;
  readonly rounds: keyof Plan;
  /** How many there are with all peers, for the estimate of the time. */
  readonly contestants: number;
  /** How long it takes to prepare them, if longer than usual, in seconds. */
  readonly preparing?: number;
  /** Starts the contestants; the first is the service. */
  open(arena: Arena): Promise<Contestant[]>;
};

const HEAD = [
  '',
  'min',
  'median',
  'max',
  'p50 ms',
  'p99 ms',
  'failed',
  'CPU s a round',
  'per CPU s',
  'CPU ratio',
  'ratio',
  'target',
  '',
];

/** A figure's table in Markdown, columns aligned. */
export function renderFigure(
  { title, unit, about }: { title: string; unit: string; about: string },
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

function cells(line: Line): string[] {
  const { name, min, median, max, p50, p99, cpu, perCpuSecond, cpuRatio, ratio, isMet } = line;
  const failures = line.failures > 0 ? String(line.failures) : '';
  const latencies = [min, median, max, p50, p99].map(format);
  const numbers = [...latencies, failures, ...[cpu, perCpuSecond, cpuRatio, ratio].map(format)];
  return [name, ...numbers, describeTarget(line), isMet === undefined ? '' : isMet ? 'met' : 'missed'];
}

function describeTarget({ bound, bounded }: Line): string {
  if (!bound) return '';
  return `${bounded === 'cpuRatio' ? 'CPU ' : ''}${describeBound(bound)}`;
}

const describeBound = (bound: Bound) => ('atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`);

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
  /** How long it takes, about, in seconds. */
  expect(plan: Plan): number;
  /** @returns its headline and table. */
  measure(arena: Arena): Promise<string>;
};

/** To prepare data and to start contestants, in seconds. */
const PREPARING = 20;

/** Returns the part of the page with this figure. */
export function sectionOf(figure: Figure): Section {
  const { name, title, contestants, rounds, preparing } = figure;
  return {
    name,
    title,
    expect: (plan) => expectRounds(plan[rounds], contestants, preparing),
    async measure(arena) {
      const about = `${figure.about} ${describeRounds(arena.plan[rounds])}`;
      return renderFigure({ ...figure, about }, await runRounds(await figure.open(arena), arena.plan[rounds]));
    },
  };
}

/** Returns about how long so many contestants take with these rounds, in seconds. */
export const expectRounds = (rounds: Rounds, contestants: number, preparing = PREPARING): number =>
  preparing + contestants * totalSeconds(rounds);

/** Returns the date for a page, ISO 8601. */
export const dateOfRun = (): string => process.env.BENCH_DATE || new Date().toISOString().slice(0, 10);

/** What was measured, and where. */
export type Circumstances = {
  /** ISO 8601. */
  readonly date: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Whether the machine counts instructions. */
  readonly hasCounters: boolean;
};

/** The whole page. */
export function renderPage({ date, versions, hasCounters }: Circumstances, tables: readonly string[]): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 1e9);
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    '# Benchmarks',
    '<!-- Written by `npm run bench`: run it again, do not change this page. -->',
    `Measured on ${date} with ${names.join(', ')}, on ${processors.length} cores (${processors[0]?.model.trim()}) and ${gigabytes} GB of memory; ${process.platform}.`,
    'Each table says how long its rounds are. Its contestants take turns, in the reverse order each round, so that other work on the machine affects all alike: trust ratios, not single numbers. All warm up before the first round, and the engine keeps the code that it compiles then. Caches it does not keep: until the next turn of a contestant, the others run for up to two minutes. So each round follows, without a pause, a lead-in of the same load that does not count.',
    "The driver is another process on the same machine, over loopback. PocketBase and its driver run in a network namespace of their own. *ratio* is Latchkey's median divided by the line's. *CPU s a round* is what the contestant's own process used, all threads. *per CPU s* is what it answered in a second of that. *CPU ratio* compares those: it holds also where the driver or the disk was slower than the server, or where a contestant uses more cores than another. A target is for *ratio*, or for *CPU ratio* if it says so, or for the line's own median. p50 and p99 are medians over the rounds. If requests fail, *failed* says how many, and the target is missed.",
    hasCounters
      ? '`perf stat` counts instructions and cache misses on this machine, but the page counts CPU time only.'
      : 'The page counts CPU time only: `perf stat` counts no instructions and cache misses on this machine.',
    ...tables,
  ].join('\n\n')}\n`;
}
