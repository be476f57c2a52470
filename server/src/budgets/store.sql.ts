// The store of budgets in SQL.
import { type ExpressionBuilder, sql } from 'kysely';
import { type Instant, toInstant } from '../foundation/clock.ts';
import type { Database, Statements, Tables } from '../storage/database.ts';
import type { Budget } from './budget.ts';

/**
 * What a budget counts in a day: requests for a name, messages to an address or account, wrong tries of pins, user
 * names of a registration, changes of an account, or test messages of an administrator.
 */
export type BudgetKind = 'asked' | 'sent' | 'tried' | 'changed' | 'tested';

/** The last use of a new budget. */
// Mutation: `0` becomes `1`. One millisecond later is as long ago.
const NEVER = toInstant(0);

export type BudgetStore = ReturnType<typeof createBudgetStore>;

export function createBudgetStore(database: Database) {
  return {
    /** Returns the budget, and locks it until the transaction ends. */
    async claim(on: Statements, kind: BudgetKind, subject: string, now: Instant): Promise<Budget> {
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

    /** Stores a budget that the same transaction has claimed. */
    async save(
      on: Statements,
      kind: BudgetKind,
      subject: string,
      { startedAt, used, lastUsedAt }: Budget,
    ): Promise<void> {
      await on
        .updateTable('pin_budget')
        .set({ started_at: startedAt, used, last_used_at: lastUsedAt })
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .execute();
    },

    /** Deletes up to `limit` budgets whose day began, and which were last used, before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      // A use that needs no wait is not the last one, so the day counts too.
      const isPast = (eb: ExpressionBuilder<Tables, 'pin_budget'>) =>
        // Not by the index of last uses, which most budgets have none of.
        eb(sql<Instant>`+ ${sql.ref('last_used_at')}`, '<', before).and('started_at', '<', before);
      const old = database.sql
        .selectFrom('pin_budget')
        .select(['kind', 'subject'])
        .where(isPast)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql
        .deleteFrom('pin_budget')
        .where((eb) => eb(eb.refTuple('kind', 'subject'), 'in', old.$asTuple('kind', 'subject')))
        // Checks again a budget that changed since the statement read it.
        // Mutation: `.where(isPast)` becomes nothing. Only a use between this statement's read and its lock differs.
        .where(isPast)
        .execute();
    },
  };
}
