// The call of reverse proxies: may this request pass, and who sends it? (nginx `auth_request`, `forwardAuth`, `ext_authz`)
import type { FastifyRequest } from 'fastify';
import {
  announcesBody,
  type Demands,
  hasSeveralAuthorizations,
  identityHeaders,
  readAudiences,
  readDemands,
} from '../contract/forward-auth.ts';
import type { Endpoints } from '../contract/route.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Roles } from '../roles/index.ts';
import { tokenErrors } from '../tokens/index.ts';
import type { ActiveTokens } from './active-tokens.ts';
import type { ActiveApplicationTokens } from './application-tokens.ts';
import { type Behind, requireIdentity } from './forward-auth.ts';

const PATH = '/api/forward-auth';

// An import of this module would also load `fetch`, which takes 25 ms at the start.
const { METHODS } = process.getBuiltinModule('node:http');

export function forwardAuthEndpoints(deps: {
  activeTokens: ActiveTokens;
  applicationTokens: ActiveApplicationTokens;
  roles: Roles;
}): Endpoints {
  const { activeTokens, applicationTokens, roles } = deps;

  /** Returns what is behind a token of the service, or one of an application that has all of these audiences. */
  async function requireActive(token: string, audiences: readonly string[]): Promise<Behind> {
    if (audiences.length === 0) return activeTokens.require(token);
    try {
      const { claims, account } = await applicationTokens.require(token);
      // An application that acts for itself is nobody.
      if (!account || !audiences.every((audience) => audience === claims.aud)) throw tokenErrors.invalid();
      return { claims, account };
    } catch (error) {
      if (!isRefusal(error) || error.reason !== tokenErrors.invalid.reason) throw error;
      return activeTokens.require(token);
    }
  }

  return (app, { readToken }) => {
    for (const method of METHODS) {
      if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
    }
    for (const url of [PATH, `${PATH}/*`]) {
      app.route({
        method: app.supportedMethods,
        url,
        exposeHeadRoute: false,
        // A preflight of the application's own must not pass as a preflight of this service. Whether other sites may
        // call the application is for the application to say.
        config: { cors: false, acceptsCrossSite: true },
        // Answers before the body, which may never come.
        async onRequest(request, reply) {
          reply.header('cache-control', 'no-store');
          if (announcesBody(request)) reply.header('connection', 'close');
          const demands = readDemands(request.url);
          const behind = await requireActive(requireToken(request), findAudiences(request, demands));
          const identity = requireIdentity(behind, demands, roles.isIn);
          return reply
            .code(hasMorePath(request) ? 200 : 204)
            .headers(identityHeaders(identity))
            .send();
        },
        handler: async () => undefined,
      });
    }

    /** @throws AuthError `token.missing`; `token.invalid` if the application could read another token than this service. */
    function requireToken(request: FastifyRequest): string {
      if (hasSeveralAuthorizations(request.raw.rawHeaders)) throw tokenErrors.invalid();
      const token = readToken(request);
      if (token === undefined) throw tokenErrors.missing();
      return token;
    }
  };
}

/**
 * Returns the audiences that the proxy demands. None, if the client may have written them: Caddy adds the query of the original request
 * to a call without one, and names that request's address.
 */
function findAudiences(request: FastifyRequest, { audiences }: Demands): readonly string[] {
  const original = readAudiences(String(request.headers['x-forwarded-uri'] ?? ''));
  return hasMorePath(request) || audiences.some((audience) => original.includes(audience)) ? [] : audiences;
}

/** Whether a path follows that of the call. Envoy adds that of the original request, and accepts no other status than 200. */
const hasMorePath = ({ originalUrl }: FastifyRequest): boolean => /^[^?]*\/forward-auth\//i.test(originalUrl);
