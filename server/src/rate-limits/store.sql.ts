// The rate limit store in SQL, which all nodes share: one upsert decides. A node caches only refusals that still stand.
import { sql } from 'kysely';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { createRecent } from '../foundation/recent.ts';
import type { Statements } from '../storage/database.ts';
import type { FailurePolicy, Policy } from './settings.ts';
import type { RateLimitStore } from './store.ts';
import { decisionOn, endOf, type Limits, standingRefusal, type Window } from './window.ts';

/** Most refusals in a node's cache. A refusal that is not cached costs one query. */
// Mutation: `10_000` becomes `10001`. A limit of memory with one more refusal. A forgotten refusal costs one query.
const REMEMBERED_REFUSALS = 10_000;

/** One statement deletes this many rows, so that it does not hold locks for long. */
const BATCH = 500;

type Row = { started_at: Instant; requests: number; refused_at: Instant | null };

/**
 * Creates a store on PostgreSQL or SQLite. A cached refusal is checked against the current limits. In the database, too,
 * only time and changed limits end a refusal. Errors of the database propagate, so that the service refuses requests
 * that it cannot count with `service.unavailable`.
 */
export function createSqlRateLimitStore(statements: Statements): RateLimitStore {
  const refusals = createRecent<Window>(REMEMBERED_REFUSALS);

  function findStanding(key: string, limits: Limits, now: Instant) {
    const known = refusals.get(key);
    return known && standingRefusal(known, limits, now);
  }

  return {
    async take(policy, address, limits, now) {
      const key = `${policy} ${address}`;
      const standing = findStanding(key, limits, now);
      if (standing) return standing;
      const { window, counted } = await countOrRead(statements, policy, address, limits, now);
      const refused = window.refusedAt !== null;
      // Mutation: `refused` becomes `true`. A window without a refusal refuses nothing: it only takes a place in memory.
      if (refused) refusals.keep(key, window, endOf(window, limits), now);
      else refusals.forget(key);
      return decisionOn(window, limits, now, refused && counted);
    },
    async giveBack(policy, address, _limits, takenAt) {
      await statements
        .updateTable('rate_window')
        .set((eb) => ({ requests: eb('requests', '-', 1) }))
        .where('policy', '=', policy)
        .where('address', '=', address)
        .where('refused_at', 'is', null)
        .where('started_at', '<=', takenAt)
        .execute();
    },
    standingRefusal: (policy, address, limits, now) => findStanding(`${policy} ${address}`, limits, now),
    async deleteExpired(now, longestWaitSeconds) {
      // Mutation: `refusals.sweep(now);` becomes `;`. It frees memory and affects no decision.
      refusals.sweep(now);
      let total = 0;
      for (let removed = BATCH; removed === BATCH; total += removed) {
        removed = await deleteBatch(statements, addSeconds(now, -longestWaitSeconds));
      }
      return total;
    },
  };
}

const toWindow = (row: Row): Window => ({
  startedAt: row.started_at,
  requests: row.requests,
  refusedAt: row.refused_at,
});

/** Counts a request, or reads the refusal that stands. If the refusal has ended before it is read, counts again. */
async function countOrRead(
  statements: Statements,
  policy: Policy | FailurePolicy,
  address: string,
  limits: Limits,
  now: Instant,
) {
  for (;;) {
    const counted = await count(statements, policy, address, limits, now);
    if (counted) return { window: counted, counted: true };
    const refusal = await readRefusal(statements, policy, address);
    if (refusal) return { window: refusal, counted: false };
  }
}

/**
 * Does what `take` of window.ts does, in one statement. The database locks the row, so concurrent requests are counted
 * one after the other.
 * @returns the window if the request was allowed or is the first refusal. `undefined`, without a change, if the address
 * is already refused.
 */
async function count(
  statements: Statements,
  policy: Policy | FailurePolicy,
  address: string,
  limits: Limits,
  now: Instant,
) {
  const windowMs = limits.windowSeconds * 1000;
  const isOver = sql`(
    rate_window.started_at > ${now + windowMs}
    or (rate_window.started_at <= ${now - windowMs} and (
      rate_window.refused_at is null
      or rate_window.requests < ${limits.limit}
      or rate_window.refused_at <= ${now - limits.retryAfterSeconds * 1000}
    ))
  )`;
  const { rows } = await sql<Row>`
    insert into rate_window (policy, address, started_at, requests, refused_at)
    values (${policy}, ${address}, ${now}, 1, null)
    on conflict (policy, address) do update set
      started_at = case when ${isOver} then excluded.started_at else rate_window.started_at end,
      requests = case
        when ${isOver} then 1
        when rate_window.requests < ${limits.limit} then rate_window.requests + 1
        else rate_window.requests
      end,
      refused_at = case when ${isOver} or rate_window.requests < ${limits.limit} then null else excluded.started_at end
    where rate_window.refused_at is null or rate_window.requests < ${limits.limit} or ${isOver}
    returning started_at, requests, refused_at
  `.execute(statements);
  return rows[0] && toWindow(rows[0]);
}

async function readRefusal(
  statements: Statements,
  policy: Policy | FailurePolicy,
  address: string,
): Promise<Window | undefined> {
  const row = await statements
    .selectFrom('rate_window')
    .select(['started_at', 'requests', 'refused_at'])
    .where('policy', '=', policy)
    .where('address', '=', address)
    .where('refused_at', 'is not', null)
    .executeTakeFirst();
  return row && toWindow(row);
}

/** Deletes one batch. The outer condition checks again a row that changed while the statement waited for its lock. */
async function deleteBatch(statements: Statements, before: Instant): Promise<number> {
  const isPast = sql`started_at < ${before} and (refused_at is null or refused_at < ${before})`;
  const { numAffectedRows } = await sql`
    delete from rate_window
    where (policy, address) in (
      select policy, address from rate_window where ${isPast} order by started_at limit ${BATCH}
    ) and ${isPast}
  `.execute(statements);
  return Number(numAffectedRows);
}
