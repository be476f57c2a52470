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
  /**
   * The account's password version when the first factor was right. A new password or address, activation and
   * deactivation change it, and so end the flow.
   */
  passwordVersion: number;
  /** The subject whose failures are cleared when the sign-in is complete. */
  lockoutSubject: string;
  expiresAt: Instant;
};

export interface LoginFlowStore {
  add(on: Statements, flow: LoginFlow): Promise<void>;
  find(on: Statements, mac: string, now: Instant): Promise<LoginFlow | undefined>;
  deleteOfAccount(on: Statements, accountId: number): Promise<void>;
  deleteAll(on: Statements): Promise<void>;
  /** Deletes a flow that has not expired. @returns `true` to exactly one of several parallel calls. */
  take(on: Statements, mac: string, now: Instant): Promise<boolean>;
  /** Deletes up to `limit` flows that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
