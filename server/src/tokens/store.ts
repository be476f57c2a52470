// The ports of sessions and signing keys.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** What a token check reads: the session's current token, and whether it is open. */
export type SessionPointer = {
  accountId: number;
  currentJti: string;
  mustChangePassword: boolean;
  endedAt: Instant | null;
  expiresAt: Instant;
};

/** A session as its owner sees it. */
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
};

export interface SessionStore {
  open(on: Statements, session: Session, jti: string): Promise<void>;
  /** The fast, committed read behind every token check. */
  find(id: string): Promise<SessionPointer | undefined>;
  /**
   * Makes `jti` the session's current token if `oldJti` is that now: in the one statement that makes the new token
   * valid the old one is blacklisted. Of any number of calls at once, one gets the session; the others get nothing.
   */
  swapCurrentToken(on: Statements, id: string, oldJti: string, jti: string, now: Instant): Promise<Session | undefined>;
  /** The open session as the transaction sees it, locked against changes by others until the transaction ends. */
  findOpenForUpdate(on: Statements, id: string, now: Instant): Promise<Session | undefined>;
  /** Ends one session. @returns the account's id, or nothing when it was not open. */
  end(on: Statements, id: string, now: Instant): Promise<number | undefined>;
  /** Ends the account's open sessions, except one if named. @returns their ids. */
  endOfAccount(on: Statements, accountId: number, now: Instant, except?: string): Promise<string[]>;
  /** Ends every open session. @returns how many. */
  endAll(on: Statements, now: Instant): Promise<number>;
  /** Sets whether the account's open sessions may do nothing but change the password. */
  requirePasswordChange(on: Statements, accountId: number, required: boolean): Promise<void>;
  /** The account's open sessions, newest first. */
  listOpen(accountId: number, now: Instant): Promise<Session[]>;
  /** Drops up to `limit` sessions past their absolute end. */
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
  /** All keys, oldest first. */
  readAll(on: Statements): Promise<StoredKey[]>;
  /** Adds a key. Rejects with `UniqueViolation` when its number is used. */
  add(on: Statements, key: StoredKey): Promise<void>;
  /** Removes the keys below this number. */
  deleteBelow(on: Statements, number: number): Promise<void>;
}
