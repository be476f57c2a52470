// The grants of applications in SQL. Each may end once, its code be exchanged once, and a refresh token be exchanged once.
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { inBatches } from '../foundation/batch.ts';
import type { Instant } from '../foundation/clock.ts';
import type { ApplicationGrantTable, Database, Given, Statements, Tables } from '../storage/database.ts';
import { type Grant, OFFLINE_ACCESS } from './grant.ts';

const toGrant = (row: Selectable<ApplicationGrantTable>): Grant => ({
  id: row.id,
  applicationId: row.application_id,
  accountId: row.account_id,
  sessionId: row.session_id,
  approvedSessionId: row.approved_session_id,
  scopes: split(row.scopes),
  audience: row.audience,
  nonce: row.nonce,
  amr: split(row.amr),
  authenticatedAt: row.authenticated_at,
  codeExpiresAt: row.code_expires_at,
  codeChallenge: row.code_challenge,
  redirectUri: row.redirect_uri,
  redeemedAt: row.redeemed_at,
  refreshedAt: row.refreshed_at,
  generation: row.generation,
  tokensExpireAt: row.tokens_expire_at,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
});

/** A grant that a person gave. */
export type PersonGrant = Grant & { readonly accountId: number };

const split = (words: string): string[] => words.split(' ').filter((word) => word !== '');

/** The exchange of a grant's current refresh token for the next one. */
type Rotation = {
  readonly id: string;
  readonly applicationId: string;
  readonly mac: string;
  readonly nextMac: string;
  readonly now: Instant;
  readonly tokensExpireAt: Instant;
};

/** Which open grants end. */
export type Ending =
  | { readonly sessionIds: readonly string[] }
  | { readonly applicationId: string; readonly accountId?: number; readonly isOwn?: true }
  | { readonly ids: readonly string[] }
  | 'all';

/**
 * Among which open grants some are too many: those of a session without tokens, those of a session with tokens of one application, or
 * those with `offline_access`.
 */
export type Surplus = 'codes' | 'session' | 'offline';

/** Whose open grants are listed. */
export type Whose = { readonly accountIds: readonly number[] } | { readonly applicationId: string };

/** An application may get shorter tokens than before: the former ones last. */
const later = (tokensExpireAt: Instant) =>
  // Mutation: `>` becomes `>=`. Of two equal times either is the later one.
  sql<Instant>`case when tokens_expire_at > ${tokensExpireAt} then tokens_expire_at else ${tokensExpireAt} end`;

/** Whether the session of a grant is open, and not restricted to a change of the password or an enrolment. */
const hasUsableSession = (eb: ExpressionBuilder<Tables, 'application_grant'>) =>
  eb.exists(
    eb
      .selectFrom('session')
      .select('session.id')
      .whereRef('session.id', '=', 'application_grant.session_id')
      // Mutation: `.where('session.ended_at', 'is', null)` becomes nothing. A grant ends in the transaction in which its session does.
      .where('session.ended_at', 'is', null)
      .where('must_change_password', '=', 0)
      .where('must_enroll', '=', 0),
  );

/** Whether a grant opens something now. Those of applications themselves have no session. */
const isUsable = (eb: ExpressionBuilder<Tables, 'application_grant'>) =>
  eb.or([eb('account_id', 'is', null), hasUsableSession(eb)]);

export type GrantStore = ReturnType<typeof createGrantStore>;

