// Cross-site requests: what a page of another site makes a browser send, to a call that counts or acts.
import type { FastifyInstance } from 'fastify';
import { requestErrors } from '../foundation/errors.ts';
import type { IsOfApplication } from './application-origins.ts';

/** Calls with these methods neither count nor act (RFC 9110, 9.2.1), but `/oauth/authorize`, which judges itself. `OPTIONS` includes preflights. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses cross-site requests of browsers (Fetch Metadata, `Sec-Fetch-Site`), before anything is counted or sent. A form,
 * or `fetch` with `no-cors`, needs no preflight: any page could use up the budgets of its visitors' addresses. Clients
 * that are no browsers send no such header. A route opts out by `acceptsCrossSite`.
 * @param listed the origins of front ends, whose pages may call.
 */
export function refuseCrossSite(
  app: FastifyInstance,
  listed: readonly string[],
  isOfApplication: IsOfApplication,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    const isRefused =
      headers['sec-fetch-site'] === 'cross-site' &&
      !SAFE_METHODS.includes(method) &&
      !listed.includes(headers.origin ?? '') &&
      !routeOptions.config?.acceptsCrossSite &&
      !isOfApplication(request);
    const details = 'If the page is a front end of this service, list its origin in LATCHKEY_CORS_ORIGINS.';
    done(isRefused ? requestErrors.crossSite({ details }) : undefined);
  });
}
