// Tracing by OpenTelemetry: spans of requests and their work, handed to a collector that nobody waits for.
import { SpanKind } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { Trace } from '../foundation/trace.ts';
import type { Database } from '../storage/database.ts';
import { addStatement, traceDatabase } from './database.ts';
import { createRequestTraces } from './requests.ts';
import { createSpans } from './spans.ts';

/** How long a stopping service waits for the collector to take what it has not got yet. */
const FLUSH_MS = 1000;

/** Which traces are recorded, unless the caller's own `traceparent` has decided that. */
export type Sampling = {
  readonly root: 'on' | 'off' | 'ratio';
  /** 0 to 1. */
  readonly ratio: number;
  readonly heedsParent: boolean;
};

export type Tracing = {
  readonly trace: Trace;
  /** What the server asks for the id of each request. */
  readonly requests: ReturnType<typeof createRequestTraces>;
  traceDatabase(database: Database): Database;
  addStatement(statement: { sql: string; durationMs: number; failed: boolean }): void;
  /** Hands over what is left, as far as the collector takes it within {@link FLUSH_MS}. */
  close(): Promise<void>;
};

/** Address and headers of the collector, and the name of the service, come from the standard variables. */
export function openTracing(
  sampling: Sampling,
  { log, clock, version }: { log: Logger; clock: Clock; version: string },
): Tracing {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'latchkey', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(sampling),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportOutages(new OTLPTraceExporter(), log) })],
  });
  const spans = createSpans(provider.getTracer('latchkey', version), clock);
  const ids = new RandomIdGenerator();

  const trace: Trace = (service, names, direction = 'inside') => {
    const alone = direction === 'outgoing';
    const kind = alone ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const followed = Object.entries<string | undefined>(names).map(([method, name = method]) => {
      const call = (service as Record<string, (...given: unknown[]) => Promise<unknown>>)[method];
      return [method, (...given: unknown[]) => spans.run(name, { kind, alone }, async () => call?.(...given))];
    });
    return { ...service, ...Object.fromEntries(followed) };
  };

  return {
    trace,
    requests: createRequestTraces(spans, () => ids.generateTraceId()),
    traceDatabase: (database) => traceDatabase(database, spans),
    addStatement: (statement) => addStatement(spans, statement),
    async close() {
      const flushed = provider.shutdown().catch(() => {});
      await Promise.race([flushed, clock.sleep(FLUSH_MS)]);
    },
  };
}

function createSampler({ root, ratio, heedsParent }: Sampling): Sampler {
  const samplers = {
    on: () => new AlwaysOnSampler(),
    off: () => new AlwaysOffSampler(),
    ratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const sampler = samplers[root]();
  return heedsParent ? new ParentBasedSampler({ root: sampler }) : sampler;
}

/** Says once for an outage that the collector takes nothing, and once that it is back. */
function reportOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  function report({ code, error }: ExportResult) {
    const hasFailed = code !== ExportResultCode.SUCCESS;
    // Only the message: what the collector has answered is nobody's business here.
    if (hasFailed && !isFailing)
      log.warn({ problem: error?.message }, 'the collector of traces takes none: they are lost');
    if (!hasFailed && isFailing) log.info('the collector of traces takes them again');
    isFailing = hasFailed;
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        report(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
