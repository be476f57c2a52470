// The interface of the service key store.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';
import type { ServiceKey } from './service-key.ts';

/** A key, and its keyed hash. */
export type StoredServiceKey = ServiceKey & { readonly mac: string };

export interface ServiceKeyStore {
  /** Adds a key. @throws UniqueViolation when the name is in use. */
  add(on: Statements, key: StoredServiceKey): Promise<void>;
  /** Returns the committed key with this keyed hash. */
  find(mac: string): Promise<StoredServiceKey | undefined>;
  /** Returns all keys, the oldest first. */
  readAll(): Promise<StoredServiceKey[]>;
  /** Deletes a key. @returns whether there was one. */
  remove(on: Statements, name: string): Promise<boolean>;
  /** Records a use at `at`, if the last recorded one was at `last`: one of several concurrent calls does. */
  recordUse(mac: string, use: { last: Instant | null; at: Instant }): Promise<void>;
}
