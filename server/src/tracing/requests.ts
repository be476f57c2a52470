// Requests in traces: one span each, whose trace a W3C `traceparent` may continue, and whose id errors and logs name.
import type { IncomingMessage } from 'node:http';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Spans } from './spans.ts';

const propagator = new W3CTraceContextPropagator();
const headersOf = {
  get: ({ headers }: IncomingMessage, name: string) => (name === 'traceparent' ? headers[name] : undefined) as string,
  keys: () => ['traceparent'],
};

/** @param newTraceId of what is no request. */
export function createRequestTraces(spans: Spans, newTraceId: () => string) {
  const underWay = new WeakMap<IncomingMessage, Span>();

  /** Of the address only the route's pattern is told: what stands in its place may be a secret. */
  function follow({ raw, method, routeOptions: { url: route } }: FastifyRequest, { raw: response }: FastifyReply) {
    const span = underWay.get(raw);
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
    const span = underWay.get(raw);
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
      underWay.set(request, span);
      return span.spanContext().traceId;
    },
    follow(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) => {
        follow(request, reply);
        enter(request, done);
      });
      // What reads the body of a request goes on outside of what its reading began in.
      app.addHook('preHandler', (request, _reply, done) => enter(request, done));
    },
  };
}
