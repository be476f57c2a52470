// The windows in the database, shared by all nodes: one upsert decides, and a node remembers only refusals that stay
// refusals.
import { sql } from 'kysely';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { createRecent } from '../foundation/recent.ts';
import type { Statements } from '../storage/database.ts';
import type { Policy } from './settings.ts';
import type { RateLimitStore } from './store.ts';
import { decisionOn, endOf, type Limits, standingRefusal, type Window } from './window.ts';

/** Refusals a node remembers at most; a forgotten one only costs a question to the database. */
const REMEMBERED_REFUSALS = 10_000;

/** Rows deleted by one statement, so that no lock is held for long. */
const BATCH = 500;

type Row = { started_at: Instant; requests: number; refused_at: Instant | null };

/**
 * Works on SQLite too. A remembered refusal is held against the limits of now, so it gives way when these change;
 * nothing but that and time lifts it in the database either. Errors of the database propagate: what cannot be counted
 * is refused with `service.unavailable`.
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
      if (refused) refusals.keep(key, window, endOf(window, limits), now);
      else refusals.forget(key);
      return decisionOn(window, limits, now, refused && counted);
    },
    standingRefusal: (policy, address, limits, now) => findStanding(`${policy} ${address}`, limits, now),
    async deleteExpired(now, longestWaitSeconds) {
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

/**
 * A refusal that is gone when it is read ended, or was lifted by a raised limit, in between: the request is counted
 * afresh.
 */
async function countOrRead(statements: Statements, policy: Policy, address: string, limits: Limits, now: Instant) {
  for (;;) {
    const counted = await count(statements, policy, address, limits, now);
    if (counted) return { window: counted, counted: true };
    const refusal = await readRefusal(statements, policy, address);
    if (refusal) return { window: refusal, counted: false };
  }
}

/**
 * `take` of window.ts as one statement. It gives the window when the request was let through or was the first refusal;
 * nothing, and writes nothing, when the address is refused already. The database locks the row, so parallel requests
 * take turns.
 */
async function count(statements: Statements, policy: Policy, address: string, limits: Limits, now: Instant) {
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

async function readRefusal(statements: Statements, policy: Policy, address: string): Promise<Window | undefined> {
  const row = await statements
    .selectFrom('rate_window')
    .select(['started_at', 'requests', 'refused_at'])
    .where('policy', '=', policy)
    .where('address', '=', address)
    .where('refused_at', 'is not', null)
    .executeTakeFirst();
  return row && toWindow(row);
}

/** The condition is asked again of a row that changed while the statement waited for its lock. */
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
