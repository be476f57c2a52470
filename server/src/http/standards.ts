// What follows public standards and answers without the envelope: keys, discovery, passkeys, health, OpenAPI.
import type { FastifyInstance } from 'fastify';
import { requestErrors } from '../foundation/errors.ts';
import { discoveryOf } from './discovery.ts';
import { createOpenApiDocument, type OpenApiDeps } from './openapi.ts';

/** How long a verifier may keep the key set, in seconds: new keys are published well before they sign. */
const KEY_SET_MAX_AGE = 300;

/** The path of the page on which users manage their own account. */
const ACCOUNT_PAGE = '/app/account';

export type StandardsDeps = {
  issuer: string;
  publicKeys: () => { keys: object[] };
  /** The origins of the pages and apps that may use passkeys. */
  passkeyOrigins: readonly string[];
  /** Whether the settings offer passkeys. */
  arePasskeysOffered: () => boolean;
  /** Rejects while the store is out of reach. */
  ping: () => Promise<void>;
  /** Why the service is not ready for callers, also when the store answers. */
  findUnreadyReason: () => string | undefined;
};

/** JWKS (RFC 7517), discovery, liveness and readiness. */
export function registerStandards(app: FastifyInstance, deps: StandardsDeps): void {
  const { issuer, publicKeys, ping, findUnreadyReason } = deps;
  registerAccountAddresses(app, deps);
  const mayBeKept = { 'cache-control': `public, max-age=${KEY_SET_MAX_AGE}` };
  // Every verifier reads these documents: they are made when they change.
  let [shown, keySet] = [{}, ''];
  app.get('/.well-known/jwks.json', (_request, reply) => {
    const keys = publicKeys();
    if (keys !== shown) [shown, keySet] = [keys, JSON.stringify(keys)];
    reply.headers(mayBeKept).type('application/jwk-set+json').send(keySet);
  });
  const metadata = JSON.stringify(discoveryOf(issuer));
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    app.get(`/.well-known/${name}`, (_request, reply) => {
      reply.headers(mayBeKept).type('application/json; charset=utf-8').send(metadata);
    });
  }
  app.get('/health/live', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/health/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const obstacle = findUnreadyReason() ?? (await findOutage(ping));
    if (obstacle === undefined) return { status: 'ok' };
    reply.code(503);
    return { status: 'unavailable', reason: obstacle };
  });
}

/**
 * Where browsers and password managers send users: to change the password (W3C, A Well-Known URL for Changing Passwords),
 * and to manage passkeys (W3C, Passkey Endpoints). `webauthn` lists the origins that use one relying party (WebAuthn
 * Level 3, 5.11).
 */
function registerAccountAddresses(
  app: FastifyInstance,
  { issuer, passkeyOrigins, arePasskeysOffered }: StandardsDeps,
): void {
  const accountPage = `${issuer}${ACCOUNT_PAGE}`;
  app.get('/.well-known/change-password', async (_request, reply) => reply.redirect(accountPage));
  app.get('/.well-known/passkey-endpoints', async () => {
    if (!arePasskeysOffered()) throw requestErrors.notFound();
    return { enroll: accountPage, manage: accountPage };
  });
  // Browsers read it, for pages.
  const origins = passkeyOrigins.filter((one) => /^https?:/.test(one));
  if (origins.length > 1) app.get('/.well-known/webauthn', async () => ({ origins }));
}

async function findOutage(ping: () => Promise<void>): Promise<string | undefined> {
  try {
    await ping();
    return undefined;
  } catch {
    return 'The database is out of reach.';
  }
}

/** The OpenAPI document: made when a client first asks for it. */
export function registerOpenApi(app: FastifyInstance, deps: OpenApiDeps): void {
  let text: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(createOpenApiDocument(deps));
    reply.header('cache-control', 'no-cache').type('application/json');
    return text;
  });
}
