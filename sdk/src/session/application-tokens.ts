// Tokens of an application: people sign in on the pages of the service, by the code flow of OpenID Connect with PKCE.
import * as oauth from 'oauth4webapi';
import { createError } from '../call.ts';
import { type Application, SessionRefused, type SignInOptions } from './interface.ts';
import { CALL_MS, EXCHANGE_MS, type Held, type Origin, type Tokens } from './tokens.ts';

/** What the application keeps while the person signs in. */
export type Begun = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

export interface ApplicationTokens extends Tokens {
  /** Begins a sign-in. @returns the page of the service, and what `complete` needs. */
  begin(options: SignInOptions): Promise<{ url: URL; begun: Begun }>;
  /** Redeems the code of the redirect. @throws SessionRefused if the service refused the sign-in. */
  complete(answer: URLSearchParams, begun: Begun, origin: Origin): Promise<Held>;
  /** Returns the page of the service that signs out. */
  signOutUrl(held: Held | undefined): Promise<URL>;
}

type Options = {
  readonly baseUrl: string;
  readonly serviceUrl: string;
  readonly application: Application;
  readonly fetch: typeof fetch;
};

export function createApplicationTokens({ baseUrl, serviceUrl, application, fetch }: Options): ApplicationTokens {
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

  return {
    outliveToken: true,
    async begin({ prompt, loginHint, acrValues }) {
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const begun = { state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce(), codeVerifier };
      const url = await addressOf('authorization_endpoint');
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state: begun.state,
        nonce: begun.nonce,
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
    async complete(given, { state, nonce, codeVerifier }, origin) {
      const server = await find();
      try {
        const answer = oauth.validateAuthResponse(server, client, given, state);
        const options = optionsFor(origin, EXCHANGE_MS);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          secret,
          answer,
          redirectUri,
          codeVerifier,
          options,
        );
        const checks = { expectedNonce: nonce, requireIdToken: true };
        return toHeld(await oauth.processAuthorizationCodeResponse(server, client, response, checks));
      } catch (error) {
        throw toRefusal(error);
      }
    },
    async refresh({ refreshToken = '', idToken }, origin) {
      try {
        const server = await find();
        const options = optionsFor(origin, EXCHANGE_MS);
        const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options);
        return toHeld(await oauth.processRefreshTokenResponse(server, client, response), idToken);
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
    async end({ token, refreshToken = token }, origin) {
      const response = await oauth.revocationRequest(await find(), client, secret, refreshToken, optionsFor(origin));
      await oauth.processRevocationResponse(response);
    },
    async signOutUrl(held) {
      const url = await addressOf('end_session_endpoint');
      url.searchParams.set('client_id', clientId);
      if (held?.idToken !== undefined) url.searchParams.set('id_token_hint', held.idToken);
      if (postLogoutRedirectUri !== undefined) url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri);
      return url;
    },
  };
}

const toHeld = (answer: oauth.TokenEndpointResponse, former?: string): Held => {
  const idToken = answer.id_token ?? former;
  return {
    token: answer.access_token,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(idToken !== undefined && { idToken }),
  };
};

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