export function createGrantStore(database: Database) {
  const selectIds = (on: Statements) => on.selectFrom('application_grant').select('id').where('ended_at', 'is', null);
  const open = (on: Statements) => on.selectFrom('application_grant').selectAll().where('ended_at', 'is', null);
  const byId = (on: Statements, given: Given<{ id: string }>) =>
    on.selectFrom('application_grant').selectAll().where('id', '=', given('id'));
  const select = database.statement(byId);
  const selectUsable = database.statement((on, given: Given<{ id: string }>) => byId(on, given).where(isUsable));
  const rotate = database.statement((on, given: Given<Rotation>) =>
    on
      .updateTable('application_grant')
      .set((eb) => ({
        refresh_mac: given('nextMac'),
        former_refresh_mac: given('mac'),
        refreshed_at: given('now'),
        generation: eb('generation', '+', 1),
        tokens_expire_at: later(given('tokensExpireAt')),
      }))
      // Mutation: `.where('id', '=', given('id'))` becomes nothing. No two grants have the same refresh token: it is found faster.
      .where('id', '=', given('id'))
      .where('application_id', '=', given('applicationId'))
      .where('refresh_mac', '=', given('mac'))
      .where('ended_at', 'is', null)
      .where('expires_at', '>', given('now'))
      .where(hasUsableSession)
      .returningAll(),
  );

  return {
    async add(on: Statements, grant: Grant, secrets: { codeMac?: string }): Promise<void> {
      await on
        .insertInto('application_grant')
        .values({
          id: grant.id,
          application_id: grant.applicationId,
          account_id: grant.accountId,
          session_id: grant.sessionId,
          approved_session_id: grant.approvedSessionId,
          scopes: grant.scopes.join(' '),
          audience: grant.audience,
          nonce: grant.nonce,
          amr: grant.amr.join(' '),
          authenticated_at: grant.authenticatedAt,
          // Mutation: `secrets.codeMac ?? null` becomes `secrets.codeMac`. A column that is left out is null.
          code_mac: secrets.codeMac ?? null,
          code_expires_at: grant.codeExpiresAt,
          code_challenge: grant.codeChallenge,
          redirect_uri: grant.redirectUri,
          redeemed_at: grant.redeemedAt,
          refresh_mac: null,
          former_refresh_mac: null,
          refreshed_at: grant.refreshedAt,
          generation: grant.generation,
          tokens_expire_at: grant.tokensExpireAt,
          created_at: grant.createdAt,
          expires_at: grant.expiresAt,
          ended_at: grant.endedAt,
        })
        .execute();
    },

    /** Returns the grant of a code, whether it was exchanged or not. */
    async findByCode(on: Statements, codeMac: string): Promise<Grant | undefined> {
      const row = await on
        .selectFrom('application_grant')
        .selectAll()
        .where('code_mac', '=', codeMac)
        .executeTakeFirst();
      return row && toGrant(row);
    },

    /** Returns the committed grant, with the tokens that it accepts. @param which `usable`: not while its session is restricted. */
    async find(on: Statements, id: string, which?: 'usable') {
      const [row] = await (which === 'usable' ? selectUsable : select)(on, { id });
      return row && { ...toGrant(row), refreshMac: row.refresh_mac, formerRefreshMac: row.former_refresh_mac };
    },

    /** Exchanges the code of a grant, which expires with its code before. Of several tries, one gets the grant. @param next `sessionId`: the grant's session from now on. */
    async redeem(
      on: Statements,
      id: string,
      next: { now: Instant; refreshMac: string | null; tokensExpireAt: Instant; sessionId: string; expiresAt: Instant },
    ): Promise<Grant | undefined> {
      const row = await on
        .updateTable('application_grant')
        .set({
          redeemed_at: next.now,
          refresh_mac: next.refreshMac,
          tokens_expire_at: next.tokensExpireAt,
          session_id: next.sessionId,
          expires_at: next.expiresAt,
        })
        .where('id', '=', id)
        .where('redeemed_at', 'is', null)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', next.now)
        .returningAll()
        .executeTakeFirst();
      return row && toGrant(row);
    },

    /**
     * Exchanges the current refresh token of a grant whose session is open and not restricted. Of several tries with one token,
     * one gets the grant.
     */
    async rotate(on: Statements, rotation: Rotation): Promise<Grant | undefined> {
      const [row] = await rotate(on, rotation);
      return row && toGrant(row);
    },

    /** Notes that an open grant issues another access token, which expires then. @returns undefined if it has ended. */
    async extendTokens(
      on: Statements,
      id: string,
      { now, tokensExpireAt }: { now: Instant; tokensExpireAt: Instant },
    ): Promise<Grant | undefined> {
      const row = await on
        .updateTable('application_grant')
        .set({ tokens_expire_at: later(tokensExpireAt) })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .where(isUsable)
        .returningAll()
        .executeTakeFirst();
      return row && toGrant(row);
    },

    /** Returns an open grant of the application's own that outlives `until`. */
    async findOwn(on: Statements, own: { applicationId: string; scopes: string; audience: string; until: Instant }) {
      const row = await open(on)
        .where('application_id', '=', own.applicationId)
        .where('account_id', 'is', null)
        .where('scopes', '=', own.scopes)
        .where('audience', '=', own.audience)
        .where('expires_at', '>', own.until)
        .executeTakeFirst();
      return row && toGrant(row);
    },

    /** Returns the open grants that an ending is about, in the order in which they are locked. */
    async listEnding(on: Statements, which: Ending): Promise<Pick<Grant, 'id' | 'sessionId' | 'scopes'>[]> {
      const query = on
        .selectFrom('application_grant')
        .select(['id', 'session_id', 'scopes'])
        .where('ended_at', 'is', null)
        .orderBy('id');
      const queries = [];
      if (which === 'all') queries.push(query);
      else if ('applicationId' in which) {
        const { applicationId, accountId, isOwn } = which;
        const ofApplication = query.where('application_id', '=', applicationId);
        const ofAccount = accountId === undefined ? ofApplication : ofApplication.where('account_id', '=', accountId);
        queries.push(isOwn ? ofAccount.where('account_id', 'is', null) : ofAccount);
      } else {
        const [column, values] =
          'ids' in which ? (['id', which.ids] as const) : (['session_id', which.sessionIds] as const);
        for (const some of inBatches(values.toSorted())) queries.push(query.where(column, 'in', some));
      }
      const found = [];
      for (const one of queries) found.push(await one.execute());
      return found.flat().map(({ id, session_id, scopes }) => ({ id, sessionId: session_id, scopes: split(scopes) }));
    },

    /** Ends open grants. No statement takes long, however many they are. @returns them. Each is returned once, whoever ends it. */
    async end(on: Statements, ids: readonly string[], now: Instant): Promise<Grant[]> {
      const ended: Grant[] = [];
      for (const some of inBatches(ids)) {
        await database.lockInOrder(selectIds(on).where('id', 'in', some));
        const rows = await on
          .updateTable('application_grant')
          .set({ ended_at: now, expires_at: now })
          .where('ended_at', 'is', null)
          .where('id', 'in', some)
          .returningAll()
          .execute();
        ended.push(...rows.map(toGrant));
      }
      return ended;
    },

    /** Raises the generation of the open grants of these sessions that have given tokens. @returns them. */
    async supersede(on: Statements, sessionIds: readonly string[]): Promise<Grant[]> {
      const superseded = [];
      for (const some of inBatches(sessionIds.toSorted())) {
        await database.lockInOrder(selectIds(on).where('session_id', 'in', some).where('redeemed_at', 'is not', null));
        const rows = await on
          .updateTable('application_grant')
          .set((eb) => ({ generation: eb('generation', '+', 1) }))
          .where('session_id', 'in', some)
          .where('ended_at', 'is', null)
          .where('redeemed_at', 'is not', null)
          .returningAll()
          .execute();
        superseded.push(rows);
      }
      return superseded.flat().map(toGrant);
    },

    /** Ends those of these sessions that grants have of their own. */
    async endOwnSessions(on: Statements, sessionIds: readonly string[], now: Instant): Promise<void> {
      // Mutation: `.toSorted()` becomes nothing. Only two transactions with more than 500 sessions each could notice, by a deadlock.
      for (const some of inBatches(sessionIds.toSorted())) {
        const own = on
          .selectFrom('session')
          .select('id')
          .where('id', 'in', some)
          .where('application_id', 'is not', null);
        await database.lockInOrder(own.where('ended_at', 'is', null));
        await on
          .updateTable('session')
          .set({ ended_at: now })
          .where('id', 'in', some)
          .where('application_id', 'is not', null)
          .where('ended_at', 'is', null)
          .execute();
      }
    },

    /** Returns the open grants of people: of these accounts, or to an application. */
    async listOpen(on: Statements, whose: Whose): Promise<PersonGrant[]> {
      const query = open(on).where('account_id', 'is not', null).$narrowType<{ account_id: number }>();
      const queries =
        'applicationId' in whose
          ? [query.where('application_id', '=', whose.applicationId)]
          : [...inBatches(whose.accountIds)].map((some) => query.where('account_id', 'in', some));
      const found = [];
      for (const one of queries) found.push(await one.execute());
      return found.flat().map((row) => ({ ...toGrant(row), accountId: row.account_id }));
    },

    /**
     * Returns the ids of the open grants that are too many with `added`: those used the longest ago.
     * @param among those of its session that have no tokens yet, or those of its application that have, or the grants with
     *   `offline_access` that its person has given to its application.
     */
    async listSurplus(
      on: Statements,
      added: Grant,
      { among, most, now }: { among: Surplus; most: number; now: Instant },
    ): Promise<string[]> {
      const others = on
        .selectFrom('application_grant')
        .select('id')
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .where('id', '<>', added.id)
        .where('redeemed_at', among === 'codes' ? 'is' : 'is not', null);
      const ofApplication = others.where('application_id', '=', added.applicationId);
      const listed =
        among === 'offline'
          ? ofApplication
              .where('account_id', '=', added.accountId)
              .where(sql<boolean>`replace(' ' || scopes || ' ', ${` ${OFFLINE_ACCESS} `}, '') <> ' ' || scopes || ' '`)
          : (among === 'codes' ? others : ofApplication).where('session_id', '=', added.sessionId);
      const rows = await listed
        .orderBy((eb) => eb.fn.coalesce('refreshed_at', 'created_at'), 'desc')
        .orderBy('id')
        .limit(most)
        .offset(most - 1)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Returns the ids of up to `limit` open grants that have expired. */
    async listExpired(now: Instant, limit: number): Promise<string[]> {
      const rows = await database.sql
        .selectFrom('application_grant')
        .select('id')
        .where('ended_at', 'is', null)
        .where('expires_at', '<=', now)
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Deletes up to `limit` grants that ended, or whose code was not exchanged, before this. @returns how many. */
    async deleteOld(before: Instant, limit: number): Promise<number> {
      const old = database.sql
        .selectFrom('application_grant')
        .select('id')
        .where('expires_at', '<', before)
        .where((eb) => eb.or([eb('ended_at', 'is not', null), eb('redeemed_at', 'is', null)]))
        .limit(limit)
        .$call(database.skipLocked);
      const deleted = await database.sql.deleteFrom('application_grant').where('id', 'in', old).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}
