// The interfaces of the session and key stores.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

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
};

export interface SessionStore {
  open(on: Statements, session: Session, jti: string): Promise<void>;
  /** Returns the committed session. The fast read of every token check. */
  find(id: string): Promise<SessionPointer | undefined>;
  /**
   * Makes `jti` the session's current token if `oldJti` is the current one. One statement makes the new token valid and
   * revokes the old one. Of several concurrent calls one gets the session, and the others get `undefined`.
   */
  swapCurrentToken(
    on: Statements,
    swap: { id: string; oldJti: string; jti: string; tokensExpireAt: Instant; now: Instant },
  ): Promise<Session | undefined>;
  /** Returns the open session as the transaction sees it, and locks it until the transaction ends. */
  findOpenForUpdate(on: Statements, id: string, now: Instant): Promise<Session | undefined>;
  /** Ends one session. @returns `undefined` if it was not open. */
  end(on: Statements, id: string, now: Instant): Promise<Session | undefined>;
  /** Ends the account's open sessions, except the session with the id `except`. @returns them. */
  endOfAccount(on: Statements, accountId: number, now: Instant, except?: string): Promise<Session[]>;
  /** Waits for transactions that open or change sessions, and lets no other one do so until the transaction ends. */
  lockAll(on: Statements): Promise<void>;
  /** Returns the sessions whose latest token was issued at `instant` or later, the ended ones too. */
  listIssuedFrom(on: Statements, instant: Instant): Promise<Session[]>;
  /** Ends every open session. @returns how many. */
  endAll(on: Statements, now: Instant): Promise<number>;
  /** Sets whether the account's open sessions may only change the password. @returns them. */
  requirePasswordChange(on: Statements, accountId: number, required: boolean): Promise<Session[]>;
  /** Sets whether this open session may only enroll a second factor. */
  requireEnrollment(on: Statements, id: string, required: boolean): Promise<void>;
  /** Ends the account's open sessions that may only enroll a second factor. @returns them. */
  endRestricted(on: Statements, accountId: number, now: Instant): Promise<Session[]>;
  /** Records a further authentication in an open session. */
  recordAuthentication(
    on: Statements,
    session: Pick<Session, 'id' | 'amr' | 'authenticatedAt' | 'passkeyUsedAt'>,
  ): Promise<void>;
  /** Returns the account's open sessions, newest first. At most 1000. */
  listOpen(accountId: number, now: Instant): Promise<Session[]>;
  /** Returns how many sessions are open, up to `most`. */
  countOpen(now: Instant, most: number): Promise<number>;
  /** Deletes up to `limit` sessions that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}

/** A signing key as stored. */
export type StoredKey = {
  number: number;
  kid: string;
  publicJwk: string;
  sealedPrivateKey: string;
  createdAt: Instant;
  activeFrom: Instant;
};

export interface KeyStore {
  /** Returns all keys, oldest first. */
  readAll(on: Statements): Promise<StoredKey[]>;
  /** Adds a key. @throws UniqueViolation when its number is used. */
  add(on: Statements, key: StoredKey): Promise<void>;
  /** Deletes the keys below this number. */
  deleteBelow(on: Statements, number: number): Promise<void>;
}
