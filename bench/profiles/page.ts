// The page of the profiles: CPU time of a request by part of the program, and memory by what it holds.
import { format, renderSection } from '../report.ts';
import { sumOf } from './memory.ts';
import type { ThreadTimes } from './threads.ts';

/** What a program did while it was measured. CPU times are in seconds since it started. */
export type Profiled = {
  readonly name: string;
  readonly requests: number;
  readonly before: ThreadTimes & { readonly database: number };
  readonly after: ThreadTimes & { readonly database: number };
  /** Shares of the main thread's CPU time; their sum is 1. */
  readonly parts: ReadonlyMap<string, number>;
};

export type Table = { readonly title: string; readonly profiled: readonly Profiled[] };

export type Profiles = {
  /** ISO 8601. */
  readonly date: string;
  readonly seconds: number;
  readonly tables: readonly Table[];
  /** MB of 1,000,000 bytes by part. */
  readonly memory: Readonly<Record<'idle' | 'signing in', ReadonlyMap<string, number>>>;
};

/** A part has a row of its own if it takes this share of the main thread's time in any column. */
const LEAST_SHARE = 0.025;

/** In microseconds. */
const LEAST_SHOWN = 0.05;

/** Returns the page. */
export function renderProfiles({ date, seconds, tables, memory }: Profiles): string {
  return `${[
    '# Profiles',
    '<!-- Written by `npm run bench -- profiles`: run it again, do not change this page. -->',
    `What a request costs, by part of the program, on ${date}: microseconds of CPU time, over ${seconds} s of the load that the [benchmarks](benchmarks.md) send. The profiler looks at the main thread once a millisecond, and costs some time itself: compare the rows of a table, and for whole figures read the benchmarks. Names in code style are packages. The profiler also counts the time that the thread waits for a core, for the part that was interrupted. That is often *writing to the socket*, because the receiver wakes and takes the core. The engine counts SQLite for the function that calls it: for the service's driver, or for the own code of a program without one. *main thread, waiting* is not CPU time: the thread could run, and no core was free.`,
    ...tables.map(renderTable),
    renderMemory(memory),
  ].join('\n\n')}\n`;
}

function renderTable({ title, profiled }: Table): string {
  const costs = profiled.map(costsOf);
  const rows = shownParts(costs).map((name) => [name, ...costs.map(({ parts }) => parts.get(name) ?? 0)] as const);
  const rest = costs.map(({ main }, column) => main - rows.reduce((sum, row) => sum + Number(row[column + 1]), 0));
  const sums: [string, ...number[]][] = [
    ['rest of the main thread', ...rest],
    ['**main thread**', ...costs.map(({ main }) => main)],
    ['thread pool', ...costs.map(({ pool }) => pool)],
    ["the engine's threads", ...costs.map(({ engine }) => engine)],
    ['PostgreSQL', ...costs.map(({ database }) => database)],
    ['**together**', ...costs.map(({ main, pool, engine, database }) => main + pool + engine + database)],
    ['*main thread, waiting*', ...costs.map(({ waiting }) => waiting)],
  ];
  const cells = [...rows, ...sums]
    .map(([name, ...values]) => [name, ...values.map((value) => (value >= LEAST_SHOWN ? format(value) : ''))])
    .filter(([, ...values]) => values.some((value) => value !== ''));
  const head = ['', ...profiled.map(({ name }) => name)];
  return renderSection({ title, about: 'Microseconds for each request.' }, [head, ...cells]);
}

/** Microseconds for each request. */
function costsOf({ requests, before, after, parts }: Profiled) {
  const cost = (name: keyof typeof before) => ((after[name] - before[name]) / requests) * 1e6;
  const main = cost('main');
  return {
    main,
    pool: cost('pool'),
    engine: cost('engine'),
    database: cost('database'),
    waiting: cost('waiting'),
    parts: new Map(parts.entries().map(([name, share]) => [name, share * main])),
  };
}

/** The parts that take enough in any column, by what they take in the first. */
function shownParts(costs: readonly ReturnType<typeof costsOf>[]): string[] {
  const names = [...new Set(costs.flatMap(({ parts }) => [...parts.keys()]))];
  const of = (name: string, column = 0) => costs[column]?.parts.get(name) ?? 0;
  return names
    .filter((name) => costs.some(({ main }, column) => of(name, column) >= LEAST_SHARE * main))
    .sort((a, b) => of(b) - of(a));
}

function renderMemory({ idle, 'signing in': signingIn }: Profiles['memory']): string {
  const names = [...new Set([...idle.keys(), ...signingIn.keys()])];
  const rows = names.map((name) => [name, ...[idle, signingIn].map((parts) => format(parts.get(name)))]);
  const sums = ['**together**', ...[idle, signingIn].map((parts) => format(sumOf(parts)))];
  const about = 'Resident memory in MB: two seconds after the start, and the most in ten seconds of sign-ins.';
  return renderSection({ title: 'Memory', about }, [['', 'idle', 'signing in'], ...rows, sums]);
}
