// The call of reverse proxies: may this request pass, and who sends it? (nginx `auth_request`, `forwardAuth`, `ext_authz`)
import type { FastifyRequest } from 'fastify';
import { announcesBody, hasSeveralAuthorizations, identityHeaders, readDemands } from '../contract/forward-auth.ts';
import type { Endpoints } from '../contract/route.ts';
import type { Roles } from '../roles/index.ts';
import { tokenErrors } from '../tokens/index.ts';
import type { ActiveTokens } from './active-tokens.ts';
import { identityOf, requireDemands } from './forward-auth.ts';

const PATH = '/api/forward-auth';

// An import of this module would also load `fetch`, which takes 25 ms at the start.
const { METHODS } = process.getBuiltinModule('node:http');

export function forwardAuthEndpoints(deps: { activeTokens: ActiveTokens; roles: Roles }): Endpoints {
  const { activeTokens, roles } = deps;

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
          const identity = identityOf(await activeTokens.require(requireToken(request)));
          requireDemands(identity, demands, roles.isIn);
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

/** Whether a path follows that of the call. Envoy adds that of the original request, and accepts no other status than 200. */
const hasMorePath = ({ originalUrl }: FastifyRequest): boolean => /^[^?]*\/forward-auth\//i.test(originalUrl);
