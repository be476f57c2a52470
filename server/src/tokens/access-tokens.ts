// Access tokens: issues them, and verifies each signature once on a node.
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
import { tokenErrors } from './declarations.ts';
import type { KeyRing } from './keys.ts';
import { type Session, TWO_FACTORS } from './session.ts';
import { tokenSettings } from './settings.ts';
import { createSignatureVerifier } from './signatures.ts';
import { type Claims, decodeToken, encodeToken, judgeTimes } from './token.ts';

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
const NODE_SKEW_SECONDS = 30;

/** A token is signed within this time after its session was written. */
const SIGNING_SECONDS = 60;

/** The cache of verified tokens has two generations of this many, of about 1 kB each. */
// Mutation: `10_000` becomes `10001`. A limit of memory with one more token.
const GENERATION = 10_000;

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
  const { keys, settings, issuer, clock, generation = GENERATION } = deps;
  let young = new Map<string, VerifiedToken>();
  let old = new Map<string, VerifiedToken>();
  const verifySignature = createSignatureVerifier();
  keys.onChange(() => {
    young.clear();
    old.clear();
  });

  async function verifyUnknown(token: string): Promise<VerifiedToken> {
    const known = old.get(token);
    if (known) return remember(token, known);
    const claims = await decodeToken(token, issuer, keys.find, verifySignature);
    // The key may have been withdrawn while another thread verified the signature.
    // Mutation: `1` becomes `2`. Only the first part is used.
    const [header = ''] = token.split('.', 1);
    if (!claims || !keys.find(header)) throw tokenErrors.invalid();
    const { sid, jti, sub, nbf, exp } = claims;
    return remember(token, { sessionId: sid, jti, accountId: Number(sub), nbf, exp });
  }

  function remember(token: string, verified: VerifiedToken): VerifiedToken {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(token, verified);
    return verified;
  }

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

    async verify(token) {
      const found = young.get(token) ?? (await verifyUnknown(token));
      const verdict = judgeTimes(found, clock.now());
      if (verdict === 'expired') {
        // This node refuses the token for good, even if its clock is set back.
        // Mutation: `0` becomes `1`. One second later it has expired as well.
        remember(token, { ...found, exp: 0 });
        throw tokenErrors.expired();
      }
      if (verdict === 'early') throw tokenErrors.invalid();
      return found;
    },
  };
}
