// The sessions of an account in SQL: those that its changes end or restrict.
import { type Selectable, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, SessionTable, Statements } from '../storage/database.ts';
import { type AccountSessionStore, type Session, TWO_FACTORS } from './store.ts';

export function toSession(row: Selectable<SessionTable>): Session {
  return {
    id: row.id,
    accountId: row.account_id,
    frontEnd: row.front_end,
    amr: row.amr.split(' '),
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    signedInAt: row.signed_in_at,
    lastRefreshedAt: row.last_refreshed_at,
    expiresAt: row.expires_at,
    mustChangePassword: row.must_change_password === 1,
    mustEnroll: row.must_enroll === 1,
    authenticatedAt: row.authenticated_at ?? row.signed_in_at,
    passkeyUsedAt: row.passkey_used_at,
    factorUsedAt: row.factor_used_at,
    passkeyId: row.passkey_id,
    generation: row.generation,
    tokensExpireAt: row.tokens_expire_at ?? row.expires_at,
  };
}

/** Returns the statement that ends the account's open sessions, except the session with the id `except`. */
function endOthers(on: Statements, accountId: number, now: Instant, except: string | undefined) {
  const all = on
    .updateTable('session')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null);
  return except === undefined ? all : all.where('id', '<>', except);
}

export function createAccountSessionStore(database: Database): AccountSessionStore {
  return {
    async endOfAccount(on, accountId, now, except) {
      return (await endOthers(on, accountId, now, except).returningAll().execute()).map(toSession);
    },

    async requirePasswordChange(on, accountId, required) {
      const rows = await on
        .updateTable('session')
        .set({ must_change_password: required ? 1 : 0 })
        .where('account_id', '=', accountId)
        .where('ended_at', 'is', null)
        .returningAll()
        .execute();
      return rows.map(toSession);
    },

    async requireEnrollment(on, id, required) {
      await on
        .updateTable('session')
        .set({ must_enroll: required ? 1 : 0 })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
    },

    async restrictToEnrollment(on, accountIds) {
      const rows = await on
        .updateTable('session')
        .set({ must_enroll: 1 })
        .where('account_id', 'in', accountIds)
        .where('ended_at', 'is', null)
        .where('must_enroll', '=', 0)
        .returningAll()
        .execute();
      return rows.map(toSession);
    },

    async endSingleFactor(on, accountId, now, except) {
      const isSingle = sql<boolean>`' ' || amr || ' ' not like ${`% ${TWO_FACTORS} %`}`;
      const rows = await endOthers(on, accountId, now, except)
        .where((eb) => eb.or([eb('must_enroll', '=', 1), isSingle]))
        .returningAll()
        .execute();
      return rows.map(toSession);
    },

    async endOpenedByPasskey(on, accountId, now, { passkeyId, except }) {
      const query = endOthers(on, accountId, now, except);
      const opened =
        passkeyId === undefined ? query.where('passkey_id', 'is not', null) : query.where('passkey_id', '=', passkeyId);
      return (await opened.returningAll().execute()).map(toSession);
    },

    async listOpen(accountId, now) {
      const rows = await database.sql
        .selectFrom('session')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('signed_in_at', 'desc')
        .orderBy('id')
        .limit(1000)
        .execute();
      return rows.map(toSession);
    },
  };
}
