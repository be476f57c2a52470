// Sign-outs in SQL: what applications are told is written in the transaction that ends their grants.
import { type Selectable, sql } from 'kysely';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Database, SignOutTable, Statements } from '../storage/database.ts';
import type { SignOut } from './sign-out.ts';

const BATCH = 500;

const toSignOut = (row: Selectable<SignOutTable>): SignOut => ({
  id: row.id,
  grantId: row.grant_id,
  sessionId: row.session_id,
  accountId: row.account_id,
  applicationId: row.application_id,
  applicationName: row.application_name,
  state: row.state,
  endedAt: row.ended_at,
  tokensEndAt: row.tokens_end_at,
  settledAt: row.settled_at,
  dueAt: row.due_at,
  tries: row.tries,
  failures: row.failures,
});

const toRow = (one: SignOut): Selectable<SignOutTable> => ({
  id: one.id,
  grant_id: one.grantId,
  session_id: one.sessionId,
  account_id: one.accountId,
  application_id: one.applicationId,
  application_name: one.applicationName,
  state: one.state,
  ended_at: one.endedAt,
  tokens_end_at: one.tokensEndAt,
  settled_at: one.settledAt,
  due_at: one.dueAt,
  tries: one.tries,
  failures: one.failures,
});

/** A literal, so that the index of these rows serves. */
const pending = sql.lit('pending' as const);

export type SignOutStore = ReturnType<typeof createSignOutStore>;

export function createSignOutStore(database: Database) {
  return {
    async add(on: Statements, all: readonly SignOut[]): Promise<void> {
      for (let from = 0; from < all.length; from += BATCH) {
        const some = all.slice(from, from + BATCH).map(toRow);
        await on.insertInto('sign_out').values(some).execute();
      }
    },

    /** Returns the newest sign-outs of an account, or of some of its sessions, newest first. */
    async list(
      { accountId, sessionIds }: { accountId: number; sessionIds?: readonly string[] },
      limit: number,
    ): Promise<SignOut[]> {
      let query = database.sql.selectFrom('sign_out').selectAll().where('account_id', '=', accountId);
      if (sessionIds !== undefined) query = query.where('session_id', 'in', sessionIds);
      const rows = await query.orderBy('ended_at', 'desc').orderBy('id').limit(limit).execute();
      return rows.map(toSignOut);
    },

    /** Returns the ids of the applications to which something is due. It looks at one sign-out of each: many may wait. */
    async listDue(now: Instant): Promise<string[]> {
      const rows = await database.sql
        .selectFrom('application')
        .select('id')
        .where((eb) => {
          const due = eb
            .selectFrom('sign_out')
            .select('sign_out.id')
            .whereRef('application_id', '=', 'application.id')
            .where('state', '=', pending)
            .where('due_at', '<=', now)
            // So that PostgreSQL does not scan the table, because it expects to meet a due one soon.
            .orderBy('due_at')
            .limit(1);
          return eb(due, 'is not', null);
        })
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Claims up to `limit` due sign-outs of an application until `until`. */
    async claim(applicationId: string, limit: number, now: Instant, until: Instant): Promise<SignOut[]> {
      const rows = await database.sql
        .with('due', (db) =>
          db
            .selectFrom('sign_out')
            .select('id')
            .where('application_id', '=', applicationId)
            .where('state', '=', pending)
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .limit(limit)
            // Nodes that wait for each other could deadlock.
            .$if(database.engine === 'postgres', (query) => query.forUpdate().skipLocked()),
        )
        .updateTable('sign_out')
        .set((eb) => ({ due_at: until, tries: eb('tries', '+', 1) }))
        .where('id', 'in', (db) => db.selectFrom('due').select('id'))
        .returningAll()
        .execute();
      return rows.map(toSignOut);
    },

    /** Gives up what an application has not been told. */
    async abandon(on: Statements, applicationId: string): Promise<void> {
      await on
        .updateTable('sign_out')
        .set({ state: 'unreachable' })
        .where('application_id', '=', applicationId)
        .where('state', '=', pending)
        .execute();
    },

    /** Renews a claim, or puts off a try. It changes nothing if another node has claimed the row since. */
    async putOff({ id, tries }: SignOut, dueAt: Instant): Promise<void> {
      await database.sql
        .updateTable('sign_out')
        .set({ due_at: dueAt })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('tries', '=', tries)
        .execute();
    },

    /** Stores what came of a try, unless another node has claimed the row since. */
    async settle({ id, tries }: SignOut, next: Partial<Pick<SignOut, 'state' | 'settledAt' | 'failures' | 'dueAt'>>) {
      const { state, settledAt, failures, dueAt } = next;
      await database.sql
        .updateTable('sign_out')
        .set({
          ...(state !== undefined && { state }),
          ...(settledAt !== undefined && { settled_at: settledAt }),
          ...(failures !== undefined && { failures }),
          ...(dueAt !== undefined && { due_at: dueAt }),
        })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('tries', '=', tries)
        .execute();
    },

    /** Makes sign-outs due now that are put off for longer than they can be. @param longest in milliseconds, by the failures so far. */
    async correctDueTimes(longest: readonly number[], now: Instant): Promise<void> {
      for (const [failures, wait] of longest.entries()) {
        await database.sql
          .updateTable('sign_out')
          .set({ due_at: now })
          .where('state', '=', pending)
          .where('failures', '=', failures)
          .where('due_at', '>', addSeconds(now, wait / 1000))
          .execute();
      }
    },

    /** Deletes up to `limit` sign-outs from before this. */
    async deleteOld(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('sign_out')
        .select('id')
        .where('ended_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('sign_out').where('id', 'in', old).execute();
    },
  };
}
