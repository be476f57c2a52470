// The store of budgets in SQL.
import type { ExpressionBuilder } from 'kysely';
import { toInstant } from '../foundation/clock.ts';
import type { Database, Tables } from '../storage/database.ts';
import type { BudgetStore } from './store.ts';

/** The last use of a new budget. */
// Mutation: `0` becomes `1`. One millisecond later is as long ago.
const NEVER = toInstant(0);

export function createBudgetStore(database: Database): BudgetStore {
  return {
    async claim(on, kind, subject, now) {
      // The update that changes nothing takes the row's lock on PostgreSQL, and makes `returning` return the row.
      const row = await on
        .insertInto('pin_budget')
        .values({ kind, subject, started_at: now, used: 0, last_used_at: NEVER })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'subject']).doUpdateSet((eb) => ({ subject: eb.ref('excluded.subject') })),
        )
        .returning(['started_at', 'used', 'last_used_at'])
        .executeTakeFirstOrThrow();
      return { startedAt: row.started_at, used: row.used, lastUsedAt: row.last_used_at };
    },

    async save(on, kind, subject, { startedAt, used, lastUsedAt }) {
      await on
        .updateTable('pin_budget')
        .set({ started_at: startedAt, used, last_used_at: lastUsedAt })
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .execute();
    },

    async deleteExpired(before, limit) {
      // A use that needs no wait is not the last one, so the day counts too.
      const isPast = (eb: ExpressionBuilder<Tables, 'pin_budget'>) =>
        eb('last_used_at', '<', before).and('started_at', '<', before);
      const old = database.sql.selectFrom('pin_budget').select(['kind', 'subject']).where(isPast).limit(limit);
      await database.sql
        .deleteFrom('pin_budget')
        .where((eb) => eb(eb.refTuple('kind', 'subject'), 'in', old.$asTuple('kind', 'subject')))
        // Checks again a budget that changed while the statement waited for its lock.
        // Mutation: `.where(isPast)` becomes nothing. Only a use between this statement's read and its lock differs.
        .where(isPast)
        .execute();
    },
  };
}
