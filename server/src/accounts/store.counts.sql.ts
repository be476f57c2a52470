// Counts of accounts by state, in parts: one statement over 100,000 accounts would delay every request on SQLite.

import { createTurnEnd } from '../foundation/turn.ts';
import type { Database } from '../storage/database.ts';

/** Accounts that one statement reads. */
const BATCH = 1000;

/** How many accounts there are, and how many of them are in which state. */
export type AccountCounts = { readonly total: number; readonly inactive: number; readonly mustChangePassword: number };

/** Returns a function that counts all accounts. Between its statements the service answers requests. */
export function createAccountCounts(database: Database): () => Promise<AccountCounts> {
  const endOfTurn = createTurnEnd();

  async function countAfter(id: number) {
    const batch = database.sql
      .selectFrom('account')
      .select(['id', 'is_active', 'must_change_password'])
      .where('id', '>', id)
      .orderBy('id')
      .limit(BATCH)
      .as('batch');
    const row = await database.sql
      .selectFrom(batch)
      .select(({ fn }) => [
        fn.countAll<number>().as('total'),
        fn.sum<number | null>('is_active').as('active'),
        fn.sum<number | null>('must_change_password').as('must_change_password'),
        fn.max('id').as('last'),
      ])
      .executeTakeFirstOrThrow();
    const total = Number(row.total);
    return {
      total,
      inactive: total - Number(row.active),
      mustChangePassword: Number(row.must_change_password),
      last: Number(row.last),
    };
  }

  return async () => {
    let counts: AccountCounts = { total: 0, inactive: 0, mustChangePassword: 0 };
    for (let after = 0; ; ) {
      const { last, ...batch } = await countAfter(after);
      counts = {
        total: counts.total + batch.total,
        inactive: counts.inactive + batch.inactive,
        mustChangePassword: counts.mustChangePassword + batch.mustChangePassword,
      };
      if (batch.total < BATCH) return counts;
      after = last;
      await endOfTurn();
    }
  };
}
