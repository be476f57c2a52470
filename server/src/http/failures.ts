// Failures: turns every thrown error into an answer that tells the caller what to do, and reveals no internals.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuthError, errorCodeOf, requestErrors, serviceErrors } from '../foundation/errors.ts';
import { wrapError } from './envelope.ts';
import type { FailureLog } from './failure-log.ts';
import type { Paths } from './paths.ts';
import type { RequestTraces } from './traces.ts';

// An import of this module would also load `fetch`, which takes 25 ms at the start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Translates errors of Fastify into ours. */
function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  const code = errorCodeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return requestErrors.tooLarge({ details: 'Send at most 64 KiB.' });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return requestErrors.unsupportedMediaType();
  return isClientError(error) ? requestErrors.invalid({ cause: error }) : serviceErrors.error({ cause: error });
}

function isClientError(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/** Returns the challenge of a 401 for a bearer token (RFC 6750, 3). It has no error code if the caller sent no token. */
function challengeOf({ reason, message }: AuthError): string | undefined {
  if (!reason.startsWith('token.')) return undefined;
  return reason === 'token.missing'
    ? 'Bearer realm="latchkey"'
    : `Bearer realm="latchkey", error="invalid_token", error_description="${message}"`;
}

/** Answers with the error in the envelope. */
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

/** Answers data that is not HTTP, has too large a head, or arrives too slowly. Fastify has no request and reply for it. */
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

/** Answers every error and every unknown address with {@link sendError}. */
export function registerFailures(app: FastifyInstance, paths: Paths, failureLog: FailureLog): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error, failureLog));
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsOf(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0) return sendError(request, reply, requestErrors.notFound(), failureLog);
    reply.header('allow', methods.join(', '));
    return sendError(request, reply, requestErrors.methodNotAllowed(), failureLog);
  });
}
