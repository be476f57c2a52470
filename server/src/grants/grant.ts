// A grant: what an application got from one approval. Its id is the `sid` of its tokens.
import type { Instant } from '../foundation/clock.ts';

/** How long an authorization code is valid, in seconds (RFC 6749, 4.1.2). */
export const CODE_SECONDS = 60;

/**
 * How long the former refresh token leads to the same next one, in seconds: the answer may be lost, and several tabs may refresh
 * at the same time.
 */
export const GRACE_SECONDS = 30;

/**
 * How long after an exchange a token of it may be signed: again within the grace, after the transaction, and by a clock that is ahead.
 */
export const ISSUE_SECONDS = GRACE_SECONDS + 30;

/** The scope of a grant that outlives the sign-off of its browser (OpenID Connect Core 11). */
export const OFFLINE_ACCESS = 'offline_access';

export type Grant = {
  readonly id: string;
  readonly applicationId: string;
  /** Null: the application's own, by client credentials. */
  readonly accountId: number | null;
  readonly sessionId: string | null;
  /** The session in which a person gave it. One with `offline_access` gets its own when it is exchanged. Null: given before this was kept. */
  readonly approvedSessionId: string | null;
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly nonce: string | null;
  /** The authentication of the person at the approval (RFC 8176). */
  readonly amr: readonly string[];
  readonly authenticatedAt: Instant;
  readonly codeExpiresAt: Instant | null;
  /** S256 (RFC 7636). */
  readonly codeChallenge: string | null;
  readonly redirectUri: string | null;
  /** When the code was exchanged. Before that the application has no token. */
  readonly redeemedAt: Instant | null;
  readonly refreshedAt: Instant | null;
  /** How often it was refreshed. The claim `gen` of its access tokens. */
  readonly generation: number;
  /** None of its access tokens expires later. */
  readonly tokensExpireAt: Instant;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly endedAt: Instant | null;
};
