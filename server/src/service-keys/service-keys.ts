// Service keys: other services authenticate with them to introspect tokens and to follow revocations.
import type { Clock, Instant } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Tx } from '../storage/database.ts';
import { serviceKeyErrors } from './errors.ts';
import { serviceKeyActions } from './events.ts';
import type { ServiceKey, ServiceKeyStore } from './store.ts';

/** What a key allows. */
export const SERVICE_KEY_PERMISSIONS = ['introspect', 'revocations'] as const;
export type ServiceKeyPermission = (typeof SERVICE_KEY_PERMISSIONS)[number];

/** What every key begins with, so that people and secret scanners recognize it. */
const PREFIX = 'lks_';

/** The label of the keyed hashes. */
const MAC_LABEL = 'service-key';

/** The use of a key is recorded at most this often, in milliseconds. */
const USE_INTERVAL_MS = 60_000;

export interface ServiceKeys {
  /**
   * Makes a key.
   * @returns the key. It is shown once: the service keeps only its keyed hash.
   * @throws AuthError `serviceKey.duplicate` if another key in use has this name.
   */
  create(tx: Tx, key: { name: string; permissions: readonly ServiceKeyPermission[] }): Promise<string>;
  /** Returns the keys in use, the oldest first. */
  list(): Promise<ServiceKey[]>;
  /** Makes a key invalid at once, on every node. @throws AuthError `serviceKey.notFound`. */
  withdraw(tx: Tx, name: string): Promise<void>;
  /**
   * Returns the key that a request was authenticated with.
   * @throws AuthError `serviceKey.invalid`, `serviceKey.forbidden` if it lacks the permission.
   */
  authenticate(key: string | undefined, permission: ServiceKeyPermission): Promise<ServiceKey>;
}

export function createServiceKeys(deps: {
  store: ServiceKeyStore;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): ServiceKeys {
  const { store, record, secrets, clock, random } = deps;
  const macOf = (key: string) => secrets.mac(MAC_LABEL, key);

  return {
    async create(tx, { name, permissions }) {
      const key = `${PREFIX}${random.bytes(32).toString('base64url')}`;
      const stored = { name, permissions, createdAt: clock.now(), lastUsedAt: null };
      try {
        await store.add(tx.sql, stored, macOf(key));
      } catch (error) {
        throw error instanceof UniqueViolation ? serviceKeyErrors.duplicate() : error;
      }
      await record(tx, {
        action: serviceKeyActions.created,
        outcome: 'success',
        details: { name, permissions: permissions.join(' ') },
      });
      return key;
    },
    list: store.list,
    async withdraw(tx, name) {
      if (!(await store.remove(tx.sql, name))) throw serviceKeyErrors.notFound();
      await record(tx, { action: serviceKeyActions.withdrawn, outcome: 'success', details: { name } });
    },
    async authenticate(key, permission) {
      const found = key?.startsWith(PREFIX) ? await store.find(macOf(key)) : undefined;
      if (!found) throw serviceKeyErrors.invalid();
      if (!found.permissions.includes(permission)) throw serviceKeyErrors.forbidden();
      await noteUse(found, clock.now());
      return found;
    },
  };

  async function noteUse({ name, lastUsedAt }: ServiceKey, now: Instant) {
    if (lastUsedAt === null || now - lastUsedAt >= USE_INTERVAL_MS) await store.noteUse(name, now);
  }
}
