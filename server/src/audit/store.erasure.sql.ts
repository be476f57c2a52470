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

/**
 * What is done: nothing, the entries about the account, also the entries of what the account did as administrator, also what
 * was written late.
 */
export type ErasureStep = 0 | 1 | 2 | 3;

/** An entry that may tell of an act of the account. */
export type Act = { readonly id: number; readonly details: string | null };

export type ErasureStore = ReturnType<typeof createErasureStore>;

export function createErasureStore(database: Database) {
  return {
    /**
     * Begins an erasure.
     * @param action the action of the entry that tells of it, which the transaction has written.
     * @returns the number of that entry.
     */
    async begin(on: Statements, accountId: number, action: string, erasedAt: Instant): Promise<number> {
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
      return id;
    },

    /**
     * Whether there is an entry about an account that no erasure has emptied, or is to empty.
     * @param action the action of the entries that tell of erasures.
     */
    async isKnown(on: Statements, accountId: number, action: string): Promise<boolean> {
      const row = await on
        .selectFrom('audit')
        .select('id')
        .where('user_id', '=', accountId)
        .where('erased_for', 'is', null)
        .where('action', '<>', action)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('audit_erasure')
                .select('account_id')
                .where('account_id', '=', accountId)
                .whereRef('entry_id', '>', 'audit.id'),
            ),
          ),
        )
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Corrects the times of erasures that a clock told that was ahead. They must not wait for that time. */
    async correctTimes(now: Instant): Promise<void> {
      await database.sql.updateTable('audit_erasure').set({ erased_at: now }).where('erased_at', '>', now).execute();
    },

    /**
     * Returns up to `limit` erasures with something to do, oldest first.
     * @param due what is written late is removed for those before `late`, and for the last time for those before `last`.
     * @param after the last one of the page before.
     */
    async list(
      due: { readonly late: Instant; readonly last: Instant },
      after: RunningErasure | undefined,
      limit: number,
    ): Promise<RunningErasure[]> {
      let query = database.sql
        .selectFrom('audit_erasure')
        .selectAll()
        .where((eb) =>
          eb.or([
            eb('step', '<', 2),
            eb('step', '<', 3).and('erased_at', '<=', due.late),
            eb('erased_at', '<=', due.last),
          ]),
        );
      if (after) {
        const { erasedAt, accountId } = after;
        query = query.where((eb) => eb(eb.refTuple('erased_at', 'account_id'), '>', eb.tuple(erasedAt, accountId)));
      }
      const rows = await query.orderBy('erased_at').orderBy('account_id').limit(limit).execute();
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

    /** Whether the erasure goes on. It does not if the number was erased again meanwhile. */
    async isRunning(on: Statements, { accountId, entryId }: RunningErasure): Promise<boolean> {
      const running = on.selectFrom('audit_erasure').select('step').where('account_id', '=', accountId);
      return (await running.where('entry_id', '=', entryId).executeTakeFirst()) !== undefined;
    },

    /** Deletes the key of an account. */
    async deleteKey(on: Statements, accountId: number): Promise<void> {
      await on.deleteFrom('audit_key').where('account_id', '=', accountId).execute();
    },

    /** Ends an erasure, unless the number was erased again meanwhile. */
    async end({ accountId, entryId }: RunningErasure): Promise<void> {
      await database.sql
        .deleteFrom('audit_erasure')
        .where('account_id', '=', accountId)
        .where('entry_id', '=', entryId)
        .execute();
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

    /** Returns the number of the first entry that is not chained yet. */
    async findUnchained(): Promise<number | undefined> {
      const unchained = database.sql.selectFrom('audit').select('id').where('sequence', 'is', null);
      return (await unchained.orderBy('id').limit(1).executeTakeFirst())?.id;
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
