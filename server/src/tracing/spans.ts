// Spans: the pieces of a trace. Each span is a child of the span that is open around it.
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

/** The facts of a span when it begins. Attributes are constants of this program, never a caller's input. */
type Beginning = { readonly kind: SpanKind; readonly attributes?: Attributes };

export function createSpans(tracer: Tracer, clock: Clock) {
  const current = new AsyncLocalStorage<Span>();

  const childOf = (parent: Span | undefined): Context => (parent ? traces.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);

  return {
    /** Begins a span, which the caller ends. `context` holds its parent. */
    begin: (name: string, beginning: Beginning, context: Context): Span => tracer.startSpan(name, beginning, context),

    /** Runs `work`, and all async work that it starts, as part of `span`. */
    enter: <Result>(span: Span, work: () => Result): Result => current.run(span, work),

    /** Runs `work` as a child of the open span. If no span is open, `work` is traced only with `alone`. */
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

    /** Adds a child that has just ended to the open span, if there is one. */
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

/** A refusal (4xx) is no failure of the span. Messages of errors are left out: they may quote a caller's input. */
function markFailure(span: Span, error: unknown) {
  if (error instanceof AuthError) span.setAttribute('latchkey.reason', error.reason);
  if (!(error instanceof AuthError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}
