// Bare oidc-provider, with all that it stores in memory: what a refresh takes of the library itself.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export type OidcProviderOptions = {
  /** How many people have signed in to the application. */
  readonly grants: number;
  /** The scopes that each of them has granted. */
  readonly scope: string;
};

/** How to refresh at it. */
export type OidcProviderReady = { readonly port: number; readonly basic: string; readonly refreshTokens: string[] };

/** Longer than a measurement. */
const SECONDS = 86_400;

type Stored = Record<string, unknown> & { grantId?: string };

/** The adapter of its own keeps a thousand entries: fewer than a measurement makes. */
class MemoryAdapter {
  readonly #entries = new Map<string, Stored>();

  async upsert(id: string, entry: Stored) {
    this.#entries.set(id, entry);
  }

  async find(id: string) {
    return this.#entries.get(id);
  }

  async consume(id: string) {
    const entry = this.#entries.get(id);
    if (entry) entry.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string) {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string) {
    for (const [id, entry] of this.#entries) if (entry.grantId === grantId) this.#entries.delete(id);
  }
}

const [{ grants, scope }] = (await once(process, 'message')) as [OidcProviderOptions];
const clientId = 'application';
const secret = randomBytes(32).toString('hex');
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: MemoryAdapter,
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      redirect_uris: ['https://app.example.com/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  scopes: ['openid', 'profile', 'offline_access'],
  rotateRefreshToken: true,
  ttl: { Grant: SECONDS, RefreshToken: SECONDS, AccessToken: SECONDS, IdToken: SECONDS },
  findAccount: (_ctx: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: { devInteractions: { enabled: false } },
});
const client = (await provider.Client.find(clientId)) ?? {};
const refreshTokens: string[] = [];
for (let n = 0; n < grants; n++) {
  const accountId = `user${n}`;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({ accountId, client, grantId, gty: 'authorization_code', scope });
  refreshTokens.push(await token.save());
}
server.on('request', provider.callback());
const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
process.send?.({ port, basic, refreshTokens } satisfies OidcProviderReady);
