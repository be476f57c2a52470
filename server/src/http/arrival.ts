// Arrival: the check that every request passes before its route, and the headers of every answer.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { requestErrors } from '../foundation/errors.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Returns the headers of every answer that is not a page. A browser then shows it in no frame, loads nothing for it and
 * does not guess its type.
 * @param isHttps whether the public URL is https. Browsers then use https only (HSTS, RFC 6797).
 */
export function answerHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(isHttps && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
}

/**
 * Adds the headers to every answer, rejects requests with two `Host` headers (RFC 9112, 3.2), and ignores the
 * `Content-Type` of a request without a body.
 */
export function registerArrival(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    reply.headers(headers);
    // Fastify rejects a type that it cannot parse, such as an empty one.
    if (hasNoBody(raw.headers)) delete raw.headers['content-type'];
    done(hasTwoHosts(raw.rawHeaders) ? requestErrors.invalid({ details: 'Send one Host header.' }) : undefined);
  });
}

/** Whether the headers announce no body (RFC 9112, 6.3). */
function hasNoBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
}

/** Node keeps the first one, but a proxy may have used the other. @param rawHeaders alternating names and values. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    // The length alone excludes most names: this loop runs for every request.
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
