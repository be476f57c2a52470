// A session, as its owner sees it and as a token check reads it.
import type { Instant } from '../foundation/clock.ts';

/** The value of `amr` that stands for two factors (RFC 8176). */
export const TWO_FACTORS = 'mfa';

/** The part of a session that a token check reads. */
export type SessionPointer = {
  accountId: number;
  currentJti: string;
  mustChangePassword: boolean;
  mustEnroll: boolean;
  endedAt: Instant | null;
  expiresAt: Instant;
};

/** A session as the account owner sees it. */
export type Session = {
  id: string;
  accountId: number;
  frontEnd: string;
  /** The methods of the sign-in, in their order (RFC 8176). */
  amr: readonly string[];
  ipAddress: string | null;
  userAgent: string | null;
  signedInAt: Instant;
  lastRefreshedAt: Instant | null;
  expiresAt: Instant;
  mustChangePassword: boolean;
  /** Whether a required second factor is not enrolled. */
  mustEnroll: boolean;
  /** How often the session's token was exchanged. */
  generation: number;
  /** None of the session's tokens expires later. */
  tokensExpireAt: Instant;
  /** When the caller last authenticated: at the sign-in or later. */
  authenticatedAt: Instant;
  /** When the caller last used a passkey in this session. */
  passkeyUsedAt: Instant | null;
  /** When the caller last proved a second factor in this session. A trusted device is none. */
  factorUsedAt: Instant | null;
  /** The id of the passkey that opened the session. */
  passkeyId: string | null;
  /** The id of the application whose grant has this session of its own. Null for all others. */
  applicationId: string | null;
};
