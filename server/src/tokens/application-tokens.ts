// Access tokens of applications (RFC 9068): the claim `scope` marks them, and no call of the service's own API accepts them.
import { type Clock, type Instant, toInstant, toNumericDate } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import { NODE_SKEW_SECONDS } from './access-tokens.ts';
import type { KeyRing } from './keys.ts';
import { TWO_FACTORS } from './session.ts';
import { createSignatureVerifier } from './signatures.ts';
import { type Claims, encodeToken, headerOf, openToken } from './token.ts';
import { createTokenVerifier } from './token-verifier.ts';

type PersonClaims = Partial<Pick<Claims, 'preferred_username' | 'name' | 'email' | 'roles'>>;

/**
 * The claims of an access token of an application. `sid` is the grant's id. `auth_time`, `amr` and `acr` are absent if the
 * application acts for itself; `sub` is then its `client_id`. The others are there if the scopes allow them.
 */
export type ApplicationClaims = Pick<
  Claims,
  'iss' | 'aud' | 'sub' | 'jti' | 'sid' | 'iat' | 'nbf' | 'exp' | 'client_id'
> & { gen: number; scope: string } & Partial<Pick<Claims, 'auth_time' | 'amr' | 'acr'>> &
  PersonClaims;

/** What an access token says. */
export type ApplicationTokenContent = {
  readonly grantId: string;
  /** The account's id, or the client id of an application that acts for itself. */
  readonly subject: string;
  readonly audience: string;
  readonly clientId: string;
  /** Separated by spaces. */
  readonly scope: string;
  /** How often the grant was refreshed. */
  readonly generation: number;
  /** Absent, as `amr`, if the application acts for itself. */
  readonly authenticatedAt?: Instant;
  readonly amr?: readonly string[];
  readonly expiresAt: Instant;
  /** What the scopes allow. */
  readonly claims: PersonClaims;
};

/** @property expiresIn in seconds. */
export type IssuedApplicationToken = { accessToken: string; expiresIn: number; jti: string; expiresAt: Instant };

export interface ApplicationTokens {
  issue(content: ApplicationTokenContent): IssuedApplicationToken;
  /**
   * Returns the claims of an access token of an application. It says nothing of the grant.
   * @throws AuthError `token.invalid`, `token.expired`.
   */
  verify(token: string): Promise<Readonly<ApplicationClaims>>;
}

export function createApplicationTokens(deps: {
  keys: KeyRing;
  issuer: string;
  clock: Clock;
  random: Random;
  /** Tokens in each of the two generations of the cache of verified tokens. */
  generation?: number | undefined;
}): ApplicationTokens {
  const { keys, issuer, clock, random, generation } = deps;
  const verifySignature = createSignatureVerifier();
  // The type is `at+jwt`, also if the setting says `JWT`: services could take an ID token for an access token otherwise.
  const findKey = (header: string) => keys.all().find(({ kid }) => headerOf(kid) === header);
  const { remember, verify } = createTokenVerifier<ApplicationClaims>({
    keys,
    findKey,
    clock,
    generation,
    async decode(token) {
      const claims = await openToken(token, issuer, findKey, verifySignature);
      return claims && areComplete(claims) ? claims : undefined;
    },
  });

  return {
    verify,
    issue({
      grantId,
      subject,
      audience,
      clientId,
      scope,
      generation,
      authenticatedAt,
      amr,
      expiresAt,
      claims: person,
    }) {
      const [iat, exp, jti] = [toNumericDate(clock.now()), toNumericDate(expiresAt), random.uuid()];
      const claims: ApplicationClaims = {
        iss: issuer,
        aud: audience,
        sub: subject,
        jti,
        sid: grantId,
        gen: generation,
        iat,
        nbf: iat - NODE_SKEW_SECONDS,
        exp,
        ...(authenticatedAt !== undefined && { auth_time: toNumericDate(authenticatedAt) }),
        ...(amr && { amr: [...amr], acr: amr.includes(TWO_FACTORS) ? 'aal2' : 'aal1' }),
        client_id: clientId,
        scope,
        ...person,
      };
      const { kid, privateKey } = keys.signingKey();
      const accessToken = encodeToken(claims, { header: headerOf(kid), privateKey });
      // The service has just made the signature, and need not verify it.
      // Mutation: `remember(accessToken, claims);` becomes `;`. It would be verified when it comes.
      remember(accessToken, claims);
      return { accessToken, expiresIn: Math.max(0, exp - iat), jti, expiresAt: toInstant(exp * 1000) };
    },
  };
}

/** Claims with a valid signature can still be of another kind: tokens of the service's own pages have no scope. */
function areComplete(claims: Record<string, unknown>): claims is Record<string, unknown> & ApplicationClaims {
  const texts = ['aud', 'sub', 'jti', 'sid', 'client_id'];
  const numbers = ['gen', 'iat', 'nbf', 'exp'];
  return (
    typeof claims.scope === 'string' &&
    texts.every((name) => typeof claims[name] === 'string' && claims[name] !== '') &&
    numbers.every((name) => Number.isSafeInteger(claims[name]))
  );
}
