// The interface of the store of pins.
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
