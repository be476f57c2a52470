// The sessions of an account in SQL: those that its changes end or restrict.
import { type Selectable, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, SessionTable, Statements } from '../storage/database.ts';
import { type Session, TWO_FACTORS } from './session.ts';

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
    applicationId: row.application_id,
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

/** What happens to the sessions of an account. */
export type AccountSessionStore = ReturnType<typeof createAccountSessionStore>;

export function createAccountSessionStore(database: Database) {
  const selectOpen = (on: Statements, accountIds: readonly number[]) =>
    on.selectFrom('session').select('id').where('account_id', 'in', accountIds).where('ended_at', 'is', null);
  /** Locks what a statement goes on to change. The end of an application locks several of these sessions as well. */
  const lockOpen = (on: Statements, accountIds: readonly number[]) => database.lockInOrder(selectOpen(on, accountIds));
  return {
    /** Locks the account's open sessions, without those of applications. */
    async lockOfAccount(on: Statements, accountId: number): Promise<void> {
      await database.lockInOrder(selectOpen(on, [accountId]).where('application_id', 'is', null));
    },

    /** Ends the account's open sessions, except the session with the id `except`. @returns them. */
    async endOfAccount(on: Statements, accountId: number, now: Instant, except?: string): Promise<Session[]> {
      await lockOpen(on, [accountId]);
      return (await endOthers(on, accountId, now, except).returningAll().execute()).map(toSession);
    },

    /** Ends the open sessions of these accounts. @returns them. */
    async endOfAccounts(on: Statements, accountIds: readonly number[], now: Instant): Promise<Session[]> {
      await lockOpen(on, accountIds);
      const rows = await on
        .updateTable('session')
        .set({ ended_at: now })
        .where('account_id', 'in', accountIds)
        .where('ended_at', 'is', null)
        .returningAll()
        .execute();
      return rows.map(toSession);
    },

    /** Sets whether the account's open sessions may only change the password. @returns them. */
    async requirePasswordChange(on: Statements, accountId: number, required: boolean): Promise<Session[]> {
      await lockOpen(on, [accountId]);
      const rows = await on
        .updateTable('session')
        .set({ must_change_password: required ? 1 : 0 })
        .where('account_id', '=', accountId)
        .where('ended_at', 'is', null)
        .returningAll()
        .execute();
      return rows.map(toSession);
    },

    /** Sets whether this open session may only enroll a second factor. */
    async requireEnrollment(on: Statements, id: string, required: boolean): Promise<void> {
      await on
        .updateTable('session')
        .set({ must_enroll: required ? 1 : 0 })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
    },

    /** Restricts the open sessions of these accounts to enrolling a second factor. @returns those that it has restricted. */
    async restrictToEnrollment(on: Statements, accountIds: readonly number[]): Promise<Session[]> {
      await lockOpen(on, accountIds);
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

    /** Ends the account's open sessions with one factor, and those that may only enroll one, except `except`. @returns them. */
    async endSingleFactor(on: Statements, accountId: number, now: Instant, except: string): Promise<Session[]> {
      await lockOpen(on, [accountId]);
      const isSingle = sql<boolean>`' ' || amr || ' ' not like ${`% ${TWO_FACTORS} %`}`;
      const rows = await endOthers(on, accountId, now, except)
        .where((eb) => eb.or([eb('must_enroll', '=', 1), isSingle]))
        .returningAll()
        .execute();
      return rows.map(toSession);
    },

    /** Ends the account's open sessions that a passkey has opened, this one or any, except `except`. @returns them. */
    async endOpenedByPasskey(
      on: Statements,
      accountId: number,
      now: Instant,
      { passkeyId, except }: { passkeyId?: string | undefined; except?: string | undefined },
    ): Promise<Session[]> {
      await lockOpen(on, [accountId]);
      const query = endOthers(on, accountId, now, except);
      const opened =
        passkeyId === undefined ? query.where('passkey_id', 'is not', null) : query.where('passkey_id', '=', passkeyId);
      return (await opened.returningAll().execute()).map(toSession);
    },

    /** Returns the account's open sessions, newest first. At most 1000. */
    async listOpen(accountId: number, now: Instant): Promise<Session[]> {
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
