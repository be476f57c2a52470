// Lists of accounts, in SQL: pages for administrators, batches for exports, and the accounts of a role.
import { type SelectQueryBuilder, sql } from 'kysely';
import { createTurnEnd } from '../foundation/turn.ts';
import type { AccountTable, Database, Statements } from '../storage/database.ts';
import type { Account } from './account.ts';
import { type AccountConditions, type AccountQuery, columns, sortColumns, toAccount } from './store.rows.ts';

/** The columns to sort by that may be null. */
const nullable: readonly AccountQuery['sort']['by'][] = ['emailAddress', 'lastLoginTime'];

/** The most accounts that an export has in memory at once. */
const BATCH = 500;

/** Accounts that one statement counts. */
const COUNTED = 1000;

/** Puts accounts without the value in the same place on both engines. All other columns have the order of their index. */
function inOrder<Row>(
  query: SelectQueryBuilder<{ account: AccountTable }, 'account', Row>,
  { by, descending }: AccountQuery['sort'],
): SelectQueryBuilder<{ account: AccountTable }, 'account', Row> {
  const direction = descending ? 'desc' : 'asc';
  const sorted = query.orderBy(sortColumns[by], (order) => {
    if (!nullable.includes(by)) return order[direction]();
    return descending ? order.desc().nullsLast() : order.asc().nullsFirst();
  });
  return sorted.orderBy('id', direction);
}

export function createAccountLists(database: Database) {
  const endOfTurn = createTurnEnd();
  const select = (conditions: AccountConditions) =>
    database.sql.selectFrom('account').where((eb) => eb.and([...conditions]));

  async function count(conditions: AccountConditions): Promise<number> {
    const { total } = await select(conditions)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  }

  return {
    async list(
      conditions: AccountConditions,
      { sort, skip, take }: AccountQuery,
    ): Promise<{ accounts: Account[]; total: number }> {
      // The database sorts ids alone: with whole rows, a late page takes ten times as long.
      const ids = inOrder(select(conditions).select('id'), sort).offset(skip).limit(take);
      const [rows, total] = await Promise.all([
        inOrder(database.sql.selectFrom('account').select(columns).where('id', 'in', ids), sort).execute(),
        count(conditions),
      ]);
      return { accounts: rows.map(toAccount), total };
    },

    count,

    /** Reads all accounts that match, by id, in batches. */
    async *readBatches(conditions: AccountConditions): AsyncGenerator<Account[], void, void> {
      for (let last = 0, isMore = true; isMore; ) {
        const rows = await select(conditions)
          .select(columns)
          .where('id', '>', last)
          .orderBy('id')
          .limit(BATCH)
          .execute();
        isMore = rows.length === BATCH;
        last = rows.at(-1)?.id ?? last;
        if (rows.length > 0) yield rows.map(toAccount);
      }
    },

    /** Returns the ids of the accounts whose roles match. */
    async findByRoles(on: Statements, match: (roleNames: readonly string[]) => boolean): Promise<number[]> {
      // Accounts share few lists of roles.
      const lists = await on.selectFrom('account').select('roles').distinct().execute();
      const matching = lists.map(({ roles }) => roles).filter((roles) => match(JSON.parse(roles)));
      if (matching.length === 0) return [];
      const rows = await on.selectFrom('account').select('id').where('roles', 'in', matching).execute();
      return rows.map(({ id }) => id);
    },

    /** Returns the lists of roles that accounts have, and how many accounts have each. Counts in parts, as `createAccountCounts` does. */
    async countByRoles(): Promise<{ roleNames: readonly string[]; count: number }[]> {
      const counts = new Map<string, number>();
      for (let after = 0, isMore = true; isMore; ) {
        const batch = database.sql
          .selectFrom('account')
          .select(['id', 'roles'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(COUNTED)
          .as('batch');
        const rows = await database.sql
          .selectFrom(batch)
          .select(({ fn }) => ['roles', fn.countAll<number>().as('count'), fn.max('id').as('last')])
          .groupBy('roles')
          .execute();
        for (const { roles, count } of rows) counts.set(roles, (counts.get(roles) ?? 0) + Number(count));
        isMore = rows.reduce((sum, { count }) => sum + Number(count), 0) === COUNTED;
        after = Math.max(after, ...rows.map(({ last }) => Number(last)));
        if (isMore) await endOfTurn();
      }
      return [...counts].map(([roles, count]) => ({ roleNames: JSON.parse(roles), count }));
    },

    /** Returns the ids of the active accounts that have this role. */
    async findActiveByRole(on: Statements, role: string): Promise<number[]> {
      const rows = await on
        .selectFrom('account')
        .select(['id', 'roles'])
        .where('is_active', '=', 1)
        // Written out: with a parameter, neither engine would use the index of administrators.
        .where('roles', 'like', sql.lit(`%${JSON.stringify(role)}%`))
        .execute();
      return rows.filter(({ roles }) => JSON.parse(roles).includes(role)).map(({ id }) => id);
    },
  };
}
