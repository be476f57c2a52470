// The session store in SQL.
import { type Selectable, sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Database, Given, SessionTable, Statements } from '../storage/database.ts';
import type { Session, SessionPointer } from './session.ts';
import { createAccountSessionStore, toSession } from './store.account.sql.ts';

/** The exchange of a session's current token for a new one. */
export type Swap = {
  readonly id: string;
  readonly oldJti: string;
  readonly jti: string;
  readonly tokensExpireAt: Instant;
  readonly now: Instant;
};

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(database: Database) {
  const swap = database.updateForRows(
    'session',
    { id: 'text', oldJti: 'text', jti: 'text', tokensExpireAt: 'bigint', now: 'bigint' },
    ({ oldJti, jti, tokensExpireAt, now }) => {
      const former = sql`coalesce(tokens_expire_at, expires_at)`;
      // The longer lifetime of an earlier token may end later than that of the new one.
      // Mutation: `>` becomes `>=`. Of two equal times either is the later one.
      const last = sql`case when ${former} > ${tokensExpireAt} then ${former} else ${tokensExpireAt} end`;
      return {
        set: sql`current_jti = ${jti}, last_refreshed_at = ${now}, generation = generation + 1, tokens_expire_at = ${last}`,
        where: sql`current_jti = ${oldJti} and ended_at is null and expires_at > ${now}`,
      };
    },
  );
  const selectSwappable = database.statement((on, given: Given<{ ids: readonly string[] }>) => {
    const anyId = sql<string>`any(${given('ids')}::text[])`;
    return (
      on
        .selectFrom('session')
        .select(['id', 'current_jti', 'expires_at'])
        // Mutation: `.where('id', '=', anyId)` becomes nothing. The caller looks for its ids among the rows: only the time differs.
        .where('id', '=', anyId)
        .where('ended_at', 'is', null)
    );
  });
  const end = database.statement((on, given: Given<{ id: string; now: Instant }>) =>
    on
      .updateTable('session')
      .set({ ended_at: given('now') })
      .where('id', '=', given('id'))
      .where('ended_at', 'is', null)
      .where('expires_at', '>', given('now'))
      .returningAll(),
  );
  const insert = database.statement((on, given: Given<Selectable<SessionTable>>) =>
    on.insertInto('session').values({
      id: given('id'),
      account_id: given('account_id'),
      current_jti: given('current_jti'),
      front_end: given('front_end'),
      amr: given('amr'),
      must_change_password: given('must_change_password'),
      must_enroll: given('must_enroll'),
      authenticated_at: given('authenticated_at'),
      passkey_used_at: given('passkey_used_at'),
      factor_used_at: given('factor_used_at'),
      passkey_id: given('passkey_id'),
      ip_address: given('ip_address'),
      user_agent: given('user_agent'),
      signed_in_at: given('signed_in_at'),
      last_refreshed_at: given('last_refreshed_at'),
      expires_at: given('expires_at'),
      ended_at: given('ended_at'),
      generation: given('generation'),
      tokens_expire_at: given('tokens_expire_at'),
      application_id: given('application_id'),
    }),
  );
  const readPointer = database.keyedReader({
    table: 'session',
    key: 'id',
    columns: ['account_id', 'current_jti', 'must_change_password', 'must_enroll', 'ended_at', 'expires_at'],
  });
  return {
    async open(on: Statements, session: Session, jti: string): Promise<void> {
      await insert(on, {
        id: session.id,
        account_id: session.accountId,
        current_jti: jti,
        front_end: session.frontEnd,
        amr: session.amr.join(' '),
        must_change_password: session.mustChangePassword ? 1 : 0,
        must_enroll: session.mustEnroll ? 1 : 0,
        authenticated_at: session.authenticatedAt,
        passkey_used_at: session.passkeyUsedAt,
        factor_used_at: session.factorUsedAt,
        passkey_id: session.passkeyId,
        ip_address: session.ipAddress,
        user_agent: session.userAgent,
        signed_in_at: session.signedInAt,
        last_refreshed_at: session.lastRefreshedAt,
        expires_at: session.expiresAt,
        ended_at: null,
        generation: session.generation,
        tokens_expire_at: session.tokensExpireAt,
        application_id: session.applicationId,
      });
    },

    /** Returns the committed session. The fast read of every token check. */
    async find(id: string): Promise<SessionPointer | undefined> {
      const row = await readPointer(id);
      return (
        row && {
          accountId: row.account_id,
          currentJti: row.current_jti,
          mustChangePassword: row.must_change_password === 1,
          mustEnroll: row.must_enroll === 1,
          endedAt: row.ended_at,
          expiresAt: row.expires_at,
        }
      );
    },

    /**
     * Makes `jti` the current token of a session if `oldJti` is the current one, for each of these swaps. One statement makes the
     * new token valid and revokes the old one. Of several concurrent swaps of one token, one gets the session.
     * @returns the session of each swap, or null: no later try can succeed. Of several swaps on PostgreSQL, `undefined` means that
     * another transaction has locked the session, so that the swap can be tried again alone.
     */
    async swapCurrentTokens(on: Statements, swaps: readonly Swap[]): Promise<(Session | null | undefined)[]> {
      const rows = await swap(on, swaps);
      const sessions = swaps.map(({ jti }) => {
        const row = rows.find(({ current_jti }) => current_jti === jti);
        return row && toSession(row);
      });
      const missed = swaps.filter((_, place) => !sessions[place]);
      // Mutation: `||` becomes `&&`. Without another transaction that holds a session, as always on SQLite, to look again finds none.
      if (database.engine === 'sqlite' || swaps.length === 1 || missed.length === 0)
        return sessions.map((one) => one ?? null);
      const left = await selectSwappable(on, { ids: missed.map(({ id }) => id) });
      const isLocked = ({ id, oldJti, now }: Swap) =>
        left.some((row) => row.id === id && row.current_jti === oldJti && row.expires_at > now);
      return swaps.map((one, place) => sessions[place] ?? (isLocked(one) ? undefined : null));
    },

    /** Returns the open session as the transaction sees it, and locks it until the transaction ends. */
    async findOpenForUpdate(on: Statements, id: string, now: Instant): Promise<Session | undefined> {
      // On both engines, an update that changes nothing takes the row's lock.
      const row = await on
        .updateTable('session')
        .set((eb) => ({ ended_at: eb.ref('ended_at') }))
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toSession(row);
    },

    /** Ends one session. @returns `undefined` if it was not open. */
    async end(on: Statements, id: string, now: Instant): Promise<Session | undefined> {
      const [row] = await end(on, { id, now });
      return row && toSession(row);
    },

    /** Waits for transactions that open, lock or change sessions, and lets no other one do so until the transaction ends. */
    async lockAll(on: Statements): Promise<void> {
      // SQLite runs transactions one after the other.
      if (database.engine === 'postgres') await sql`lock table session in exclusive mode`.execute(on);
    },

    /** Returns the sessions whose latest token was issued at `instant` or later, the ended ones too. */
    async listIssuedFrom(on: Statements, instant: Instant): Promise<Session[]> {
      const rows = await on
        .selectFrom('session')
        .selectAll()
        .where((eb) => eb.or([eb('signed_in_at', '>=', instant), eb('last_refreshed_at', '>=', instant)]))
        .execute();
      return rows.map(toSession);
    },

    /** Ends every open session. @returns how many. */
    async endAll(on: Statements, now: Instant): Promise<number> {
      const result = await on
        .updateTable('session')
        .set({ ended_at: now })
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    /** Records a further authentication in an open session. */
    async recordAuthentication(
      on: Statements,
      {
        id,
        amr,
        authenticatedAt,
        passkeyUsedAt,
        factorUsedAt,
      }: Pick<Session, 'id' | 'amr' | 'authenticatedAt' | 'passkeyUsedAt' | 'factorUsedAt'>,
    ): Promise<void> {
      await on
        .updateTable('session')
        .set({
          amr: amr.join(' '),
          authenticated_at: authenticatedAt,
          passkey_used_at: passkeyUsedAt,
          factor_used_at: factorUsedAt,
        })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute();
    },

    ...createAccountSessionStore(database),

    /** Returns how many sessions are open, up to `most`. */
    async countOpen(now: Instant, most: number): Promise<number> {
      const open = database.sql
        .selectFrom('session')
        .select('expires_at')
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .limit(most)
        .as('open');
      const row = await database.sql
        .selectFrom(open)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** Deletes up to `limit` sessions that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('session')
        .select('id')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('session').where('id', 'in', old).execute();
    },
  };
}
