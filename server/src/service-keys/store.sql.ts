// The service key store in SQL.
import type { Database, ServiceKeyTable } from '../storage/database.ts';
import type { ServiceKey, ServiceKeyStore } from './store.ts';

function toServiceKey(row: Omit<ServiceKeyTable, 'mac'>): ServiceKey {
  return {
    name: row.name,
    permissions: row.permissions.split(' '),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export function createServiceKeyStore(database: Database): ServiceKeyStore {
  const read = database.keyedReader({
    table: 'service_key',
    key: 'mac',
    columns: ['name', 'permissions', 'created_at', 'last_used_at'],
  });
  return {
    async add(on, { name, permissions, createdAt }, mac) {
      await on
        .insertInto('service_key')
        .values({ mac, name, permissions: permissions.join(' '), created_at: createdAt, last_used_at: null })
        .execute();
    },
    async find(mac) {
      const row = await read(mac);
      return row && toServiceKey(row);
    },
    async list() {
      const rows = await database.sql.selectFrom('service_key').selectAll().orderBy('created_at').execute();
      return rows.map(toServiceKey);
    },
    async remove(on, name) {
      const result = await on.deleteFrom('service_key').where('name', '=', name).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async noteUse(name, at) {
      await database.sql.updateTable('service_key').set({ last_used_at: at }).where('name', '=', name).execute();
    },
  };
}
