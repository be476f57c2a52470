// The token request of the code flow, by which a code is redeemed, and the `fetch` with which the library makes requests.
import {
  ClientError,
  type Configuration,
  type CustomFetch,
  genericGrantRequest,
  ResponseBodyError,
} from 'openid-client';
import type { AuthorizationCodeGrant } from '../provider.ts';
import { oauthErrorsOf } from './failures.ts';

/** Returns a `fetch` for the library. */
export const toCustomFetch =
  (limited: typeof fetch): CustomFetch =>
  (url, init) =>
    // The library sends texts and forms only, which every `fetch` takes; its type of a body is wider.
    limited(url, init as RequestInit);

/**
 * Redeems the code by a generic grant: the library's grant for codes changes the redirect URI, which providers compare
 * exactly.
 * @returns the tokens; `undefined` if the provider rejects the code. An ID token is verified, except for its nonce.
 */
export async function redeemCode(config: Configuration, grant: AuthorizationCodeGrant, usesPkce: boolean) {
  const { code, codeVerifier, redirectUri } = grant;
  const parameters = { code, redirect_uri: redirectUri, ...(usesPkce && { code_verifier: codeVerifier }) };
  try {
    return await genericGrantRequest(config, 'authorization_code', parameters);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw error;
  }
}

/** A code that no provider has given. */
const MADE_UP: AuthorizationCodeGrant = {
  code: 'latchkey-test',
  codeVerifier: 'latchkey-test-latchkey-test-latchkey-test-0',
  redirectUri: 'https://latchkey.invalid/',
  nonce: '',
  issuer: undefined,
};

/** The error codes that refuse a client (RFC 6749, 5.2). */
const REFUSED = /^(invalid_client|unauthorized_client)$/;

/**
 * Asks by a made-up code whether the provider knows the client and its secret: it looks at them first.
 * @returns whether the answer tells. @throws ClientError if the provider refuses the client.
 */
export async function checkClient(config: Configuration, usesPkce: boolean): Promise<boolean> {
  try {
    return (await redeemCode(config, MADE_UP, usesPkce)) === undefined;
  } catch (error) {
    if (oauthErrorsOf(error).some((code) => REFUSED.test(code)))
      throw new ClientError('the provider refuses the client id or the client secret');
    return false;
  }
}
