// The port of links and tokens that reset a password.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { ResetMethod } from './method.ts';

/** A link, which proves who one is once, or the token that one gets for a proof, which sets a password once. */
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
  find(kind: StoredReset['kind'], mac: string, now: Instant): Promise<StoredReset | undefined>;
  /** Takes it away: of any number of parallel takers one gets it. */
  take(on: Statements, kind: StoredReset['kind'], mac: string, now: Instant): Promise<StoredReset | undefined>;
  /** Drops the links of an account, or all that it has. */
  deleteOfAccount(on: Statements, accountId: number, kind?: StoredReset['kind']): Promise<void>;
  deleteOfMethod(on: Statements, method: ResetMethod): Promise<void>;
  /** Drops up to `limit` that ended before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
