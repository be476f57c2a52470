// The interface of the store of security answers.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** The hashes of an account's answers, by the id of the question. */
export type AnswerHashes = ReadonlyMap<string, string>;

export interface SecurityAnswerStore {
  /** Returns the account's committed answers, or with `on` the answers as the transaction sees them. */
  find(accountId: number, on?: Statements): Promise<AnswerHashes>;
  /** Replaces all answers of the account. */
  replace(on: Statements, accountId: number, hashes: AnswerHashes, now: Instant): Promise<void>;
  /** Deletes all answers of the account. */
  remove(on: Statements, accountId: number): Promise<void>;
}
