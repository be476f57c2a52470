// The service key store in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database, ServiceKeyTable, Statements } from '../storage/database.ts';
import { SERVICE_KEY_PERMISSIONS, type ServiceKey } from './service-key.ts';

/** A key, and its keyed hash. */
export type StoredServiceKey = ServiceKey & { readonly mac: string };

function toServiceKey(row: ServiceKeyTable): StoredServiceKey {
  const stored = row.permissions.split(' ');
  return {
    mac: row.mac,
    name: row.name,
    permissions: SERVICE_KEY_PERMISSIONS.filter((permission) => stored.includes(permission)),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export type ServiceKeyStore = ReturnType<typeof createServiceKeyStore>;

export function createServiceKeyStore(database: Database) {
  const read = database.keyedReader({
    table: 'service_key',
    key: 'mac',
    columns: ['mac', 'name', 'permissions', 'created_at', 'last_used_at'],
  });
  return {
    /** Adds a key. @throws UniqueViolation when the name is in use. */
    async add(on: Statements, { mac, name, permissions, createdAt, lastUsedAt }: StoredServiceKey): Promise<void> {
      await on
        .insertInto('service_key')
        .values({ mac, name, permissions: permissions.join(' '), created_at: createdAt, last_used_at: lastUsedAt })
        .execute();
    },
    /** Returns the committed key with this keyed hash. */
    async find(mac: string): Promise<StoredServiceKey | undefined> {
      const row = await read(mac);
      return row && toServiceKey(row);
    },
    /** Returns the key with this keyed hash. Its withdrawal waits until the transaction ends. */
    async hold(on: Statements, mac: string): Promise<StoredServiceKey | undefined> {
      const query = on.selectFrom('service_key').selectAll().where('mac', '=', mac);
      // SQLite runs one transaction at a time.
      const held = query.$if(database.engine === 'postgres', (one) => one.forKeyShare());
      const row = await held.executeTakeFirst();
      return row && toServiceKey(row);
    },
    /** Waits for all transactions that hold a key. Until this one ends, others wait to do so. */
    async lockAll(on: Statements): Promise<void> {
      if (database.engine !== 'postgres') return;
      // Ordered: keys that withdraw each other would deadlock.
      await on.selectFrom('service_key').select('mac').orderBy('mac').forUpdate().execute();
    },
    /** Returns all keys, the oldest first. */
    async readAll(on: Statements = database.sql): Promise<StoredServiceKey[]> {
      const query = on.selectFrom('service_key').selectAll().orderBy('created_at').orderBy('name');
      return (await query.execute()).map(toServiceKey);
    },
    /** Deletes a key. @returns whether there was one. */
    async remove(on: Statements, name: string): Promise<boolean> {
      const result = await on.deleteFrom('service_key').where('name', '=', name).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    /** Records a use at `at`, if the last recorded one was at `last`: one of several concurrent calls does. */
    async recordUse(mac: string, { last, at }: { last: Instant | null; at: Instant }): Promise<void> {
      await database.sql
        .updateTable('service_key')
        .set({ last_used_at: at })
        .where('mac', '=', mac)
        .where('last_used_at', last === null ? 'is' : '=', last)
        .execute();
    },
  };
}
