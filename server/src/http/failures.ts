// Failures: turns every thrown error into an answer that tells the caller what to do, and reveals no internals.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES } from '../contract/input.ts';
import { AuthError, errorCodeOf, isRefusal, requestErrors, serviceErrors } from '../foundation/errors.ts';
import { forwardAuthErrors } from '../introspection/index.ts';
import { toOAuthError, wrapError } from './envelope.ts';
import type { FailureLog } from './failure-log.ts';
import type { Paths } from './paths.ts';
import type { RequestTraces } from './traces.ts';

// An import of this module would also load `fetch`, which takes 25 ms at the start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Translates errors of Fastify into ours. @param bodyLimit of the route, in bytes. */
function toAuthError(error: unknown, bodyLimit = MAX_BODY_BYTES): AuthError {
  if (error instanceof AuthError) return error;
  const code = errorCodeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return requestErrors.tooLarge({ details: `Send at most ${bodyLimit / 1024} KiB.` });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const details = 'The header Content-Type is malformed. Name the media type of the body.';
    return requestErrors.unsupportedMediaType({ details });
  }
  return isClientError(error) ? requestErrors.invalid({ cause: error }) : serviceErrors.error({ cause: error });
}

function isClientError(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/**
 * Returns the challenge of a refused token or service key (RFC 6750, 3; RFC 9470, 3). It has no error code if the caller
 * sent none. @param authorization the header of the request, whose scheme the challenge follows (RFC 6749, 5.2).
 */
function challengeOf({ status, reason, message }: AuthError, authorization = ''): string | undefined {
  const bearer = 'Bearer realm="latchkey"';
  const withCode = (code: string) => `${bearer}, error="${code}", error_description="${message}"`;
  if (reason === forwardAuthErrors.levelTooLow.reason)
    return `${withCode('insufficient_user_authentication')}, acr_values="aal2"`;
  if (reason.startsWith('serviceKey.')) {
    if (status === 403) return withCode('insufficient_scope');
    if (status !== 401) return undefined;
    if (/^basic /i.test(authorization)) return 'Basic realm="latchkey", charset="UTF-8"';
    return authorization === '' ? bearer : withCode('invalid_token');
  }
  if (status !== 401 || !reason.startsWith('token.')) return undefined;
  return reason === 'token.missing' ? bearer : withCode('invalid_token');
}

/** Answers with the error, in the envelope or in the format that the route declares. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown, failureLog: FailureLog): void {
  const known = toAuthError(error, request.routeOptions.bodyLimit);
  const { status, retryAfterSeconds } = known;
  failureLog.note(known, request.id);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const challenge = challengeOf(known, request.headers.authorization);
  if (challenge) reply.header('www-authenticate', challenge);
  reply.header('cache-control', 'no-store');
  reply.code(status).type('application/json; charset=utf-8');
  const isOAuth = request.routeOptions.config?.errorFormat === 'oauth';
  reply.serializer(JSON.stringify).send(isOAuth ? toOAuthError(known) : wrapError(known, request.id));
}

function toBrokenRequestError(code: string | undefined): AuthError {
  if (code === 'HPE_HEADER_OVERFLOW') return requestErrors.tooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestErrors.tooSlow() : requestErrors.invalid();
}

/** Answers data that is not HTTP, has too large a head, or arrives too slowly. Fastify has no request and reply for it. */
export function createBrokenRequestHandler(traces: RequestTraces, headers: Readonly<Record<string, string>>) {
  const constant = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const known = toBrokenRequestError(error.code);
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

/** Answers every error and every unknown address with {@link sendError}. @param onRefused is called after the answer. */
export function registerFailures(
  app: FastifyInstance,
  paths: Paths,
  failureLog: FailureLog,
  onRefused: (refusal: AuthError, request: FastifyRequest) => void,
): void {
  app.setErrorHandler((error, request, reply) => {
    sendError(request, reply, error, failureLog);
    if (isRefusal(error)) onRefused(error, request);
  });
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsOf(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0) return sendError(request, reply, requestErrors.notFound(), failureLog);
    reply.header('allow', methods.join(', '));
    return sendError(request, reply, requestErrors.methodNotAllowed(), failureLog);
  });
}
