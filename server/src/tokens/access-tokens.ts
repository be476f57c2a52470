// Access tokens: issues them, and verifies them.
import {
  addSeconds,
  type Clock,
  type Instant,
  secondsUntil,
  toInstant,
  toIsoString,
  toNumericDate,
} from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { KeyRing } from './keys.ts';
import { type Session, TWO_FACTORS } from './session.ts';
import { tokenSettings } from './settings.ts';
import { createSignatureVerifier } from './signatures.ts';
import { type Claims, decodeToken, encodeToken } from './token.ts';
import { createTokenVerifier } from './token-verifier.ts';

/** The account that a token is for. Journeys read it from the store each time a token is issued. */
export type TokenSubject = {
  id: number;
  userName: string;
  fullName: string;
  email: string | null;
  roles: readonly string[];
};

export type IssuedToken = { accessToken: string; expireInSeconds: number; expireOn: string };

/** A token with a valid signature that has not expired. Its session may have ended. */
export type VerifiedToken = { sessionId: string; jti: string; accountId: number } & Pick<Claims, 'nbf' | 'exp'>;

/** `nbf` lies this far back, so that a node whose clock is behind accepts what another node has just issued. */
export const NODE_SKEW_SECONDS = 30;

/** A token is signed within this time after its session was written. */
const SIGNING_SECONDS = 60;

/** Returns an instant that no token expires after which is issued now. The session stores it before it is issued. */
export const latestExpiry = (settings: SettingReader, now: Instant): Instant =>
  addSeconds(now, settings.read(tokenSettings).accessTokenLifetime + SIGNING_SECONDS);

export interface AccessTokens {
  issue(subject: TokenSubject, session: Session, jti: string): IssuedToken;
  /** Verifies a token's signature and times. @throws AuthError `token.invalid`, `token.expired`. */
  verify(token: string): Promise<VerifiedToken>;
}

export function createAccessTokens(deps: {
  keys: KeyRing;
  settings: SettingReader;
  issuer: string;
  clock: Clock;
  generation?: number | undefined;
}): AccessTokens {
  const { keys, settings, issuer, clock, generation } = deps;
  const verifySignature = createSignatureVerifier();
  const { remember, verify } = createTokenVerifier<VerifiedToken>({
    keys,
    findKey: keys.find,
    clock,
    generation,
    async decode(token) {
      const claims = await decodeToken(token, issuer, keys.find, verifySignature);
      if (!claims) return undefined;
      const { sid, jti, sub, nbf, exp } = claims;
      return { sessionId: sid, jti, accountId: Number(sub), nbf, exp };
    },
  });

  return {
    issue(subject, session, jti) {
      const { accessTokenLifetime, audience } = settings.read(tokenSettings);
      const issuedAt = toNumericDate(clock.now());
      const latest = Math.min(toNumericDate(session.expiresAt), toNumericDate(session.tokensExpireAt));
      const exp = Math.min(issuedAt + accessTokenLifetime, latest);
      const claims: Claims = {
        iss: issuer,
        aud: audience,
        sub: String(subject.id),
        jti,
        sid: session.id,
        gen: session.generation,
        iat: issuedAt,
        nbf: issuedAt - NODE_SKEW_SECONDS,
        exp,
        auth_time: toNumericDate(session.authenticatedAt),
        amr: [...session.amr],
        acr: session.amr.includes(TWO_FACTORS) ? 'aal2' : 'aal1',
        client_id: session.frontEnd,
        preferred_username: subject.userName,
        name: subject.fullName,
        ...(subject.email !== null && { email: subject.email }),
        roles: [...subject.roles],
      };
      const expiresAt = toInstant(exp * 1000);
      const accessToken = encodeToken(claims, keys.signingKey());
      // The service has just made the signature, and need not verify it.
      remember(accessToken, { sessionId: session.id, jti, accountId: subject.id, nbf: claims.nbf, exp });
      return {
        accessToken,
        expireInSeconds: secondsUntil(expiresAt, toInstant(issuedAt * 1000)),
        expireOn: toIsoString(expiresAt),
      };
    },

    verify,
  };
}
