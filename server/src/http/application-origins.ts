// CORS for applications: pages of `browser` applications may call what they sign people in with, and nothing else.
import type { FastifyInstance } from 'fastify';

const PATHS: ReadonlySet<string> = new Set([
  '/oauth/token',
  '/oauth/userinfo',
  '/oauth/revoke',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
]);

/** The headers of answers that pages of other origins may read. */
export const EXPOSED_HEADERS: readonly string[] = ['ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate'];

/** How long a browser keeps the answer to a preflight request, in seconds. */
export const PREFLIGHT_SECONDS = 600;

/** Returns whether a page of an application made this request, to a path that is open to it. */
export type IsOfApplication = (request: {
  readonly url: string;
  readonly headers: { readonly origin?: string | undefined };
}) => boolean;

function isOpen(url: string): boolean {
  const queryAt = url.indexOf('?');
  return PATHS.has(queryAt < 0 ? url : url.slice(0, queryAt));
}

/**
 * Lets pages of these origins read the answers of those paths. No cookie is sent with their requests: the answers allow no
 * credentials.
 * @param origins returns the present ones.
 */
export function openToApplications(app: FastifyInstance, origins: () => readonly string[]): IsOfApplication {
  const isOfApplication: IsOfApplication = ({ url, headers: { origin } }) =>
    origin !== undefined && isOpen(url) && origins().includes(origin);
  app.addHook('onRequest', (request, reply, done) => {
    // Caches keep some of these answers.
    if (isOpen(request.url)) reply.header('vary', 'Origin');
    if (!isOfApplication(request)) return done();
    reply.headers({
      'access-control-allow-origin': request.headers.origin,
      'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    });
    if (request.method !== 'OPTIONS') return done();
    const asked = request.headers['access-control-request-headers'];
    reply.headers({
      'access-control-allow-methods': 'GET, POST',
      'access-control-max-age': PREFLIGHT_SECONDS,
      ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    });
    reply.code(204).send();
  });
  return isOfApplication;
}
