// Requests in traces: one span each. It continues the trace of a W3C `traceparent`. Errors and logs name the trace's id.
import type { IncomingMessage } from 'node:http';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Spans } from './spans.ts';

const propagator = new W3CTraceContextPropagator();
const headersOf = {
  get: ({ headers }: IncomingMessage, name: string) => (name === 'traceparent' ? headers[name] : undefined),
  keys: () => ['traceparent'],
};

/** @param newTraceId gives the id of data that is no request. */
export function createRequestTraces(spans: Spans, newTraceId: () => string) {
  const openSpans = new WeakMap<IncomingMessage, Span>();

  /** Names the span by the route's pattern: the path itself may hold a secret. */
  function complete({ raw, method, routeOptions: { url: route } }: FastifyRequest, { raw: response }: FastifyReply) {
    const span = openSpans.get(raw);
    if (!span) return;
    if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    response.once('close', () => {
      const { statusCode, writableFinished } = response;
      if (writableFinished) span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500 || !writableFinished) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
  }

  function enter({ raw }: FastifyRequest, work: () => void) {
    const span = openSpans.get(raw);
    if (span) spans.enter(span, work);
    else work();
  }

  return {
    newId(request?: IncomingMessage): string {
      if (!request) return newTraceId();
      const { method = 'GET' } = request;
      const attributes = { 'http.request.method': method };
      const parent = propagator.extract(ROOT_CONTEXT, request, headersOf);
      const span = spans.begin(method, { kind: SpanKind.SERVER, attributes }, parent);
      openSpans.set(request, span);
      return span.spanContext().traceId;
    },
    follow(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) => {
        complete(request, reply);
        enter(request, done);
      });
      // Reading the body loses the async context, so the span is entered again.
      app.addHook('preHandler', (request, _reply, done) => enter(request, done));
    },
  };
}
