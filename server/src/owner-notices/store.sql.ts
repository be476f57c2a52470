// The store of notices in SQL.
import type { ExpressionBuilder, Selectable } from 'kysely';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import type { Database, OwnerNoticeTable, Tables } from '../storage/database.ts';
import { LONGEST_WAIT_SECONDS } from './notice.ts';
import type { NoticeStore } from './store.ts';

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

export function createNoticeStore(database: Database): NoticeStore {
  return {
    async claim(on, { accountId, medium, to }, frontEnd) {
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

    async save(on, { accountId, medium, to }, { waiting, frontEnd, dueAt }) {
      const state = { waiting: JSON.stringify(waiting), front_end: frontEnd, due_at: dueAt };
      await on
        .insertInto('owner_notice')
        .values({ account_id: accountId, means: medium, recipient: to, ...state })
        .onConflict((conflict) => conflict.columns(['account_id', 'recipient']).doUpdateSet(state))
        .execute();
    },

    async findDue(now, limit) {
      const rows = await database.sql
        .selectFrom('owner_notice')
        .select(['account_id', 'means', 'recipient'])
        .where(isDue(now))
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ accountId: row.account_id, medium: row.means, to: row.recipient }));
    },

    async takeDue(on, { accountId, to }, now) {
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
