// The interfaces of the session and key stores.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

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
};

/** What happens to the sessions of an account. */
export interface AccountSessionStore {
  /** Ends the account's open sessions, except the session with the id `except`. @returns them. */
  endOfAccount(on: Statements, accountId: number, now: Instant, except?: string): Promise<Session[]>;
  /** Sets whether the account's open sessions may only change the password. @returns them. */
  requirePasswordChange(on: Statements, accountId: number, required: boolean): Promise<Session[]>;
  /** Sets whether this open session may only enroll a second factor. */
  requireEnrollment(on: Statements, id: string, required: boolean): Promise<void>;
  /** Restricts the open sessions of these accounts to enrolling a second factor. @returns those that it has restricted. */
  restrictToEnrollment(on: Statements, accountIds: readonly number[]): Promise<Session[]>;
  /** Ends the account's open sessions with one factor, and those that may only enroll one, except `except`. @returns them. */
  endSingleFactor(on: Statements, accountId: number, now: Instant, except: string): Promise<Session[]>;
  /** Ends the account's open sessions that a passkey has opened, this one or any, except `except`. @returns them. */
  endOpenedByPasskey(
    on: Statements,
    accountId: number,
    now: Instant,
    which: { passkeyId?: string | undefined; except?: string | undefined },
  ): Promise<Session[]>;
  /** Returns the account's open sessions, newest first. At most 1000. */
  listOpen(accountId: number, now: Instant): Promise<Session[]>;
}

/** The exchange of a session's current token for a new one. */
export type Swap = {
  readonly id: string;
  readonly oldJti: string;
  readonly jti: string;
  readonly tokensExpireAt: Instant;
  readonly now: Instant;
};

export interface SessionStore extends AccountSessionStore {
  open(on: Statements, session: Session, jti: string): Promise<void>;
  /** Returns the committed session. The fast read of every token check. */
  find(id: string): Promise<SessionPointer | undefined>;
  /**
   * Makes `jti` the current token of a session if `oldJti` is the current one, for each of these swaps. One statement makes the
   * new token valid and revokes the old one. Of several concurrent swaps of one token, one gets the session.
   * @returns the session of each swap, or `undefined`. Of several swaps, one also gets `undefined` if another transaction has
   * locked its session, and can be tried again alone.
   */
  swapCurrentTokens(on: Statements, swaps: readonly Swap[]): Promise<(Session | undefined)[]>;
  /** Returns the open session as the transaction sees it, and locks it until the transaction ends. */
  findOpenForUpdate(on: Statements, id: string, now: Instant): Promise<Session | undefined>;
  /** Ends one session. @returns `undefined` if it was not open. */
  end(on: Statements, id: string, now: Instant): Promise<Session | undefined>;
  /** Waits for transactions that open or change sessions, and lets no other one do so until the transaction ends. */
  lockAll(on: Statements): Promise<void>;
  /** Returns the sessions whose latest token was issued at `instant` or later, the ended ones too. */
  listIssuedFrom(on: Statements, instant: Instant): Promise<Session[]>;
  /** Ends every open session. @returns how many. */
  endAll(on: Statements, now: Instant): Promise<number>;
  /** Records a further authentication in an open session. */
  recordAuthentication(
    on: Statements,
    session: Pick<Session, 'id' | 'amr' | 'authenticatedAt' | 'passkeyUsedAt' | 'factorUsedAt'>,
  ): Promise<void>;
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
