// The store of setting values in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Actor } from '../foundation/events.ts';
import type { Database, Statements } from '../storage/database.ts';

/** A stored value, and its last change. `appKey` is '' for a general setting. */
export type StoredValue = { name: string; appKey: string; value: string; at: Instant; by: string | null };

/** One change of a setting. A value of null stands for the default. */
export type SettingChange = {
  name: string;
  appKey: string;
  oldValue: string | null;
  newValue: string | null;
  at: Instant;
  by: string | null;
};

/** A change to store, by the actor who makes it. */
type NewChange = Omit<SettingChange, 'by'> & { by: Actor };

export type SettingStore = ReturnType<typeof createSettingStore>;

export function createSettingStore(database: Database) {
  return {
    /** Returns all stored values. */
    async readAll(on: Statements = database.sql): Promise<StoredValue[]> {
      const rows = await on.selectFrom('setting_value').selectAll().execute();
      return rows.map((row) => ({
        name: row.name,
        appKey: row.app_key,
        value: row.value,
        at: row.changed_at,
        by: row.changed_by,
      }));
    },

    /** Returns the stored value, locked against other changes until the transaction ends. */
    async readForChange(on: Statements, name: string, appKey: string): Promise<string | null> {
      // The version row is the lock: every change of a setting announces itself there first, and updates that row.
      const row = await on
        .selectFrom('setting_value')
        .select('value')
        .where('name', '=', name)
        .where('app_key', '=', appKey)
        .executeTakeFirst();
      return row?.value ?? null;
    },

    /** Stores a value, or with null resets it to the default, and adds the change to the history. */
    async change(on: Statements, { name, appKey, oldValue, newValue, at, by }: NewChange): Promise<void> {
      const changed = { changed_at: at, changed_by: by.name, changed_by_id: by.id ?? 0 };
      await on.deleteFrom('setting_value').where('name', '=', name).where('app_key', '=', appKey).execute();
      if (newValue !== null) {
        await on
          .insertInto('setting_value')
          .values({ name, app_key: appKey, value: newValue, ...changed })
          .execute();
      }
      await on
        .insertInto('setting_change')
        .values({ name, app_key: appKey, old_value: oldValue, new_value: newValue, ...changed })
        .execute();
    },

    /** Returns the changes of one setting, newest first. Without `appKey`, of every front end. */
    async history(name: string, appKey: string | undefined, take: number): Promise<SettingChange[]> {
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

    /** Moves the values of a front end and their history to another key, or with null deletes both. The audit trail stays. */
    async moveFrontEnd(on: Statements, from: string, to: string | null): Promise<void> {
      for (const table of ['setting_value', 'setting_change'] as const) {
        if (to === null) await on.deleteFrom(table).where('app_key', '=', from).execute();
        else await on.updateTable(table).set({ app_key: to }).where('app_key', '=', from).execute();
      }
    },
  };
}
