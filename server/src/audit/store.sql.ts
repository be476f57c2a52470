// The store of audit entries in SQL.
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { AuditTable, Database, Tables } from '../storage/database.ts';
import type { AuditEntry, AuditFilter, AuditStore } from './store.ts';

/** Length to which user agents are cut, in characters. */
const MAX_USER_AGENT = 256;

/** Members of a filter whose columns have no index, because each index costs every entry a write. */
const withoutIndex = [
  ['action', 'action'],
  ['ipAddress', 'ip_address'],
  ['outcome', 'outcome'],
  ['reason', 'reason'],
  ['frontEnd', 'front_end'],
] as const;

/** Whether an entry meets the conditions of the filter on columns without index. */
const meetsUnindexed = (filter: AuditFilter) => (eb: ExpressionBuilder<Tables, 'audit'>) =>
  eb.and(
    withoutIndex.flatMap(([member, column]) => {
      const value = filter[member];
      return value === undefined ? [] : [eb(column, 'in', [value].flat())];
    }),
  );

const entryColumns = {
  at: 'bigint',
  action: 'text',
  outcome: 'text',
  reason: 'text',
  user_id: 'bigint',
  user_name: 'text',
  ip_address: 'text',
  front_end: 'text',
  user_agent: 'text',
  details: 'text',
} as const;

const toRow = (at: Instant, { action, outcome, reason, user, origin, details }: Occurrence) => ({
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
  const insert = database.insertForRows(entryColumns, (given, from) => {
    const names = Object.keys(entryColumns).map((name) => sql.ref(name));
    return sql<{ id: number }>`insert into "audit" (${sql.join(names)})
      ${from(Object.values(given))} returning id`;
  });
  const selectNewest = database.statement((on) => on.selectFrom('audit').select((eb) => eb.fn.max('id').as('newest')));
  return {
    async append(on, at, occurrences) {
      const added = await insert(
        on,
        occurrences.map((occurrence) => toRow(at, occurrence)),
      );
      return added.map(({ id }) => id);
    },

    async scan(filter, before, limit) {
      let scanned = database.sql.selectFrom('audit');
      if (filter.userId !== undefined) scanned = scanned.where('user_id', '=', filter.userId);
      if (filter.from !== undefined) scanned = scanned.where('at', '>=', filter.from);
      if (filter.to !== undefined) scanned = scanned.where('at', '<', filter.to);
      if (before) scanned = scanned.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(before.at, before.id)));
      const rows = await scanned
        // Selected, not conditions: as conditions they would make the database scan until `limit` entries meet them.
        .select((eb) => {
          const matches = eb.case().when(meetsUnindexed(filter)(eb)).then(eb.lit(1)).else(eb.lit(0)).end();
          return ['id', 'at', matches.as('matches')];
        })
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      const matches = rows.filter((row) => row.matches === 1).map(({ id }) => id);
      return { matches, last: rows.length < limit ? undefined : rows.at(-1) };
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

    async deleteExpired(before, limit) {
      const newest = database.sql.selectFrom('audit').select((eb) => eb.fn.max('id').as('newest'));
      const old = database.sql
        .selectFrom('audit')
        .select('id')
        .where('at', '<', before)
        .where('id', '<', newest)
        .orderBy('at')
        .limit(limit);
      // Repeats the time, so that a table that is partitioned by time is scanned only in the partitions concerned.
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
