// Metrics: counts and durations for Prometheus, without a name, address or token in any label.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { messageActions } from '../delivery/index.ts';
import type { Events } from '../foundation/events.ts';

/** A state of the service, read at each scrape. It is a counter if its name ends in `_total`. */
export type ServiceGauge = {
  readonly name: string;
  readonly help: string;
  /** Label names. Their values are few and known beforehand: never what a caller has sent. */
  readonly labels?: readonly string[];
  /** How `/metrics` combines the values of a node's workers. Default: their sum. */
  readonly ofWorkers?: 'min' | 'max';
  /** If it rejects, the metric is left out. */
  readonly read: () => Promise<readonly Sample[]> | readonly Sample[];
};

export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

/** A metric of one process, with its values. `aggregator` says how those of several workers are combined. */
export type ProcessMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number | undefined>>;
    /** The series of a histogram that the value belongs to. */
    readonly metricName?: string;
  }[];
};
export type ProcessMetrics = readonly ProcessMetric[];

/** The metrics of all workers of a node. */
export interface NodeMetrics {
  /** Sets what this process reports. */
  contribute(read: () => Promise<ProcessMetrics>): void;
  /** Returns the reports of all workers. @throws AuthError `service.unavailable` if the supervisor does not answer. */
  gather(): Promise<readonly ProcessMetrics[]>;
}

export type MetricsDeps = {
  events: Events;
  gauges: readonly ServiceGauge[];
  /** Whether the request needs no token. */
  isOpenTo: (request: FastifyRequest) => boolean;
  /** Rejects with a 401 or 403 unless the token's owner may read metrics. */
  requireMaintainer: (request: FastifyRequest) => Promise<unknown>;
  /** If the node has several workers: any of them answers for all. */
  node?: NodeMetrics | undefined;
};

/** The aggregators in place of some of prom-client: an average hides the worker that is slow, or was started again. */
const aggregators: Readonly<Record<string, string>> = { average: 'max', omit: 'max' };

/** Serves `/metrics` to requests that need no token, and to callers with the permission `pages:maintenance`. */
export function registerMetrics(app: FastifyInstance, deps: MetricsDeps): void {
  const { events, gauges, isOpenTo, requireMaintainer, node } = deps;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const gauge of gauges) addGauge(registry, gauge);
  const requests = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time from a request to its answer, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const occurrences = new Counter({
    name: 'latchkey_events_total',
    help: 'Events by action, outcome and reason. Repeated refusals count each time, even if they share one audit entry.',
    labelNames: ['action', 'outcome', 'reason'] as const,
    registers: [registry],
  });
  const messages = new Counter({
    name: 'latchkey_messages_total',
    help: 'Settled messages by means, channel and end: sent, failed or dropped.',
    labelNames: ['means', 'channel', 'end'] as const,
    registers: [registry],
  });
  const messageEnds = new Map(Object.entries(messageActions).map(([end, { name }]) => [name, end]));
  events.subscribe(({ action, outcome, reason, details }) => {
    occurrences.inc({ action: action.name, outcome, reason: reason ?? '' });
    const end = messageEnds.get(action.name);
    if (end) messages.inc({ means: String(details?.means), channel: String(details?.channel), end });
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    };
    requests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  node?.contribute(() => readRegistry(registry));
  const render = async () => (node ? AggregatorRegistry.aggregate([...(await node.gather())]) : registry).metrics();
  app.get('/metrics', async (request, reply) => {
    if (!isOpenTo(request)) await requireMaintainer(request);
    reply.header('cache-control', 'no-store').type(registry.contentType);
    return render();
  });
}

async function readRegistry(registry: Registry): Promise<ProcessMetrics> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    // The types of prom-client take it for a number.
    type: String(type),
    aggregator: aggregators[aggregator] ?? aggregator,
    values: values.map(({ value, labels = {}, ...more }) => ({ value, labels: { ...labels }, ...more })),
  }));
}

function addGauge(registry: Registry, { name, help, labels = [], ofWorkers, read }: ServiceGauge) {
  const Metric = name.endsWith('_total') ? Counter : Gauge;
  new Metric({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    aggregator: ofWorkers ?? 'sum',
    async collect() {
      const samples = await Promise.try(read).catch(() => []);
      // From here on in one step: another scrape may read at the same time.
      this.reset();
      if (labels.length === 0) this.remove();
      for (const { labels: of = {}, value } of samples) this.inc(of, value);
    },
  });
}
