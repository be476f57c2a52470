// The audit trail in SQL.
import type { AuditTable, Database, Given } from '../storage/database.ts';
import type { AuditEntry, AuditStore } from './store.ts';

/** Longest user agent kept, in characters. */
const MAX_USER_AGENT = 256;

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

    async list(filter, { skip, take }) {
      let matching = database.sql.selectFrom('audit');
      if (filter.userId !== undefined) matching = matching.where('user_id', '=', filter.userId);
      if (filter.action !== undefined) matching = matching.where('action', '=', filter.action);
      if (filter.outcome !== undefined) matching = matching.where('outcome', '=', filter.outcome);
      if (filter.ipAddress !== undefined) matching = matching.where('ip_address', '=', filter.ipAddress);
      if (filter.from !== undefined) matching = matching.where('at', '>=', filter.from);
      if (filter.to !== undefined) matching = matching.where('at', '<', filter.to);
      const [rows, count] = await Promise.all([
        matching.selectAll().orderBy('id', 'desc').offset(skip).limit(take).execute(),
        matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ]);
      const entries = rows.map(
        (row): AuditEntry => ({
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
        }),
      );
      return { entries, total: Number(count.total) };
    },

    async newest() {
      const [row] = await selectNewest(database.sql, {});
      return Number(row?.newest ?? 0);
    },
  };
}
