// The metrics of a node with several workers, as its supervisor collects them. The counts of workers that have ended stay in
// the sums, so that a counter never falls.
import type { Clock } from '../foundation/clock.ts';
import type { ProcessMetric, ProcessMetrics } from '../http/metrics.ts';
import type { ToWorker } from './worker-link.ts';

/**
 * How long the supervisor waits for workers to report. A worker that does not counts with its last report. It takes 2 s to find that
 * the database does not answer.
 */
// Mutation: `2500` becomes `2501`. A limit of time with one more millisecond.
const REPORT_MS = 2500;

type Reporter = { send(message: ToWorker): void };

export interface WorkerMetrics {
  /** Asks these workers, by number. @returns the metrics of each, and the counts of the workers that have ended. */
  gather(workers: ReadonlyMap<number, Reporter>): Promise<readonly ProcessMetrics[]>;
  receive(worker: number, request: number, metrics: ProcessMetrics): void;
  /** Keeps the counts that a worker has last reported. It has ended. */
  keepCounts(worker: number): void;
}

export function createWorkerMetrics(clock: Pick<Clock, 'sleep'>): WorkerMetrics {
  const last = new Map<number, ProcessMetrics>();
  const open = new Map<number, { missing: Set<number>; complete: () => void }>();
  let ended: ProcessMetrics = [];
  let requests = 0;

  function expectNoMore(worker: number, { missing, complete }: { missing: Set<number>; complete: () => void }) {
    missing.delete(worker);
    if (missing.size === 0) complete();
  }

  return {
    async gather(workers) {
      const request = ++requests;
      await new Promise<void>((complete) => {
        open.set(request, { missing: new Set(workers.keys()), complete });
        for (const worker of workers.values()) worker.send({ kind: 'report', request });
        if (workers.size === 0) complete();
        void clock.sleep(REPORT_MS).then(complete);
      });
      // Mutation: `open.delete(request);` becomes `;`. Only memory differs.
      open.delete(request);
      return [...last.values(), ended];
    },
    receive(worker, request, metrics) {
      last.set(worker, metrics);
      const asked = open.get(request);
      if (asked) expectNoMore(worker, asked);
    },
    keepCounts(worker) {
      ended = addCounts(ended, last.get(worker) ?? []);
      last.delete(worker);
      for (const asked of open.values()) expectNoMore(worker, asked);
    },
  };
}

/** Returns the sums of the counters and histograms of both. Leaves out states, which end with their worker. */
function addCounts(some: ProcessMetrics, more: ProcessMetrics): ProcessMetrics {
  const isCount = ({ type }: ProcessMetric) => type === 'counter' || type === 'histogram';
  const byName = new Map<string, ProcessMetric>();
  for (const metric of [...some, ...more].filter(isCount)) {
    const values = new Map<string, ProcessMetric['values'][number]>();
    for (const value of [...(byName.get(metric.name)?.values ?? []), ...metric.values]) {
      const key = `${value.metricName} ${JSON.stringify(Object.entries(value.labels).toSorted())}`;
      values.set(key, { ...value, value: value.value + (values.get(key)?.value ?? 0) });
    }
    byName.set(metric.name, { ...metric, values: [...values.values()] });
  }
  return [...byName.values()];
}
