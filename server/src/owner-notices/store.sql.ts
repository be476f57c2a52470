// The store of notices in SQL.
import type { ExpressionBuilder, Selectable } from 'kysely';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import type { Address } from '../foundation/medium.ts';
import type { Database, OwnerNoticeTable, Statements, Tables } from '../storage/database.ts';
import { LONGEST_WAIT_SECONDS, type WaitingChanges } from './notice.ts';

/** An address of an account that gets notices. It may be one that the account had. */
export type NoticeAddress = Address & { readonly accountId: number };

/** What waits for an address, and from when on the next notice may go there. */
export type NoticeState = { readonly waiting: WaitingChanges; readonly frontEnd: string; readonly dueAt: Instant };

/** A new address is due. */
const LONG_AGO = toInstant(0);

const toState = (row: Pick<Selectable<OwnerNoticeTable>, 'waiting' | 'front_end' | 'due_at'>) => ({
  waiting: JSON.parse(row.waiting),
  frontEnd: row.front_end,
  dueAt: row.due_at,
});

/** What `isDue` of notice.ts says. */
const isDue = (now: Instant) => (eb: ExpressionBuilder<Tables, 'owner_notice'>) =>
  eb('due_at', '<=', now).or('due_at', '>', addSeconds(now, LONGEST_WAIT_SECONDS));

export type NoticeStore = ReturnType<typeof createNoticeStore>;

export function createNoticeStore(database: Database) {
  return {
    /** Returns the state of an address, and locks it until the transaction ends. Nothing waits for a new one, which is due. */
    async claim(on: Statements, { accountId, medium, to }: NoticeAddress, frontEnd: string): Promise<NoticeState> {
      const row = await on
        .insertInto('owner_notice')
        .values({
          account_id: accountId,
          means: medium,
          recipient: to,
          waiting: '[]',
          front_end: frontEnd,
          due_at: LONG_AGO,
        })
        // The update that changes nothing takes the row's lock on PostgreSQL, and makes `returning` return the row.
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'recipient'])
            .doUpdateSet((eb) => ({ recipient: eb.ref('excluded.recipient') })),
        )
        .returning(['waiting', 'front_end', 'due_at'])
        .executeTakeFirstOrThrow();
      return toState(row);
    },

    async save(
      on: Statements,
      { accountId, medium, to }: NoticeAddress,
      { waiting, frontEnd, dueAt }: NoticeState,
    ): Promise<void> {
      const state = { waiting: JSON.stringify(waiting), front_end: frontEnd, due_at: dueAt };
      await on
        .insertInto('owner_notice')
        .values({ account_id: accountId, means: medium, recipient: to, ...state })
        .onConflict((conflict) => conflict.columns(['account_id', 'recipient']).doUpdateSet(state))
        .execute();
    },

    /** Deletes up to `limit` addresses that are due and that nothing waits for. @returns how many. */
    async deleteIdle(now: Instant, limit: number): Promise<number> {
      const isIdle = (eb: ExpressionBuilder<Tables, 'owner_notice'>) =>
        eb.and([isDue(now)(eb), eb('waiting', '=', '[]')]);
      const idle = database.sql
        .selectFrom('owner_notice')
        .select(['account_id', 'recipient'])
        .where(isIdle)
        .limit(limit)
        .$call(database.skipLocked);
      const { numDeletedRows } = await database.sql
        .deleteFrom('owner_notice')
        .where((eb) => eb(eb.refTuple('account_id', 'recipient'), 'in', idle.$asTuple('account_id', 'recipient')))
        // Checks again what changed since the statement read it.
        .where(isIdle)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Returns up to `limit` addresses that are due. */
    async findDue(now: Instant, limit: number): Promise<NoticeAddress[]> {
      const rows = await database.sql
        .selectFrom('owner_notice')
        .select(['account_id', 'means', 'recipient'])
        .where(isDue(now))
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ accountId: row.account_id, medium: row.means, to: row.recipient }));
    },

    /** Deletes and returns the state of an address that is due. Of concurrent calls one gets it. */
    async takeDue(on: Statements, { accountId, to }: NoticeAddress, now: Instant): Promise<NoticeState | undefined> {
      const row = await on
        .deleteFrom('owner_notice')
        .where('account_id', '=', accountId)
        .where('recipient', '=', to)
        .where(isDue(now))
        .returning(['waiting', 'front_end', 'due_at'])
        .executeTakeFirst();
      return row && toState(row);
    },
  };
}
