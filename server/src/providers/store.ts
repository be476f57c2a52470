// The port of authorization requests that wait for their response.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** A request that the service has made for a browser. */
export type StoredRequest = {
  /** Keyed hash of the secret that the browser holds. */
  readonly mac: string;
  /** The provider's registered name. */
  readonly provider: string;
  /** Exactly as in the request. */
  readonly redirectUri: string;
  readonly expiresAt: Instant;
};

export interface AuthorizationRequestStore {
  add(on: Statements, request: StoredRequest): Promise<void>;
  /** Deletes a request to this provider that has not expired. @returns it to exactly one of several parallel calls. */
  take(on: Statements, mac: string, provider: string, now: Instant): Promise<StoredRequest | undefined>;
  /** Deletes up to `limit` requests that expired before `before`. */
  deleteExpired(before: Instant, limit: number): Promise<void>;
}
