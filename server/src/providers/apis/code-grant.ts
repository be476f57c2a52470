// The token request of the code flow, by which a code is redeemed.
import { type Configuration, genericGrantRequest, ResponseBodyError } from 'openid-client';
import type { AuthorizationCodeGrant } from '../provider.ts';

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
