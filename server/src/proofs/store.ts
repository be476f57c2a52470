// The interfaces of the stores of pins, and of link secrets and reset tokens.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { Pin, Purpose } from './pin.ts';

/** The pins that a call may use: the pin of an operation, or the latest pin of a subject. */
export type PinFilter = ({ operationId: string } | { subject: string }) & {
  purposes: readonly Purpose[];
  /** The account that the pin must be bound to. Null: no account. Absent: any. */
  accountId?: number | null;
};

/** The beginning or end of subjects. */
export type SubjectPart = { beginning: string } | { ending: string };

export interface PinStore {
  /** Finds a pin in any state. */
  find(filter: PinFilter): Promise<Pin | undefined>;
  /** Stores a pin, which replaces any older one of the same purpose and subject. The caller must hold that subject's budget. */
  replace(on: Statements, pin: Pin): Promise<void>;
  /**
   * Uses one of the pin's tries and locks the pin until the transaction ends.
   * @returns `undefined` if the pin is redeemed, expired or out of tries.
   */
  takeTry(on: Statements, filter: PinFilter, maxTries: number, now: Instant): Promise<Pin | undefined>;
  /** Marks a pin as redeemed. `takeTry` must have locked it. */
  markRedeemed(on: Statements, operationId: string, now: Instant): Promise<void>;
  /** Finds a pin that was redeemed after `since`. */
  findProof(filter: PinFilter, since: Instant): Promise<Pin | undefined>;
  /** Deletes and returns a pin that was redeemed after `since`. Of concurrent calls one gets it. */
  takeProof(on: Statements, filter: PinFilter, since: Instant): Promise<Pin | undefined>;
  /** Deletes the pins of a purpose by the beginning or end of their subjects, which must not contain `%` or `_`. */
  deleteOfSubjects(on: Statements, purpose: Purpose, subjects: SubjectPart): Promise<void>;
  /** Deletes all pins and proofs of these accounts. */
  deleteOfAccounts(on: Statements, accountIds: readonly number[]): Promise<void>;
  /** Deletes up to `limit` pins that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}

/**
 * The keyed hash of a mailed link, which is a proof, or of a token, which sets a new password. Each works once. `method` is
 * the way to reset the password: a link (2), an SMS (4) or security questions (8).
 */
export type StoredSecret = {
  mac: string;
  kind: 'link' | 'token';
  method: 2 | 4 | 8;
  accountId: number | null;
  passwordVersion: number;
  expiresAt: Instant;
};

export interface SecretStore {
  add(on: Statements, secret: StoredSecret): Promise<void>;
  find(kind: StoredSecret['kind'], mac: string, now: Instant, on?: Statements): Promise<StoredSecret | undefined>;
  /** Deletes a link or token that has not expired. One of several parallel calls gets it. */
  take(on: Statements, kind: StoredSecret['kind'], mac: string, now: Instant): Promise<StoredSecret | undefined>;
  /** Deletes the account's links or tokens, or both. */
  deleteOfAccount(on: Statements, accountId: number, kind?: StoredSecret['kind']): Promise<void>;
  deleteOfMethod(on: Statements, method: 2 | 4 | 8): Promise<void>;
  /** Deletes up to `limit` links and tokens that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
