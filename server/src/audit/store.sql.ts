// The audit trail in SQL.
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { AuditTable, Database, Given, Tables } from '../storage/database.ts';
import type { AuditEntry, AuditFilter, AuditStore } from './store.ts';

/** Longest user agent kept, in characters. */
const MAX_USER_AGENT = 256;

/** What a filter compares. The first that is given and has an index drives the scan, so the most selective comes first. */
const comparisons = [
  { member: 'userId', column: 'user_id', hasIndex: true },
  { member: 'action', column: 'action', hasIndex: false },
  { member: 'ipAddress', column: 'ip_address', hasIndex: false },
  { member: 'outcome', column: 'outcome', hasIndex: false },
] as const;

const toConditions = (filter: AuditFilter) =>
  comparisons.flatMap(({ member, column, hasIndex }) => {
    const value = filter[member];
    const compare = (eb: ExpressionBuilder<Tables, 'audit'>) => eb(column, '=', value as string | number);
    return value === undefined ? [] : [{ compare, hasIndex }];
  });

const toEntry = (row: Selectable<AuditTable>): AuditEntry => ({
  id: row.id,
  at: row.at,
  action: row.action,
  outcome: row.outcome,
  reason: row.reason,
  userId: row.user_id,
  userName: row.user_name,
  ipAddress: row.ip_address,
  frontEnd: row.front_end,
  userAgent: row.user_agent,
  details: row.details === null ? null : JSON.parse(row.details),
});

export function createAuditStore(database: Database): AuditStore {
  const insertEntry = database.statement((on, given: Given<Omit<AuditTable, 'id'>>) =>
    on
      .insertInto('audit')
      .values({
        at: given('at'),
        action: given('action'),
        outcome: given('outcome'),
        reason: given('reason'),
        user_id: given('user_id'),
        user_name: given('user_name'),
        ip_address: given('ip_address'),
        front_end: given('front_end'),
        user_agent: given('user_agent'),
        details: given('details'),
      })
      .returning('id'),
  );
  const selectNewest = database.statement((on) => on.selectFrom('audit').select((eb) => eb.fn.max('id').as('newest')));
  return {
    async append(on, at, { action, outcome, reason, user, origin, details }) {
      const [row] = await insertEntry(on, {
        at,
        action: action.name,
        outcome,
        reason: reason ?? null,
        user_id: user?.id ?? null,
        user_name: user?.name ?? null,
        ip_address: origin?.ipAddress ?? null,
        front_end: origin?.frontEnd ?? null,
        user_agent: origin?.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
        details: details ? JSON.stringify(details) : null,
      });
      return Number(row?.id);
    },

    async scan(filter, before, most) {
      const conditions = toConditions(filter);
      const driving = conditions.find(({ hasIndex }) => hasIndex);
      const others = conditions.filter((condition) => condition !== driving);
      let scanned = database.sql.selectFrom('audit');
      if (driving) scanned = scanned.where(driving.compare);
      if (filter.from !== undefined) scanned = scanned.where('at', '>=', filter.from);
      if (filter.to !== undefined) scanned = scanned.where('at', '<', filter.to);
      if (before) scanned = scanned.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(before.at, before.id)));
      const rows = await scanned
        // Where the other conditions stood beside the driving one, the database would read on until `most` meet them.
        .select((eb) => {
          const meetsOthers = eb.and(others.map(({ compare }) => compare(eb)));
          return ['id', 'at', eb.case().when(meetsOthers).then(eb.lit(1)).else(eb.lit(0)).end().as('matches')];
        })
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute();
      const matches = rows.filter((row) => row.matches === 1).map(({ id }) => id);
      return { matches, last: rows.length < most ? undefined : rows.at(-1) };
    },

    async read(ids) {
      if (ids.length === 0) return [];
      const rows = await database.sql
        .selectFrom('audit')
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toEntry);
    },

    findPlace: (id) =>
      database.sql
        .selectFrom('audit')
        .select(['at', 'id'])
        .where('id', '<=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    async removeOld(before, most) {
      const newest = database.sql.selectFrom('audit').select((eb) => eb.fn.max('id').as('newest'));
      const old = database.sql
        .selectFrom('audit')
        .select('id')
        .where('at', '<', before)
        .where('id', '<', newest)
        .orderBy('at')
        .limit(most);
      // The time again: of a table that is partitioned by it, only the partitions concerned are looked into.
      const removed = await database.sql
        .deleteFrom('audit')
        .where('id', 'in', old)
        .where('at', '<', before)
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    },

    async newest() {
      const [row] = await selectNewest(database.sql, {});
      return Number(row?.newest ?? 0);
    },
  };
}
