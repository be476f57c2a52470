// The report of a soak: a page with a table, and the plot.
import { format, renderSection } from '../report.ts';
import type { SoakSample } from './client.ts';
import { operations, SHARES } from './mix.ts';
import { type Panel, renderPlot } from './plot.ts';
import { BLOCKS, FLAT, judge, mean, type Trend, trendOf } from './trend.ts';

/** What was seen at one time. Memory in MB of 1,000,000 bytes, the delay in milliseconds. */
export type Moment = {
  readonly minute: number;
  readonly client: SoakSample;
  /** By how many seconds the operations that have ended are fewer than were due. */
  readonly behind: number;
  /** The least and the most since the sample before: each hash takes 19 MiB while it runs. */
  readonly resident: { readonly least: number; readonly most: number };
  readonly heap: number;
  /** Without the caches of tokens, right after a full collection. Few samples follow one. */
  readonly collected?: { readonly resident: number; readonly heap: number };
  /** The 99th percentile since the sample before. */
  readonly eventLoopDelay: number;
  /** Events that wait for the webhook. */
  readonly waiting: number;
  readonly database: number;
};

export type Soak = {
  /** ISO 8601. */
  readonly date: string;
  readonly minutes: number;
  /** Operations per second: as many as the service answered, and as many as the soak began. */
  readonly capacity: number;
  readonly rate: number;
  /** Evenly spaced. At least `BLOCKS` of them follow a collection after the caches have filled. */
  readonly moments: readonly Moment[];
};

const measurements = {
  'resident memory, least, MB': ({ resident }: Moment) => resident.least,
  'resident memory, most, MB': ({ resident }: Moment) => resident.most,
  'heap in use, MB': ({ heap }: Moment) => heap,
  'resident after a collection, MB': ({ collected }: Moment) => collected?.resident ?? Number.NaN,
  'heap after a collection, MB': ({ collected }: Moment) => collected?.heap ?? Number.NaN,
  'event-loop delay, p99, ms': ({ eventLoopDelay }: Moment) => eventLoopDelay,
  'token check, p99, ms': ({ client }: Moment) => client.check.p99,
  'refresh, p99, ms': ({ client }: Moment) => client.refresh.p99,
  'sign-in, p99, ms': ({ client }: Moment) => client['sign-in'].p99,
  'application sign-in, p99, ms': ({ client }: Moment) => client['application sign-in'].p99,
  'application refresh, p99, ms': ({ client }: Moment) => client['application refresh'].p99,
  'event to its delivery, p99, ms': ({ client }: Moment) => client.received.events.p99,
  'events that wait': ({ waiting }: Moment) => waiting,
  'behind what was due, s': ({ behind }: Moment) => behind,
  'open sessions': ({ client }: Moment) => client.sessions,
  'database, MB': ({ database }: Moment) => database,
} satisfies Record<string, (moment: Moment) => number>;

type Measurement = keyof typeof measurements;

/** The part of the time in which what is bounded fills. */
const SETTLING = 1 / 6;

/** Of the first and the last part, which the table compares. */
const PART_MINUTES = 10;

