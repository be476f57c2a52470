// Failures: everything that is thrown becomes one answer, which tells the caller what to do and nothing of the inside.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthError, requestErrors, serviceErrors } from '../foundation/errors.ts';
import { wrapError } from './envelope.ts';
import type { FailureLog } from './failure-log.ts';
import type { Paths } from './paths.ts';
import type { RequestTraces } from './traces.ts';

/** What Fastify itself refuses, in our words. */
function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return requestErrors.tooLarge({ details: 'Send at most 64 KiB.' });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return requestErrors.unsupportedMediaType();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return requestErrors.invalid({ cause: error });
  return serviceErrors.error({ cause: error });
}

/** The challenge of a 401 for a bearer token (RFC 6750, 3): without an error code when none was sent. */
function challengeOf({ reason, message }: AuthError): string | undefined {
  if (!reason.startsWith('token.')) return undefined;
  return reason === 'token.missing'
    ? 'Bearer realm="latchkey"'
    : `Bearer realm="latchkey", error="invalid_token", error_description="${message}"`;
}

/** Answers with the error, as the envelope. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown, failureLog: FailureLog): void {
  const known = toAuthError(error);
  const { status, retryAfterSeconds } = known;
  failureLog.note(known, request.id);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const challenge = status === 401 ? challengeOf(known) : undefined;
  if (challenge) reply.header('www-authenticate', challenge);
  reply.header('cache-control', 'no-store');
  reply.code(status).type('application/json; charset=utf-8');
  reply.serializer(JSON.stringify).send(wrapError(known, request.id));
}

/** Answers what is no HTTP, too large a head, or too slow to arrive: there is no request yet to answer with a reply. */
export function createBrokenRequestHandler(traces: RequestTraces, headers: Readonly<Record<string, string>>) {
  const constant = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const known = error.code === 'HPE_HEADER_OVERFLOW' ? requestErrors.tooLarge() : requestErrors.invalid();
    const body = JSON.stringify(wrapError(known, traces.newId()));
    const head = [
      `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}`,
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      ...constant,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

/** Makes every error and every unknown address end in {@link sendError}. */
export function registerFailures(app: FastifyInstance, paths: Paths, failureLog: FailureLog): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error, failureLog));
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsOf(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0) return sendError(request, reply, requestErrors.notFound(), failureLog);
    reply.header('allow', methods.join(', '));
    return sendError(request, reply, requestErrors.methodNotAllowed(), failureLog);
  });
}
