// The lockout store in SQL.
import { sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, Given, LockoutTable, Statements } from '../storage/database.ts';
import type { LockoutState } from './lockout.ts';
import { ACCOUNT_PREFIX, UNKNOWN_PREFIX } from './subject.ts';

/** Literal, so that the partial index serves. */
const ofUnknown = sql.lit(`${UNKNOWN_PREFIX}%`);

export type LockoutStore = ReturnType<typeof createLockoutStore>;

export function createLockoutStore(database: Database) {
  // The update that changes nothing takes the row's lock on PostgreSQL, and makes `returning` return the row.
  const readForUpdate = database.statement((on, given: Given<{ subject: string; now: Instant }>) =>
    on
      .insertInto('lockout')
      .values({
        subject: given('subject'),
        failures: 0,
        streak: 0,
        reservations: '[]',
        locked_until: null,
        touched_at: given('now'),
      })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet((eb) => ({ subject: eb.ref('excluded.subject') })),
      )
      .returningAll(),
  );
  const save = database.statement((on, given: Given<LockoutTable>) =>
    on
      .updateTable('lockout')
      .set({
        failures: given('failures'),
        streak: given('streak'),
        reservations: given('reservations'),
        locked_until: given('locked_until'),
        touched_at: given('touched_at'),
      })
      .where('subject', '=', given('subject')),
  );
  return {
    /**
     * Returns the subject's state, all zero for a new subject, and when it was last saved. Locks it until the transaction ends.
     */
    async readForUpdate(
      on: Statements,
      subject: string,
      now: Instant,
    ): Promise<LockoutState & { readonly touchedAt: Instant }> {
      const [row] = await readForUpdate(on, { subject, now });
      // Mutation: `!row` becomes `false`, `throw new Error('An upsert gave no row.');` becomes `;`. An upsert always returns its row.
      if (!row) throw new Error('An upsert gave no row.');
      const { failures, streak, reservations, locked_until: lockedUntil, touched_at: touchedAt } = row;
      return { failures, streak, pending: JSON.parse(reservations), lockedUntil, touchedAt };
    },

    /** Stores the state of a subject that the same transaction has locked. */
    async save(
      on: Statements,
      subject: string,
      { failures, streak, pending, lockedUntil }: LockoutState,
      now: Instant,
    ): Promise<void> {
      const reservations = JSON.stringify(pending);
      await save(on, { subject, failures, streak, reservations, locked_until: lockedUntil, touched_at: now });
    },

    async delete(on: Statements, subjects: readonly string[]): Promise<void> {
      await on.deleteFrom('lockout').where('subject', 'in', subjects).execute();
    },

    /** Returns the end of each lock on these subjects. Subjects without a lock are left out. */
    async readLocks(subjects: readonly string[], now: Instant): Promise<Map<string, Instant>> {
      if (subjects.length === 0) return new Map();
      const rows = await database.sql
        .selectFrom('lockout')
        .select(['subject', 'locked_until'])
        .where('subject', 'in', subjects)
        .where('locked_until', '>', now)
        .execute();
      return new Map(
        // Mutation: `locked_until === null ? [] : [[subject, locked_until]]` becomes `[[subject, locked_until]]`. The query returns only locks.
        rows.flatMap(({ subject, locked_until }) => (locked_until === null ? [] : [[subject, locked_until]])),
      );
    },

    /** Returns how many accounts are locked, up to `most`. Locks of security questions and second factors do not count. */
    async countLockedAccounts(now: Instant, most: number): Promise<number> {
      const locked = database.sql
        .selectFrom('lockout')
        .select('subject')
        .where('locked_until', '>', now)
        .where('subject', 'like', `${ACCOUNT_PREFIX}%`)
        .limit(most)
        .as('locked');
      const row = await database.sql
        .selectFrom(locked)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** Deletes up to `limit` subjects without account that were last used before `before`. */
    async deleteUnknown(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('lockout')
        .select('subject')
        .where('subject', 'like', ofUnknown)
        .where('touched_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('lockout').where('subject', 'in', old).execute();
    },
  };
}
