// Authorization requests: the service makes the request of the code flow, and redeems its response once.
import { createHash } from 'node:crypto';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Database } from '../storage/database.ts';
import { externalErrors } from './declarations.ts';
import type { IdentifiedUser } from './profile.ts';
import { type AuthorizationRequestForm, isSameKey } from './provider.ts';
import type { Providers, SignInPage } from './providers.ts';
import type { AuthorizationRequestStore } from './store.sql.ts';

/** A person may register at the provider, or find a second factor, before the response comes. */
const LIFETIME_SECONDS = 1800;
const REQUEST_BYTES = 32;
const CLEANUP_BATCH = 500;

/** Where a front end sends the browser. */
export type AuthorizationRequest = SignInPage & {
  /**
   * The secret that binds the response to this browser. The front end keeps it and sends it to no provider. `null` if the
   * provider has no code flow: then `address` is the provider's page, and the front end adds parameters of its own.
   */
  readonly request: string | null;
  /** Whether the page may repeat a request that the provider refuses by the hybrid flow, without the service. */
  readonly mayBeHybrid: boolean;
};

/** A response of the code flow, as a front end has received it, with the secret of its request. It is untrusted. */
export type AuthorizationResponse = {
  readonly authProvider: string;
  readonly request: string;
  readonly state: string;
  readonly code: string;
  /** The issuer that the response names (RFC 9207), if it names one. */
  readonly iss?: string | null | undefined;
  /** What the provider posted about the person beside the code, as JSON (Apple). */
  readonly user?: string | null | undefined;
};

export interface AuthorizationRequests {
  /**
   * Begins a sign-in at a provider: code flow with PKCE by S256, `nonce` and `state` (RFC 6749, 7636; OpenID Connect
   * Core 1.0, 3.1.2.1).
   * @throws AuthError `external.unknownProvider`, `external.unavailable`.
   */
  begin(name: string, redirectUri: string): Promise<AuthorizationRequest>;
  /**
   * Ends the sign-in: uses the request up, and redeems the code at the provider that the request went to.
   * @throws AuthError as {@link Providers.identify}; `external.couldNotValidate` also for a response to no open request.
   */
  redeem(response: AuthorizationResponse): Promise<IdentifiedUser>;
  /** Deletes one batch of expired requests. */
  deleteExpired(): Promise<void>;
}

export function createAuthorizationRequests(deps: {
  database: Database;
  store: AuthorizationRequestStore;
  providers: Providers;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): AuthorizationRequests {
  const { database, store, providers, secrets, clock, random } = deps;
  const macOf = (request: string) => secrets.mac('authorization-request', request);

  /** Derives what the request and its response must hold, so that the store needs to keep none of it. */
  const derive = (request: string) => ({
    state: secrets.mac('authorization-state', request),
    nonce: secrets.mac('authorization-nonce', request),
    codeVerifier: secrets.mac('authorization-code-verifier', request),
  });

  return {
    async begin(name, redirectUri) {
      const page = await providers.findAuthorizationPage(name);
      const { address, clientId, mayBeHybrid, responseType, form, source } = page;
      if (responseType !== 'code') return { address, clientId, request: null, mayBeHybrid };
      const request = random.bytes(REQUEST_BYTES).toString('base64url');
      const expiresAt = addSeconds(clock.now(), LIFETIME_SECONDS);
      const stored = { mac: macOf(request), provider: source, redirectUri, expiresAt };
      await database.transaction((tx) => store.add(tx.sql, stored));
      const url = toRequestUrl({ address, clientId, redirectUri, form, ...derive(request) });
      return { address: url, clientId, request, mayBeHybrid };
    },

    async redeem({ authProvider: name, request, state: given, code, iss, user }) {
      const source = providers.findSource(name);
      const { state, nonce, codeVerifier } = derive(request);
      const refuse = (why: string) =>
        externalErrors.couldNotValidate({ cause: new Error(`Provider "${name}": ${why}`) });
      if (!isSameKey(given, state)) throw refuse('the response has another "state" than its request');
      const stored = await database.transaction((tx) => store.take(tx.sql, macOf(request), source, clock.now()));
      if (!stored) throw refuse('the response belongs to no open request');
      return providers.redeem(name, source, {
        code,
        codeVerifier,
        redirectUri: stored.redirectUri,
        nonce,
        issuer: iss ?? undefined,
        user: user ?? undefined,
      });
    },

    deleteExpired: () => store.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}

function toRequestUrl(given: {
  address: string;
  clientId: string;
  redirectUri: string;
  form: AuthorizationRequestForm;
  codeVerifier: string;
  nonce: string;
  state: string;
}): string {
  const { scopes, parameters, responseMode, usesPkce, usesNonce } = given.form;
  const url = new URL(given.address);
  const all = {
    ...parameters,
    response_type: 'code',
    response_mode: responseMode,
    client_id: given.clientId,
    redirect_uri: given.redirectUri,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(usesPkce && {
      code_challenge: createHash('sha256').update(given.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
    ...(usesNonce && { nonce: given.nonce }),
    state: given.state,
  };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  // Apple's native sign-in sheet does not read a plus as a space. A plus of a value is %2B here.
  url.search = url.search.replaceAll('+', '%20');
  return url.href;
}
