// The standard calls about a token: introspection (RFC 7662) and revocation (RFC 7009).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/index.ts';
import type { SignOff } from '../authentication/index.ts';
import { acceptForms, readForm } from '../contract/forms.ts';
import type { Endpoints } from '../contract/route.ts';
import { requestErrors, unlessRefused } from '../foundation/errors.ts';
import {
  type ClientAuthentication,
  OAuthError,
  readParameters,
  readPresented,
  refuseByStandard,
} from '../oauth/index.ts';
import type { Sessions } from '../tokens/index.ts';
import type { ActiveTokens } from './active-tokens.ts';
import type { ActiveApplicationTokens } from './application-tokens.ts';
import { toApplicationIntrospection, toIntrospection, toRefreshIntrospection } from './dtos.ts';

/** The largest form, in bytes: a token has at most 8 KiB. */
const MAX_FORM_BYTES = 16 * 1024;

const INACTIVE = { active: false };

/** Who asks about tokens must prove who it is (RFC 7662, 2.1). */
const notProven = () => new OAuthError('invalid_client', 'A public application cannot ask about tokens.');

const METHODS_REFUSED = ['GET', 'PUT', 'PATCH', 'DELETE'] as const;

export type IntrospectionDeps = {
  readonly activeTokens: ActiveTokens;
  readonly applicationTokens: ActiveApplicationTokens;
  /** Whether any application is registered. */
  readonly isUsed: () => boolean;
  readonly clientAuthentication: ClientAuthentication;
  readonly issuer: string;
  /** @throws AuthError `serviceKey.invalid`, `serviceKey.forbidden`. */
  readonly authenticate: (key: string | undefined) => Promise<unknown>;
  readonly sessions: Pick<Sessions, 'verify'>;
  readonly signOff: SignOff;
};

export function introspectionEndpoints(deps: IntrospectionDeps): Endpoints {
  const { activeTokens, applicationTokens, isUsed, clientAuthentication, authenticate, sessions, signOff, issuer } =
    deps;

  /** Returns what an application learns of a token: only of its own. */
  async function introspectAs({ clientId, id, grants }: Application, token: string) {
    const active = await applicationTokens.find(token);
    if (active) return active.claims.client_id === clientId ? toApplicationIntrospection(active) : INACTIVE;
    const refreshable = grants.includes('refresh_token') ? await applicationTokens.findRefreshable(token) : undefined;
    const isOwn = refreshable?.grant.applicationId === id;
    return isOwn ? toRefreshIntrospection(refreshable, { clientId, issuer }) : INACTIVE;
  }

  /** Returns what another service learns of a token: of each one that it may accept. */
  async function introspectAny(token: string) {
    const ofService = await activeTokens.find(token);
    const ofApplication = !ofService && isUsed() ? await applicationTokens.find(token) : undefined;
    return ofApplication ? toApplicationIntrospection(ofApplication) : toIntrospection(ofService);
  }

  /** Whether a token is one of a session of this service: also if it is superseded, or restricted. */
  const isOfSession = async (token: string) => (await unlessRefused(() => sessions.verify(token))) !== undefined;

  return (app, { readServiceKey, readOrigin, readBudgetKey }) => {
    async function requireApplication(request: FastifyRequest) {
      const presented = readPresented(request.headers.authorization, readParameters(readForm(request)));
      return clientAuthentication.authenticate(presented, readBudgetKey(request));
    }

    /** Whether a request names an application. HTTP Basic with the name `service` is a service key. */
    function namesApplication(request: FastifyRequest): boolean {
      const { authorization } = request.headers;
      const form = readForm(request);
      if (authorization === undefined) return form.has('client_secret') || form.has('client_assertion');
      return /^basic /i.test(authorization) && readServiceKey(request) === undefined;
    }

    /** Whether a request names an application and proves nothing. */
    const namesPublicApplication = (request: FastifyRequest) =>
      request.headers.authorization === undefined && readForm(request).has('client_id');

    app.register(async (scope) => {
      acceptForms(scope);
      scope.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));

      addPost(scope, '/oauth/introspect', async (request) => {
        if (isUsed() && (namesApplication(request) || namesPublicApplication(request))) {
          const application = await requireApplication(request);
          if (application.authentication === 'none') throw notProven();
          return introspectAs(application, readToken(request));
        }
        // After the body has arrived: the key may have been withdrawn meanwhile.
        await authenticate(readServiceKey(request));
        return introspectAny(readToken(request));
      });

      addPost(scope, '/oauth/revoke', async (request, reply) => {
        const token = readToken(request);
        const grant = isUsed() ? await applicationTokens.findGrant(token) : undefined;
        // A token of the service is its own authority. That of an application takes the application, also when it has ended.
        const isOfApplication = grant ?? (isUsed() && namesApplication(request) && !(await isOfSession(token)));
        if (!isOfApplication) await signOff(token, readOrigin(request));
        else {
          const application = await requireApplication(request);
          if (grant?.applicationId === application.id) {
            await applicationTokens.end(grant, application, readOrigin(request));
          }
        }
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
  scope.post(url, { config, bodyLimit: MAX_FORM_BYTES }, (request, reply) =>
    refuseByStandard(reply, () => handler(request, reply)),
  );
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
