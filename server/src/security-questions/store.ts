// The port of answers to security questions.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** Hashes of an account's answers, by question. */
export type AnswerHashes = ReadonlyMap<string, string>;

export interface SecurityAnswerStore {
  /** All that the account has, as the transaction sees it where there is one. */
  find(accountId: number, on?: Statements): Promise<AnswerHashes>;
  /** Puts these in the place of all that the account has. */
  replace(on: Statements, accountId: number, hashes: AnswerHashes, now: Instant): Promise<void>;
  /** Drops all that the account has. */
  remove(on: Statements, accountId: number): Promise<void>;
}
