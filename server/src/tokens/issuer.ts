// The issuer: makes the claims of a session's token, and signs them.
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
import { type Claims, encodeToken } from './token.ts';
import type { VerifiedToken } from './verified-tokens.ts';

/** The account that a token is for. Journeys read it from the store each time a token is issued. */
export type TokenSubject = {
  id: number;
  userName: string;
  fullName: string;
  email: string | null;
  roles: readonly string[];
};

export type IssuedToken = { accessToken: string; expireInSeconds: number; expireOn: string };

/** `nbf` lies this far back, so that a node whose clock is behind accepts what another node has just issued. */
const NODE_SKEW_SECONDS = 30;

/** A token is signed within this time after its session was written. */
const SIGNING_SECONDS = 60;

export interface Issuer {
  /** Returns an instant that no token expires after which is issued now. The session stores it before it is issued. */
  latestExpiry(): Instant;
  issue(subject: TokenSubject, session: Session, jti: string): IssuedToken;
}

/** @param remember takes each new token: the service has just made its signature, and need not verify it. */
export function createIssuer(deps: {
  keys: KeyRing;
  settings: SettingReader;
  issuer: string;
  clock: Clock;
  remember: (token: string, verified: VerifiedToken) => void;
}): Issuer {
  const { keys, settings, issuer, clock, remember } = deps;
  return {
    latestExpiry: () => addSeconds(clock.now(), settings.read(tokenSettings).accessTokenLifetime + SIGNING_SECONDS),

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
      remember(accessToken, { sessionId: session.id, jti, accountId: subject.id, nbf: claims.nbf, exp });
      return {
        accessToken,
        expireInSeconds: secondsUntil(expiresAt, toInstant(issuedAt * 1000)),
        expireOn: toIsoString(expiresAt),
      };
    },
  };
}
