// The port of sign-ins that wait for a second factor.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** A sign-in whose first factor was right. */
export type LoginFlow = {
  /** Keyed hash of the challenge token. */
  mac: string;
  accountId: number;
  frontEnd: string;
  /** Names of the methods that were right. */
  completed: readonly string[];
  /** The account's when the first factor was right; the flow ends when it grows. */
  passwordVersion: number;
  /** The subject whose failures are cleared when the sign-in is complete. */
  lockoutSubject: string;
  expiresAt: Instant;
};

export interface LoginFlowStore {
  add(on: Statements, flow: LoginFlow): Promise<void>;
  find(mac: string, now: Instant): Promise<LoginFlow | undefined>;
  /** Removes a flow that has not expired. Of any number of parallel calls, one gets `true`. */
  take(on: Statements, mac: string, now: Instant): Promise<boolean>;
  /** Removes up to `limit` flows that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
