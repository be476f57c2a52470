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
    /** Removes a front end. The key that it has, and those that it had, belong to no other front end afterwards. */
    async remove(on: Statements, { id, appKey }: Pick<FrontEnd, 'id' | 'appKey'>): Promise<void> {
      await on.deleteFrom('front_end').where('id', '=', id).execute();
      await on
        .deleteFrom('front_end_former_key')
        .where((eb) => eb.or([eb('front_end_id', '=', id), eb('app_key', '=', appKey)]))
        .execute();
    },
    /** Keeps the key that a front end had until now. */
    async keepFormerKey(on: Statements, { id, appKey }: Pick<FrontEnd, 'id' | 'appKey'>): Promise<void> {
      await on
        .insertInto('front_end_former_key')
        .values({ app_key: appKey, front_end_id: id })
        .onConflict((conflict) => conflict.column('app_key').doUpdateSet({ front_end_id: id }))
        .execute();
    },
    /** Returns each key that only a former name of a front end is, with the key that the front end has now. */
    readFormerKeys: (): Promise<{ formerKey: string; appKey: string }[]> =>
      database.sql
        .selectFrom('front_end_former_key as former')
        .innerJoin('front_end', 'front_end.id', 'former.front_end_id')
        .where('former.app_key', 'not in', database.sql.selectFrom('front_end').select('app_key'))
        .select(['former.app_key as formerKey', 'front_end.app_key as appKey'])
        .execute(),
  };
}