/** Returns the page. @param plot the address of the plot, from the page. */
export function renderSoak({ date, minutes, capacity, rate, moments }: Soak, plot: string): string {
  const part = Math.min(PART_MINUTES, Math.floor(minutes / 3));
  const first = moments.filter(({ minute }) => minute <= part);
  const last = moments.filter(({ minute }) => minute > minutes - part);
  const rows = Object.entries(measurements).map(([name, read]) => {
    const meanOf = (some: readonly Moment[]) => mean(some.map(read).filter(Number.isFinite));
    const [before, after] = [meanOf(first), meanOf(last)];
    return [name, format(before), format(after), format(after - before)];
  });
  const total = (read: (client: SoakSample) => number) => moments.reduce((sum, { client }) => sum + read(client), 0);
  const failures = total((client) => client.failures);
  const begun = total((client) => client.done) + failures;
  const received = {
    events: total((client) => client.received.events.requests),
    signOuts: total((client) => client.received.signOuts),
  };
  const mix = operations.map((operation) => `${operation} ${SHARES[operation]}`).join(', ');
  const memory = trendsOf(moments).map(([name, trend]) => {
    const interval = `${format(trend.low)} to ${format(trend.high)}`;
    return [name, format(trend.slope), interval, trend.autocorrelation.toFixed(2), judge(trend)];
  });
  return `${[
    '# Soak',
    '<!-- Written by `npm run bench -- soak`: run it again, do not change this page. -->',
    `On ${date} the service ran for ${minutes} minutes on SQLite at a quarter of its capacity: ${format(capacity)} operations a second over one minute, so ${format(rate)} a second, evenly spaced. Of ${Object.values(SHARES).reduce((a, b) => a + b, 0)} operations: ${mix}. Each is a request, but the sign-in to an application is three. The client runs on the same machine. It began ${format(begun)} operations, of which ${failures === 0 ? 'none' : failures.toLocaleString('en-US')} failed. Over https it received ${format(received.events)} events of sign-ins and grants by a webhook, and as the application ${format(received.signOuts)} sign-outs.`,
    `![Memory, latency and size of the database over ${minutes} minutes](${plot})`,
    renderSection(
      {
        title: 'Memory',
        about: `The slope after the first ${format(minutes * SETTLING)} minutes, in which what is bounded fills, by ordinary least squares over the means of ${BLOCKS} blocks of ${format((minutes * 60 * (1 - SETTLING)) / BLOCKS)} s. Single samples resemble their neighbours, which would make the interval too narrow. *correlation* says how much the blocks still do. Before each sample the soak empties the caches of verified tokens, which hold up to 25 MB and drop half of it at once, and demands a full collection of garbage. *flat*: the 95 % interval of the slope ends below ${FLAT} MB an hour. *growing*: it does not, and begins above 0. *uncertain*: neither holds, because the interval is too wide.`,
      },
      [['', 'slope, MB an hour', '95 % interval', 'correlation', 'memory is'], ...memory],
    ),
    renderSection({ title: 'First and last', about: `Means of the first and the last ${part} minutes.` }, [
      ['', 'first', 'last', 'difference'],
      ...rows,
    ]),
  ].join('\n\n')}\n`;
}

/** The trends of memory, once what is bounded has filled. */
function trendsOf(moments: readonly Moment[]): [Measurement, Trend][] {
  const settled = moments.slice(Math.ceil(moments.length * SETTLING)).filter(({ collected }) => collected);
  return (['resident after a collection, MB', 'heap after a collection, MB'] as const).map((name) => [
    name,
    trendOf(settled.map((moment) => ({ x: moment.minute / 60, y: measurements[name](moment) }))),
  ]);
}

/** Returns the plot as an SVG. */
export function plotSoak({ minutes, rate, moments }: Soak): string {
  const panel = (title: string, unit: string, lines: Readonly<Record<string, Measurement>>): Panel => ({
    title,
    unit,
    lines: Object.entries(lines).map(([name, measurement]) => ({
      name,
      points: moments.map((moment) => ({ x: moment.minute, y: measurements[measurement](moment) })),
    })),
  });
  const ends = [moments[0], moments.at(-1)].map((moment) => (moment ? format(moment.resident.least) : ''));
  return renderPlot({
    title: `${minutes} minutes at ${format(rate)} operations a second`,
    description: `Resident memory is at least ${ends[0]} MB at the start and ${ends[1]} MB at the end. Below it: the 99th percentiles of latency, and the size of the database.`,
    xLabel: 'minutes',
    panels: [
      panel('Memory', 'MB', {
        'resident, most': 'resident memory, most, MB',
        'resident, least': 'resident memory, least, MB',
        'heap in use': 'heap in use, MB',
      }),
      panel('p99', 'ms', {
        'sign-in': 'sign-in, p99, ms',
        'application sign-in': 'application sign-in, p99, ms',
        'token check': 'token check, p99, ms',
      }),
      panel('Database', 'MB', { size: 'database, MB' }),
    ],
  });
}
