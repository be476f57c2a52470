// Spans: the pieces of a trace, each a child of the one under way around it.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace as traces,
} from '@opentelemetry/api';
import type { Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';

export type Spans = ReturnType<typeof createSpans>;

/** What is known of a span when it begins; attributes are our own words, never anybody's input. */
type Beginning = { readonly kind: SpanKind; readonly attributes?: Attributes };

export function createSpans(tracer: Tracer, clock: Clock) {
  const current = new AsyncLocalStorage<Span>();

  const childOf = (parent: Span | undefined): Context => (parent ? traces.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);

  return {
    /** Begins a span that the caller ends; its parent stands in `context`. */
    begin: (name: string, beginning: Beginning, context: Context): Span => tracer.startSpan(name, beginning, context),

    /** Runs `work`, and all that it leads to, as part of `span`. */
    enter: <Result>(span: Span, work: () => Result): Result => current.run(span, work),

    /** Runs `work` as a child of what is under way; when nothing is, it is followed only if it may stand `alone`. */
    async run<Result>(
      name: string,
      { alone = false, ...beginning }: Beginning & { alone?: boolean },
      work: () => Promise<Result>,
    ): Promise<Result> {
      const parent = current.getStore();
      if (!parent && !alone) return work();
      const span = tracer.startSpan(name, beginning, childOf(parent));
      try {
        return await current.run(span, work);
      } catch (error) {
        markFailure(span, error);
        throw error;
      } finally {
        span.end();
      }
    },

    /** Adds a child that has just ended to what is under way, if anything is. */
    add(name: string, { durationMs, failed, ...beginning }: Beginning & { durationMs: number; failed: boolean }) {
      const parent = current.getStore();
      if (!parent) return;
      const end = clock.now();
      const span = tracer.startSpan(name, { ...beginning, startTime: end - durationMs }, childOf(parent));
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(end);
    },
  };
}

/** A refusal is no failure. Messages of errors are left out: they may quote what somebody has sent. */
function markFailure(span: Span, error: unknown) {
  if (error instanceof AuthError) span.setAttribute('latchkey.reason', error.reason);
  if (!(error instanceof AuthError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
