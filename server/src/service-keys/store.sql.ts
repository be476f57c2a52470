// The service key store in SQL.
import type { Database, ServiceKeyTable } from '../storage/database.ts';
import { SERVICE_KEY_PERMISSIONS } from './service-key.ts';
import type { ServiceKeyStore, StoredServiceKey } from './store.ts';

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

export function createServiceKeyStore(database: Database): ServiceKeyStore {
  const read = database.keyedReader({
    table: 'service_key',
    key: 'mac',
    columns: ['mac', 'name', 'permissions', 'created_at', 'last_used_at'],
  });
  return {
    async add(on, { mac, name, permissions, createdAt, lastUsedAt }) {
      await on
        .insertInto('service_key')
        .values({ mac, name, permissions: permissions.join(' '), created_at: createdAt, last_used_at: lastUsedAt })
        .execute();
    },
    async find(mac) {
      const row = await read(mac);
      return row && toServiceKey(row);
    },
    async readAll() {
      const query = database.sql.selectFrom('service_key').selectAll().orderBy('created_at').orderBy('name');
      return (await query.execute()).map(toServiceKey);
    },
    async remove(on, name) {
      const result = await on.deleteFrom('service_key').where('name', '=', name).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async recordUse(mac, { last, at }) {
      await database.sql
        .updateTable('service_key')
        .set({ last_used_at: at })
        .where('mac', '=', mac)
        .where('last_used_at', last === null ? 'is' : '=', last)
        .execute();
    },
  };
}
