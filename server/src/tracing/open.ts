// Tracing by OpenTelemetry: spans of requests and their work, exported to a collector in the background.
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

/** How long a stopping service waits until the collector has taken the remaining spans. */
const FLUSH_MS = 1000;

/** Which traces are recorded. */
export type Sampling = {
  readonly root: 'on' | 'off' | 'ratio';
  /** 0 to 1. */
  readonly ratio: number;
  /** Whether the caller's `traceparent` decides, if there is one. */
  readonly isParentBased: boolean;
};

export type Tracing = {
  readonly trace: Trace;
  /** The server's source of request ids. */
  readonly requests: ReturnType<typeof createRequestTraces>;
  traceDatabase(database: Database): Database;
  addStatement(statement: { sql: string; durationMs: number; failed: boolean }): void;
  /** Exports the remaining spans, if the collector takes them within 1 s. */
  close(): Promise<void>;
};

/** Opens tracing. The standard variables give the collector's address and headers, and the name of the service. */
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
    const traced = Object.entries<string | undefined>(names).map(([method, name = method]) => {
      const call: unknown = Reflect.get(service, method);
      if (typeof call !== 'function') throw new Error(`There is no method "${method}" to trace.`);
      return [method, (...given: unknown[]) => spans.run(name, { kind, alone }, async () => call(...given))];
    });
    return { ...service, ...Object.fromEntries(traced) };
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

function createSampler({ root, ratio, isParentBased }: Sampling): Sampler {
  const samplers = {
    on: () => new AlwaysOnSampler(),
    off: () => new AlwaysOffSampler(),
    ratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const sampler = samplers[root]();
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler;
}

/** Logs the begin and the end of an outage of the collector once each. */
function reportOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  function report({ code, error }: ExportResult) {
    const hasFailed = code !== ExportResultCode.SUCCESS;
    // Only the message: the error also holds the collector's answer.
    if (hasFailed && !isFailing)
      log.warn({ problem: error?.message }, 'the trace collector accepts no traces: they are lost');
    if (!hasFailed && isFailing) log.info('the trace collector accepts traces again');
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
