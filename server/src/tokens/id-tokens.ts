// ID tokens and logout tokens: what the service tells applications about a person and the end of a session, signed.
import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyRing } from './keys.ts';
import { createSignatureVerifier } from './signatures.ts';
import { type Algorithm, contentOf, encodeToken, openToken } from './token.ts';

/** The header `typ`: `JWT` of ID tokens (OpenID Connect Core 2), `logout+jwt` of logout tokens (Back-Channel Logout 2.4). */
export type IdTokenType = 'JWT' | 'logout+jwt';

/** The claims without `iss`. A claim `scope` is only in access tokens. */
export type IdTokenClaims = Readonly<Record<string, unknown>> & { readonly scope?: never };

export interface IdTokens {
  /** Signs claims, and `iss`, with the present key of the algorithm. Returns the token. */
  sign(token: { typ: IdTokenType; claims: IdTokenClaims; algorithm: Algorithm }): Promise<string>;
  /**
   * Returns the claims of a token of this type that a published key of the service has signed, or `undefined`. It does not
   * check the times: an expired ID token is still a hint (RP-Initiated Logout, 2).
   */
  verify(token: string, typ: IdTokenType): Promise<Record<string, unknown> | undefined>;
  /** Makes the first RSA key if there is none, so that the first sign-in need not wait for it. */
  ensureKeys(): Promise<void>;
}

const signOnPool = promisify(sign);

/**
 * Returns the text that a token begins with. The members have another order than in access tokens, so that their verification
 * refuses an ID token by its header.
 */
const headerOf = (kid: string, alg: Algorithm, typ: IdTokenType): string =>
  Buffer.from(JSON.stringify({ alg, kid, typ })).toString('base64url');

const algorithmOf = ({ asymmetricKeyType }: KeyObject): Algorithm => (asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256');

export function createIdTokens(deps: { keys: KeyRing; idTokenKeys: KeyRing; issuer: string }): IdTokens {
  const { keys, idTokenKeys, issuer } = deps;
  const verifySignature = createSignatureVerifier();

  return {
    async sign({ typ, claims, algorithm }) {
      const isRsa = algorithm === 'RS256';
      if (isRsa) await idTokenKeys.ensure();
      const { kid, privateKey } = (isRsa ? idTokenKeys : keys).signingKey();
      const header = headerOf(kid, algorithm, typ);
      const all = { ...claims, iss: issuer };
      if (!isRsa) return encodeToken(all, { header, privateKey });
      const content = contentOf(header, all);
      return `${content}.${(await signOnPool('sha256', Buffer.from(content), privateKey)).toString('base64url')}`;
    },
    verify(token, typ) {
      const findKey = (header: string) =>
        [...keys.all(), ...idTokenKeys.all()].find(
          ({ kid, publicKey }) => headerOf(kid, algorithmOf(publicKey), typ) === header,
        );
      return openToken(token, issuer, findKey, verifySignature);
    },
    ensureKeys: idTokenKeys.ensure,
  };
}
