// The store of erasures in SQL: which accounts the trail is to forget, and the entries that name them.
import type { Instant } from '../foundation/clock.ts';
import type { Database, Statements } from '../storage/database.ts';
import type { Place } from './store.sql.ts';

/** An erasure that goes on: the entry that tells of it, and the steps that are done. */
export type RunningErasure = {
  readonly accountId: number;
  readonly entryId: number;
  readonly erasedAt: Instant;
  readonly step: ErasureStep;
};

/** What is done: nothing, the entries about the account, also the entries of what the account did as administrator. */
export type ErasureStep = 0 | 1 | 2;

/** An entry that may tell of an act of the account. */
export type Act = { readonly id: number; readonly details: string | null };

export type ErasureStore = ReturnType<typeof createErasureStore>;

export function createErasureStore(database: Database) {
  return {
    /** Begins an erasure. @param action the action of the entry that tells of it, which the transaction has written. */
    async begin(on: Statements, accountId: number, action: string, erasedAt: Instant): Promise<void> {
      const { id } = await on
        .selectFrom('audit')
        .select('id')
        .where('user_id', '=', accountId)
        .where('action', '=', action)
        // In the order of the index: the trail of an account may be long.
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const begun = { entry_id: id, erased_at: erasedAt, step: 0 } as const;
      await on
        .insertInto('audit_erasure')
        .values({ account_id: accountId, ...begun })
        // An import has given the number again, and that account is erased too.
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(begun))
        .execute();
    },

    /** Returns erasures with steps left, and those that began before an instant. */
    async list(begunBefore: Instant, limit: number): Promise<RunningErasure[]> {
      const rows = await database.sql
        .selectFrom('audit_erasure')
        .selectAll()
        .where((eb) => eb('step', '<', 2).or('erased_at', '<=', begunBefore))
        .orderBy('erased_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        accountId: row.account_id,
        entryId: row.entry_id,
        erasedAt: row.erased_at,
        step: row.step,
      }));
    },

    /** Records that an erasure has come so far. It changes nothing if the number was erased again meanwhile. */
    async setStep({ accountId, entryId }: RunningErasure, step: ErasureStep): Promise<void> {
      await database.sql
        .updateTable('audit_erasure')
        .set({ step })
        .where('account_id', '=', accountId)
        .where('entry_id', '=', entryId)
        .execute();
    },

    /** Ends an erasure, and with `withKey` deletes the key of the account. */
    async end(on: Statements, { accountId, entryId }: RunningErasure, withKey: boolean): Promise<void> {
      const { numDeletedRows } = await on
        .deleteFrom('audit_erasure')
        .where('account_id', '=', accountId)
        .where('entry_id', '=', entryId)
        .executeTakeFirst();
      if (withKey && numDeletedRows > 0n)
        await on.deleteFrom('audit_key').where('account_id', '=', accountId).execute();
    },

    /**
     * Empties up to `limit` entries about an account that come after a place, except those with an action.
     * @param newest the newest entry to empty.
     * @returns the last place, or `undefined` if it has reached the end.
     */
    async emptyEntries(
      on: Statements,
      {
        accountId,
        after,
        action,
        newest,
      }: { accountId: number; after: Place | undefined; action: string; newest: number },
      limit: number,
    ): Promise<Place | undefined> {
      let query = on.selectFrom('audit').select(['at', 'id']).where('user_id', '=', accountId);
      if (after) query = query.where((eb) => eb(eb.refTuple('at', 'id'), '>', eb.tuple(after.at, after.id)));
      const found = await query.orderBy('at').orderBy('id').limit(limit).execute();
      const [first, last] = [found[0], found.at(-1)];
      if (!first || !last) return undefined;
      await on
        .updateTable('audit')
        .set({ user_name: null, ip_address: null, user_agent: null, details: null, erased_for: accountId })
        .where(
          'id',
          'in',
          found.map(({ id }) => id),
        )
        // So that a table that is partitioned by time is searched only in the partitions concerned.
        .where('at', '>=', first.at)
        .where('at', '<=', last.at)
        .where('id', '<=', newest)
        .where('action', '<>', action)
        .where('erased_for', 'is', null)
        .execute();
      return found.length < limit ? undefined : last;
    },

    /** Whether an entry before this one is not chained yet. */
    async hasUnchainedBefore(id: number): Promise<boolean> {
      const unchained = database.sql
        .selectFrom('audit')
        .select('id')
        .where('sequence', 'is', null)
        .where('id', '<', id);
      return (await unchained.limit(1).executeTakeFirst()) !== undefined;
    },

    /** Returns up to `limit` entries with the name of an administrator, by their numbers, between two numbers. */
    readActs: (after: number, before: number, limit: number): Promise<Act[]> =>
      database.sql
        .selectFrom('audit')
        .select(['id', 'details'])
        .where('by_commitment', 'is not', null)
        .where('id', '>', after)
        .where('id', '<', before)
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Takes the administrator out of an entry, unless it was emptied since it was read. */
    async emptyAct(on: Statements, { id, details }: Act, kept: string, accountId: number): Promise<void> {
      await on
        .updateTable('audit')
        .set({ details: kept, ip_address: null, user_agent: null, erased_by_for: accountId })
        .where('id', '=', id)
        .where('details', '=', details)
        .execute();
    },
  };
}
