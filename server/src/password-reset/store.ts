// The port of reset links and reset tokens.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { ResetMethod } from './method.ts';

/** A mailed link, which is a proof, or a token, which sets a new password. Each works once. */
export type StoredReset = {
  mac: string;
  kind: 'link' | 'token';
  method: ResetMethod;
  accountId: number | null;
  passwordVersion: number;
  expiresAt: Instant;
};

export interface ResetStore {
  add(on: Statements, reset: StoredReset): Promise<void>;
  find(kind: StoredReset['kind'], mac: string, now: Instant, on?: Statements): Promise<StoredReset | undefined>;
  /** Deletes a link or token that has not expired. One of several parallel calls gets it. */
  take(on: Statements, kind: StoredReset['kind'], mac: string, now: Instant): Promise<StoredReset | undefined>;
  /** Deletes the account's links or tokens, or both. */
  deleteOfAccount(on: Statements, accountId: number, kind?: StoredReset['kind']): Promise<void>;
  deleteOfMethod(on: Statements, method: ResetMethod): Promise<void>;
  /** Deletes up to `limit` links and tokens that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
