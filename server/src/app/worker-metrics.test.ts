// The metrics of several workers: what counts of workers that have ended or do not answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProcessMetrics } from '../http/metrics.ts';
import { GATHER_SECONDS, type ToWorker } from './worker-link.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

/** Within this time the storage says that the database does not answer. */
const DATABASE_ANSWERS_MS = 2000;

const settle = () => new Promise((resolve) => setImmediate(resolve));

const reportOf = (answered: number, open: number, labels: Record<string, string> = {}): ProcessMetrics => [
  { name: 'answers_total', help: '', type: 'counter', aggregator: 'sum', values: [{ value: answered, labels }] },
  { name: 'open', help: '', type: 'gauge', aggregator: 'sum', values: [{ value: open, labels: {} }] },
  {
    name: 'seconds',
    help: '',
    type: 'histogram',
    aggregator: 'sum',
    values: [
      { metricName: 'seconds_bucket', labels: { le: 1 }, value: answered },
      { metricName: 'seconds_sum', labels: {}, value: answered / 2 },
    ],
  },
];

/** Workers that answer a request with these reports; `null`: a worker that does not answer. */
function createWorkers() {
  let timeOut = () => {};
  let patienceMs = 0;
  const metrics = createWorkerMetrics({
    sleep(ms) {
      patienceMs = ms;
      return new Promise((resolve) => (timeOut = resolve));
    },
  });
  return {
    metrics,
    patienceMs: () => patienceMs,
    timeOut: () => timeOut(),
    gather(reports: Record<number, ProcessMetrics | null>) {
      const workers = Object.entries(reports).map(([number, report]) => {
        const send = (message: ToWorker) => {
          if (report && message.kind === 'report') metrics.receive(Number(number), message.request, report);
        };
        return [Number(number), { send }] as const;
      });
      return metrics.gather(new Map(workers));
    },
  };
}

/** The sums of all values, by series and labels. */
function sums(reports: readonly ProcessMetrics[]) {
  const found: Record<string, number> = {};
  for (const { name, values } of reports.flat()) {
    for (const { metricName = name, labels, value } of values) {
      const series = `${metricName}${Object.values(labels).map((label) => ` ${label}`)}`;
      found[series] = (found[series] ?? 0) + value;
    }
  }
  return found;
}

describe('the metrics of a node', () => {
  it('are those of all workers', async () => {
    const { gather } = createWorkers();
    const found = sums(await gather({ 1: reportOf(10, 3), 2: reportOf(5, 4) }));
    assert.deepEqual(found, { answers_total: 15, open: 7, 'seconds_bucket 1': 15, seconds_sum: 7.5 });
  });

  it('keep the counts of workers that have ended, and not their states', async () => {
    const { gather, metrics } = createWorkers();
    await gather({ 1: reportOf(10, 3), 2: reportOf(5, 4) });
    metrics.keepCounts(2);
    const one = { answers_total: 16, open: 3, 'seconds_bucket 1': 16, seconds_sum: 8 };
    assert.deepEqual(sums(await gather({ 1: reportOf(11, 3) })), one);
    await gather({ 1: reportOf(11, 3), 2: reportOf(1, 1) });
    metrics.keepCounts(2);
    metrics.keepCounts(1);
    const none = { answers_total: 17, 'seconds_bucket 1': 17, seconds_sum: 8.5 };
    assert.deepEqual(sums(await gather({})), none);
  });

  it('keep values with different labels apart', async () => {
    const { gather, metrics } = createWorkers();
    await gather({ 1: reportOf(10, 0, { a: 'x', b: 'y' }), 2: reportOf(5, 0, { b: 'y', a: 'x' }) });
    metrics.keepCounts(1);
    metrics.keepCounts(2);
    const [counters] = (await gather({ 3: reportOf(2, 0, { a: 'y', b: 'x' }) })).slice(-1);
    const values = counters?.find(({ name }) => name === 'answers_total')?.values;
    assert.deepEqual(
      values?.map(({ value }) => value),
      [15],
    );
  });

  it('count a worker that does not answer with its last report', async () => {
    const { gather, timeOut } = createWorkers();
    await gather({ 1: reportOf(10, 3), 2: reportOf(5, 4) });
    const gathered = gather({ 1: reportOf(12, 3), 2: null });
    timeOut();
    assert.equal(sums(await gathered).answers_total, 17);
  });

  it('wait longer than a worker for its database: its last report would say that the database answers', async () => {
    const { gather, patienceMs } = createWorkers();
    await gather({ 1: reportOf(10, 3) });
    assert.ok(patienceMs() > DATABASE_ANSWERS_MS && patienceMs() < GATHER_SECONDS * 1000);
  });

  it('wait for the last worker, and take a report that comes too late for the next time', async () => {
    const { metrics, timeOut } = createWorkers();
    const silent = { send: () => {} };
    let isGathered = false;
    const gathered = metrics.gather(
      new Map([
        [1, silent],
        [2, silent],
      ]),
    );
    void gathered.then(() => {
      isGathered = true;
    });
    metrics.receive(1, 1, reportOf(10, 0));
    await settle();
    assert.equal(isGathered, false);
    timeOut();
    assert.equal(sums(await gathered).answers_total, 10);
    metrics.receive(2, 1, reportOf(5, 0));
    assert.equal(sums(await metrics.gather(new Map())).answers_total, 15);
  });

  it('do not wait for a worker that ends meanwhile', async () => {
    const { gather, metrics } = createWorkers();
    const gathered = gather({ 1: reportOf(12, 3), 2: null });
    metrics.keepCounts(2);
    assert.equal(sums(await gathered).answers_total, 12);
  });
});
