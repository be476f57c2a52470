// The store of audit entries in SQL.
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { readJson } from '../foundation/object.ts';
import type { AuditTable, Database, Statements, Tables } from '../storage/database.ts';
import type { Link } from './chain.ts';

/** One audit entry. Numbers can have gaps and are never used again. */
export type AuditEntry = {
  id: number;
  at: Instant;
  action: string;
  outcome: string;
  reason: string | null;
  userId: number | null;
  userName: string | null;
  ipAddress: string | null;
  frontEnd: string | null;
  userAgent: string | null;
  details: Record<string, unknown> | null;
};

/** The entries to find. Absent members match all. `from` is inclusive, `to` exclusive. */
export type AuditFilter = {
  userId?: number;
  /** One action, or any of several. */
  action?: string | readonly string[];
  /** Actions whose entries do not match. */
  exceptAction?: readonly string[];
  outcome?: string;
  reason?: string;
  ipAddress?: string;
  frontEnd?: string;
  from?: Instant;
  to?: Instant;
};

/** The place of an entry in the trail, which is ordered by time, then by number. */
export type Place = { readonly at: Instant; readonly id: number };

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
  eb.and([
    ...withoutIndex.flatMap(([member, column]) => {
      const value = filter[member];
      return value === undefined ? [] : [eb(column, 'in', [value].flat())];
    }),
    ...(filter.exceptAction ? [eb('action', 'not in', filter.exceptAction)] : []),
  ]);

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
  details: row.details === null ? null : readJson(row.details),
});

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(database: Database) {
  const insert = database.insertForRows(entryColumns, (given, from) => {
    const names = Object.keys(entryColumns).map((name) => sql.ref(name));
    return sql<{ id: number }>`insert into "audit" (${sql.join(names)})
      ${from(Object.values(given))} returning id`;
  });
  const selectNewest = database.statement((on) => on.selectFrom('audit').select((eb) => eb.fn.max('id').as('newest')));
  return {
    /** Adds entries in the transaction of the changes that they record. @returns their numbers, in the same order. */
    async append(on: Statements, at: Instant, occurrences: readonly Occurrence[]): Promise<number[]> {
      const added = await insert(
        on,
        occurrences.map((occurrence) => toRow(at, occurrence)),
      );
      return added.map(({ id }) => id);
    },

    /**
     * Scans at most `limit` entries, newest first, that are older than `before`. An index narrows them by time and user.
     * @returns the numbers of the matching entries, and the last scanned place, or no place if it reached the end.
     */
    async scan(
      filter: AuditFilter,
      before: Place | undefined,
      limit: number,
    ): Promise<{ matches: number[]; last: Place | undefined }> {
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

    /** Reads these entries, newest first. */
    async read(ids: readonly number[]): Promise<AuditEntry[]> {
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

    /** Reads entries of the chain from a sequence number up to the head, in their order. They are on disk. */
    async readChained(from: number, limit: number): Promise<(AuditEntry & Link)[]> {
      const rows = await database.sql
        .selectFrom('audit')
        .selectAll()
        .where('sequence', '>=', from)
        // A reader could not go on from an entry that somebody has inserted beyond it.
        .where('sequence', '<=', (eb) => eb.selectFrom('audit_chain').select('head_sequence'))
        .orderBy('sequence')
        .orderBy('id')
        .limit(limit)
        .execute();
      // SQLite shows what is committed and not on disk yet. After a power cut, other entries would have these places.
      // The first one is the reader's last one, except at the start.
      const hasMore = rows.length > (from > 1 ? 1 : 0);
      if (database.engine === 'sqlite' && hasMore) await database.transaction(async () => {});
      return rows.map((row) => ({ ...toEntry(row), sequence: row.sequence ?? 0, hash: row.hash ?? '' }));
    },

    /** Returns the place of the entry with this number, or of the nearest one before it if it does not exist. */
    findPlace: (id: number): Promise<Place | undefined> =>
      database.sql
        .selectFrom('audit')
        .select(['at', 'id'])
        .where('id', '<=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** Returns the number of the newest entry, or 0 without entries. */
    async newest(on: Statements = database.sql): Promise<number> {
      const [row] = await selectNewest(on, {});
      return Number(row?.newest ?? 0);
    },
  };
}
