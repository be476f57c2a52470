// The token request of the code flow, by which a code is redeemed, and the `fetch` with which the library makes requests.
import { type Configuration, type CustomFetch, genericGrantRequest, ResponseBodyError } from 'openid-client';
import type { AuthorizationCodeGrant } from '../provider.ts';

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
