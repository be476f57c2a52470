// The store of front ends in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';

/** An application that calls the service. It names itself by `appKey` in the header `sha-frontend-application`. */
export type FrontEnd = { id: string; appKey: string; name: string; description: string };

export type FrontEndStore = ReturnType<typeof createFrontEndStore>;

export function createFrontEndStore(database: Database) {
  const columns = ['id', 'app_key as appKey', 'name', 'description'] as const;
  return {
    /** Returns all front ends, oldest first. */
    readAll: (on: Statements = database.sql): Promise<FrontEnd[]> =>
      on.selectFrom('front_end').select(columns).orderBy('created_at').orderBy('id').execute(),
    find: (on: Statements, id: string): Promise<FrontEnd | undefined> =>
      on.selectFrom('front_end').select(columns).where('id', '=', id).executeTakeFirst(),
    findByKey: (on: Statements, appKey: string): Promise<FrontEnd | undefined> =>
      on.selectFrom('front_end').select(columns).where('app_key', '=', appKey).executeTakeFirst(),
    /** Adds a front end. @returns false if its key is taken. */
    async add(on: Statements, { id, appKey, name, description }: FrontEnd, createdAt: Instant): Promise<boolean> {
      const added = await on
        .insertInto('front_end')
        .values({ id, app_key: appKey, name, description, created_at: createdAt })
        .onConflict((conflict) => conflict.column('app_key').doNothing())
        .returning('id')
        .executeTakeFirst();
      return added !== undefined;
    },
    /** Replaces a front end. @throws UniqueViolation when the new key is taken. */
    async replace(on: Statements, { id, appKey, name, description }: FrontEnd): Promise<void> {
      await on.updateTable('front_end').set({ app_key: appKey, name, description }).where('id', '=', id).execute();
    },
    async remove(on: Statements, id: string): Promise<void> {
      await on.deleteFrom('front_end').where('id', '=', id).execute();
    },
  };
}
