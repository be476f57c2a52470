// The store of front ends in SQL.
import type { Database } from '../storage/database.ts';
import type { FrontEndStore } from './store.ts';

export function createFrontEndStore(database: Database): FrontEndStore {
  const columns = ['id', 'app_key as appKey', 'name', 'description'] as const;
  return {
    readAll: () => database.sql.selectFrom('front_end').select(columns).orderBy('created_at').orderBy('id').execute(),
    find: (on, id) => on.selectFrom('front_end').select(columns).where('id', '=', id).executeTakeFirst(),
    async add(on, { id, appKey, name, description }, createdAt) {
      const added = await on
        .insertInto('front_end')
        .values({ id, app_key: appKey, name, description, created_at: createdAt })
        .onConflict((conflict) => conflict.column('app_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      return added !== undefined;
    },
    async replace(on, { id, appKey, name, description }) {
      await on.updateTable('front_end').set({ app_key: appKey, name, description }).where('id', '=', id).execute();
    },
    async remove(on, id) {
      await on.deleteFrom('front_end').where('id', '=', id).execute();
    },
  };
}
