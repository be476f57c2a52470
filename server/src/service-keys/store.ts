// The interface of the service key store.
import type { Instant } from '../foundation/clock.ts';
import type { Statements } from '../storage/database.ts';

/** A key as administrators see it. The key itself is stored as a keyed hash only. */
export type ServiceKey = {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly createdAt: Instant;
  /** When a service last used the key, to the minute. */
  readonly lastUsedAt: Instant | null;
};

export interface ServiceKeyStore {
  /** @throws UniqueViolation when the name is in use. */
  add(on: Statements, key: ServiceKey, mac: string): Promise<void>;
  /** Returns the committed key with this keyed hash. */
  find(mac: string): Promise<ServiceKey | undefined>;
  /** Returns all keys, the oldest first. */
  list(): Promise<ServiceKey[]>;
  /** Deletes a key. @returns whether there was one. */
  remove(on: Statements, name: string): Promise<boolean>;
  noteUse(name: string, at: Instant): Promise<void>;
}
