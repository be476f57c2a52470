// The store of setting values in SQL.
import type { Database } from '../storage/database.ts';
import type { SettingStore } from './store.ts';

export function createSettingStore(database: Database): SettingStore {
  return {
    async readAll() {
      const rows = await database.sql.selectFrom('setting_value').selectAll().execute();
      return rows.map((row) => ({
        name: row.name,
        appKey: row.app_key,
        value: row.value,
        at: row.changed_at,
        by: row.changed_by,
      }));
    },

    async readForChange(on, name, appKey) {
      // The version row is the lock: every change of a setting announces itself there first, and updates that row.
      const row = await on
        .selectFrom('setting_value')
        .select('value')
        .where('name', '=', name)
        .where('app_key', '=', appKey)
        .executeTakeFirst();
      return row?.value ?? null;
    },

    async change(on, { name, appKey, oldValue, newValue, at, by }) {
      await on.deleteFrom('setting_value').where('name', '=', name).where('app_key', '=', appKey).execute();
      if (newValue !== null) {
        await on
          .insertInto('setting_value')
          .values({ name, app_key: appKey, value: newValue, changed_at: at, changed_by: by })
          .execute();
      }
      await on
        .insertInto('setting_change')
        .values({ name, app_key: appKey, old_value: oldValue, new_value: newValue, changed_at: at, changed_by: by })
        .execute();
    },

    async history(name, appKey, take) {
      let query = database.sql.selectFrom('setting_change').selectAll().where('name', '=', name);
      if (appKey !== undefined) query = query.where('app_key', '=', appKey);
      const rows = await query.orderBy('id', 'desc').limit(take).execute();
      return rows.map((row) => ({
        name: row.name,
        appKey: row.app_key,
        oldValue: row.old_value,
        newValue: row.new_value,
        at: row.changed_at,
        by: row.changed_by,
      }));
    },

    async moveFrontEnd(on, from, to) {
      for (const table of ['setting_value', 'setting_change'] as const) {
        if (to === null) await on.deleteFrom(table).where('app_key', '=', from).execute();
        else await on.updateTable(table).set({ app_key: to }).where('app_key', '=', from).execute();
      }
    },
  };
}
