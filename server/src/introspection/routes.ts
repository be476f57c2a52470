// The standard calls about a token: introspection (RFC 7662) and revocation (RFC 7009).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignOff } from '../authentication/index.ts';
import { acceptForms } from '../contract/forms.ts';
import type { Endpoints } from '../contract/route.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { ActiveTokens } from './active-tokens.ts';
import { toIntrospection } from './dtos.ts';

/** The largest form, in bytes: a token has at most 8 KiB. */
const MAX_FORM_BYTES = 16 * 1024;

const METHODS_REFUSED = ['GET', 'PUT', 'PATCH', 'DELETE'] as const;

export type IntrospectionDeps = {
  readonly activeTokens: ActiveTokens;
  /** @throws AuthError `serviceKey.invalid`, `serviceKey.forbidden`. */
  readonly authenticate: (key: string | undefined) => Promise<unknown>;
  readonly signOff: SignOff;
};

export function introspectionEndpoints({ activeTokens, authenticate, signOff }: IntrospectionDeps): Endpoints {
  return (app, { readServiceKey, readOrigin }) => {
    app.register(async (scope) => {
      acceptForms(scope);
      scope.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));

      addPost(scope, '/oauth/introspect', async (request) => {
        // After the body has arrived: the key may have been withdrawn meanwhile.
        await authenticate(readServiceKey(request));
        return toIntrospection(await activeTokens.find(readToken(request)));
      });

      addPost(scope, '/oauth/revoke', async (request, reply) => {
        await signOff(readToken(request), readOrigin(request));
        return reply.send();
      });
    });
  };
}

/** Adds a call that other methods cannot make: the query of a GET would carry the token into logs. */
function addPost(
  scope: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  const config = { errorFormat: 'oauth' } as const;
  scope.post(url, { config, bodyLimit: MAX_FORM_BYTES }, handler);
  scope.route({
    method: [...METHODS_REFUSED],
    url,
    config,
    onRequest: async (_request, reply) => {
      reply.header('allow', 'POST');
      throw requestErrors.methodNotAllowed();
    },
    handler: async () => undefined,
  });
}

/** @throws AuthError `request.invalid`. */
function readToken({ body }: FastifyRequest): string {
  const [token, ...more] = body instanceof URLSearchParams ? body.getAll('token') : [];
  if (!token || more.length > 0) throw requestErrors.invalid({ details: 'Send one member token in the form.' });
  return token;
}
