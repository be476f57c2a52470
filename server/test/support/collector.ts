// A real trace collector for tests: accepts OTLP/HTTP as JSON, and fails on demand.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A span as it arrived. */
export type CollectedSpan = {
  name: string;
  /** 1 internal, 2 a request (server), 3 an outgoing call (client). */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 2: failed. */
  status: number;
  attributes: Record<string, string | number>;
};

export interface Collector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Of the service that sent the spans. */
  readonly resource: Record<string, string | number>;
  /** Everything received, unparsed, headers included. */
  readonly received: readonly { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Resolves to the first span for which this holds. */
  find(matches: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** From now on: never answers, or answers with this status. @returns resolves after the first such request. */
  fail(how: number | 'hang'): Promise<void>;
  /** How many requests are hanging now. */
  hanging(): number;
  stop(): Promise<void>;
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attributes = { key: string; value: Value }[];
type RawSpan = Omit<CollectedSpan, 'status' | 'attributes'> & { status?: { code?: number }; attributes?: Attributes };
type Batch = {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: RawSpan[] }[] }[];
};

const PATIENCE_MS = 120_000;
const LOOK_MS = 20;

/** Starts on its own port on 127.0.0.1. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: Collector['received'][number][] = [];
  const resource: Record<string, string | number> = {};
  const hanging = new Set<object>();
  let fault: { how: number | 'hang'; onAsked: () => void } | undefined;

  const server = createServer(async (request, response) => {
    const body = await readText(request).catch(() => undefined);
    if (body === undefined) return;
    const { how = 200, onAsked } = fault ?? {};
    onAsked?.();
    if (how === 'hang') {
      hanging.add(request);
      return void response.once('close', () => hanging.delete(request));
    }
    response.writeHead(how, { 'content-type': 'application/json' }).end('{}');
    if (how !== 200) return;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    for (const { resource: from, scopeSpans } of (JSON.parse(body) as Batch).resourceSpans) {
      Object.assign(resource, toRecord(from.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, status: span.status?.code ?? 0, attributes: toRecord(span.attributes ?? []) });
      }
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    spans,
    resource,
    received,
    async find(matches) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = spans.find(matches);
        if (found) return found;
        if (Date.now() > deadline) throw new Error(`It did not arrive, but: ${JSON.stringify(spans, undefined, 2)}`);
        await sleep(LOOK_MS);
      }
    },
    fail(how) {
      const { promise, resolve: onAsked } = Promise.withResolvers<void>();
      fault = { how, onAsked };
      return promise;
    },
    hanging: () => hanging.size,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function toRecord(attributes: Attributes): Record<string, string | number> {
  const read = ({ stringValue, intValue, doubleValue }: Value) => stringValue ?? Number(intValue ?? doubleValue);
  return Object.fromEntries(attributes.map(({ key, value }) => [key, read(value)]));
}
