// Tokens of an application: people sign in on the pages of the service, by the code flow of OpenID Connect with PKCE.
import * as oauth from 'oauth4webapi';
import { createError } from '../call.ts';
import { type Application, SessionRefused, type SignInOptions } from './interface.ts';
import { CALL_MS, EXCHANGE_MS, type Held, type Origin, type Tokens } from './tokens.ts';

/** What the application keeps while the person signs in. */
export type Begun = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly prompt: SignInOptions['prompt'] | undefined;
  readonly acrValues: SignInOptions['acrValues'] | undefined;
  /** When the sign-in began, in milliseconds since 1970, by the clock of this application. */
  readonly begunAt: number;
};

/**
 * Times in tokens are whole seconds, and one process may complete what another one began, by a clock of its own. The service trusts
 * the clocks of others as far.
 */
const LEEWAY_MS = 30_000;

export interface ApplicationTokens extends Tokens {
  /** Begins a sign-in. @returns the page of the service, and what `complete` needs. */
  begin(options: SignInOptions): Promise<{ url: URL; begun: Begun }>;
  /**
   * Redeems the code of the redirect.
   * @throws SessionRefused if the service refused the sign-in, or the person has not proven what the application asked for.
   */
  complete(answer: URLSearchParams, begun: Begun, origin: Origin): Promise<Held>;
  /** Returns the page of the service that signs out. */
  signOutUrl(held: Held | undefined): Promise<URL>;
}

type Options = {
  readonly baseUrl: string;
  readonly serviceUrl: string;
  readonly application: Application;
  readonly fetch: typeof fetch;
  readonly now: () => number;
};

export function createApplicationTokens(options: Options): ApplicationTokens {
  const { baseUrl, serviceUrl, application, fetch, now } = options;
  const { clientId, clientSecret, redirectUri, postLogoutRedirectUri } = application;
  const client: oauth.Client = { client_id: clientId };
  const secret = oauth.ClientSecretBasic(clientSecret);
  const scope = application.scope ?? 'openid profile email';
  let discovered: Promise<oauth.AuthorizationServer> | undefined;

  const optionsFor = (origin: Origin = {}, milliseconds = CALL_MS) => ({
    // The service itself requires https of all but this machine.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url: string, init: object) =>
      fetch(url.startsWith(baseUrl) ? serviceUrl + url.slice(baseUrl.length) : url, init),
    headers: { ...origin },
    signal: () => AbortSignal.timeout(milliseconds),
  });

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(baseUrl);
    return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, optionsFor()));
  }

  /** Returns the metadata of the service, which do not change while this process runs. */
  async function find(): Promise<oauth.AuthorizationServer> {
    discovered ??= discover();
    return discovered.catch((error) => {
      discovered = undefined;
      throw error;
    });
  }

  async function addressOf(endpoint: 'authorization_endpoint' | 'end_session_endpoint'): Promise<URL> {
    const address = (await find())[endpoint];
    if (address === undefined) throw new Error(`The service has no ${endpoint}.`);
    return new URL(address);
  }

  const end: Tokens['end'] = async ({ token, refreshToken = token }, origin) => {
    const response = await oauth.revocationRequest(await find(), client, secret, refreshToken, optionsFor(origin));
    await oauth.processRevocationResponse(response);
  };

  return {
    outliveToken: true,
    async begin({ prompt, loginHint, acrValues }) {
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const begun = { state, nonce, codeVerifier, prompt, acrValues, begunAt: now() };
      const url = await addressOf('authorization_endpoint');
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        prompt,
        login_hint: loginHint,
        acr_values: acrValues,
      };
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) url.searchParams.set(name, value);
      return { url, begun };
    },
    async complete(given, begun, origin) {
      const server = await find();
      try {
        const answer = oauth.validateAuthResponse(server, client, given, begun.state);
        const options = optionsFor(origin, EXCHANGE_MS);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          secret,
          answer,
          redirectUri,
          begun.codeVerifier,
          options,
        );
        const checks = { expectedNonce: begun.nonce, requireIdToken: true };
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks);
        const held = toHeld(tokens, now());
        const missing = findMissing(begun, oauth.getValidatedIdTokenClaims(tokens) ?? {}, now());
        if (missing === undefined) return held;
        await end(held, origin).catch(() => undefined);
        throw new SessionRefused('unmet_authentication_requirements', missing);
      } catch (error) {
        throw toRefusal(error);
      }
    },
    async refresh({ refreshToken = '', idToken }, origin) {
      try {
        const server = await find();
        const options = optionsFor(origin, EXCHANGE_MS);
        const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options);
        return toHeld(await oauth.processRefreshTokenResponse(server, client, response), now(), idToken);
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return undefined;
        throw toFailure(error);
      }
    },
    async isOpen({ token }, origin) {
      const asked = find().then((server) => oauth.userInfoRequest(server, client, token, optionsFor(origin)));
      const response = await asked.catch((error) => {
        throw toFailure(error);
      });
      await response.body?.cancel();
      if (response.status !== 200 && response.status !== 401) {
        throw toFailure(new Error(`The service answers ${response.status} at its userinfo endpoint.`));
      }
      return response.status === 200;
    },
    end,
    async signOutUrl(held) {
      const url = await addressOf('end_session_endpoint');
      url.searchParams.set('client_id', clientId);
      if (held?.idToken !== undefined) url.searchParams.set('id_token_hint', held.idToken);
      if (postLogoutRedirectUri !== undefined) url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri);
      return url;
    },
  };
}

const toHeld = (answer: oauth.TokenEndpointResponse, receivedAt: number, former?: string): Held => {
  const idToken = answer.id_token ?? former;
  return {
    token: answer.access_token,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(idToken !== undefined && { idToken }),
    receivedAt,
  };
};

/**
 * Returns what the person has not proven of what the application asked for. The service was asked by way of the browser, where the
 * person may have changed the request.
 */
function findMissing({ acrValues, prompt, begunAt }: Begun, claims: Partial<oauth.IDToken>, now: number) {
  const { acr, iat: issuedAt = 0, auth_time: authenticatedAt = Number.NEGATIVE_INFINITY } = claims;
  if (acrValues === 'aal2' && acr !== 'aal2') return 'The person has not proven a second factor. Begin again.';
  // Two durations, because the clock of the service may differ from that of the application.
  const isFresh = (issuedAt - authenticatedAt) * 1000 <= now - begunAt + LEEWAY_MS;
  if (prompt?.includes('login') && !isFresh) return 'The person has not signed in again. Begin again.';
  return undefined;
}

/** Returns the error of a call of the API that has no answer. */
const toFailure = (cause: unknown) =>
  createError('The service cannot tell now whether the session is open.', { cause });

/** Returns the refusal that an error stands for, or the error itself: the service is out of reach, or the application set up wrongly. */
function toRefusal(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    return new SessionRefused(
      error.error,
      error.error_description ?? `The service refused the sign-in: ${error.error}.`,
    );
  }
  if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
    return new SessionRefused('invalid_grant', 'The sign-in took too long, or was completed already. Begin again.');
  }
  return error;
}
