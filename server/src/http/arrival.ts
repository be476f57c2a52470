// Arrival: what holds for every request before its route is asked, and for every answer.
import type { FastifyInstance } from 'fastify';
import { requestErrors } from '../foundation/errors.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Headers of every answer that is no page: a browser shows it in no frame, loads nothing for it, and guesses no type.
 * @param isHttps whether the public URL is https: then browsers are told to use nothing else (HSTS, RFC 6797).
 */
export function answerHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(isHttps && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
}

/** Gives every answer these headers, and refuses requests that name two hosts (RFC 9112, 3.2). */
export function registerArrival(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    reply.headers(headers);
    done(hasTwoHosts(raw.rawHeaders) ? requestErrors.invalid({ details: 'Send one Host header.' }) : undefined);
  });
}

/** Node keeps the first one, and a proxy in front may have decided by the other. @param rawHeaders names and values in turn. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    // Most names are told apart by their length alone: this is done for every request.
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
