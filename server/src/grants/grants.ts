// Grants: what applications get from approvals. A grant ends in the transaction in which its session ends, whatever ends that.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { inRounds } from '../foundation/batch.ts';
import { addSeconds, type Clock, type Instant, toInstant } from '../foundation/clock.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Revocation, Revocations, Session, Sessions } from '../tokens/index.ts';
import { grantActions } from './declarations.ts';
import { CODE_SECONDS, GRACE_SECONDS, type Grant, ISSUE_SECONDS, OFFLINE_ACCESS } from './grant.ts';
import type { RefreshTokens } from './refresh-token.ts';
import type { Ending, GrantStore, PersonGrant, Surplus, Whose } from './store.sql.ts';
import { grantReplayedMessage } from './templates.ts';

// Mutation: `32` becomes `33`. A longer code is a code too.
const CODE_BYTES = 32;

/** An expired grant ends this much later, in seconds: an exchange of its code that began before has ended, on every node. */
// Mutation: `60` becomes `61`. The next run of the job ends it.
const SETTLED_SECONDS = 60;

/**
 * The most open grants of one session without tokens, of one session with tokens for one application, and of one person with
 * `offline_access` for one application.
 */
const MOST_OPEN = 50;

/** A grant is deleted this long after its end, in seconds. */
const KEPT_SECONDS = 3600;

/** The application that acts on a grant, as far as grants need to know it. */
export type Grantee = {
  readonly id: string;
  readonly name: string;
  readonly accessTokenLifetime: number;
  readonly mayRefresh: boolean;
};

/** What a person approves. */
export type Approval = Pick<Grant, 'scopes' | 'audience' | 'nonce' | 'codeChallenge' | 'redirectUri'> & {
  /** How long the application has to fetch its tokens, in seconds. Default: {@link CODE_SECONDS}. */
  readonly redeemableSeconds?: number;
};

/** An open grant, and the refresh token that the application gets with its access token. */
export type Given = { readonly grant: Grant; readonly refreshToken: string | null };

/** Runs in the transaction in which grants end. All of them have given tokens. */
export type GrantsEndListener = (tx: Tx, grants: readonly Grant[]) => Promise<void>;

export interface Grants {
  /** Makes a grant for an open session, which the transaction has locked. It ends those beyond 50 of the session that have no tokens yet. @returns it, and the code by which the application gets its tokens. */
  approve(
    tx: Tx,
    application: Grantee,
    session: Session,
    approval: Approval,
    origin: Origin,
  ): Promise<{ grant: Grant; code: string }>;
  /** Returns the grant of a code, whether it was exchanged or not. It may have expired. */
  findByCode(tx: Tx, code: string): Promise<Grant | undefined>;
  /** Returns a grant by its id, whether it was exchanged or not. It may have expired. */
  findById(tx: Tx, id: string): Promise<Grant | undefined>;
  /**
   * Exchanges the code of a grant: once, while its session is open and not restricted. It ends those of the application beyond 50 of the
   * session that have tokens, or beyond 50 of the person with `offline_access`.
   * @returns undefined if it cannot be exchanged. If it was exchanged before, what it gave has ended.
   */
  redeem(tx: Tx, application: Grantee, grant: Grant, origin: Origin): Promise<Given | undefined>;
  /**
   * Exchanges a refresh token: once, or again within {@link GRACE_SECONDS} for the same next token.
   * @returns undefined if it is not valid. A token from before that time has ended the grant.
   */
  refresh(tx: Tx, application: Grantee, token: string, origin: Origin): Promise<Given | undefined>;
  /** Returns an open grant of the application's own (RFC 6749, 4.4), or makes one. */
  grantOwn(tx: Tx, application: Grantee, own: Pick<Grant, 'scopes' | 'audience'>): Promise<Grant>;
  /**
   * Returns the open grant of a refresh token, whether the token is the current one or not.
   * @param which `usable`: only if the token could be exchanged now.
   * @param tx the transaction of the caller, which must not read outside of it.
   */
  findByRefreshToken(token: string, which?: 'usable', tx?: Tx): Promise<Grant | undefined>;
  /**
   * Returns a grant that is open now.
   * @param which `usable`: not while its session may only change the password or enrol a second factor.
   */
  findOpen(id: string, which?: 'usable'): Promise<Grant | undefined>;
  /** Ends open grants, and the sessions that they have of their own. @returns those that had given tokens. */
  end(tx: Tx, which: Ending): Promise<readonly Grant[]>;
  /** Returns the open grants of people: of these accounts, or to an application. Some may have no tokens yet. */
  listOpen(tx: Tx, whose: Whose): Promise<readonly PersonGrant[]>;
  /** Ends a grant, and records who did. */
  endByRequest(tx: Tx, grant: Grant, application: Pick<Grantee, 'name'>, origin: Origin): Promise<void>;
  whenEnded(listener: GrantsEndListener): void;
  /** Job: ends grants that have expired, and deletes old ones. */
  maintain(): Promise<void>;
}

/**
 * Returns when the grant's last token expires, and not before one would that it issued now. Verifiers keep a revocation for the time
 * from now until then, which is too short if the clock is ahead by mistake.
 */
function lastExpiryOf({ redeemedAt, refreshedAt, tokensExpireAt }: Grant, now: Instant): Instant {
  // Mutation: `refreshedAt ?? redeemedAt ?? tokensExpireAt` becomes `refreshedAt ?? redeemedAt`. The default is only for the compiler: what has given tokens was redeemed.
  const lifetime = tokensExpireAt - (refreshedAt ?? redeemedAt ?? tokensExpireAt);
  return toInstant(Math.max(tokensExpireAt, now + lifetime));
}

/** Whether the grant may have a token that is issued at `now`, or later by another clock. A machine's are issued at any time. */
const mayIssueNow = ({ accountId, redeemedAt, refreshedAt }: Grant, now: Instant): boolean =>
  // Mutation: `refreshedAt ?? redeemedAt ?? now` becomes `refreshedAt ?? redeemedAt`. The default is only for the compiler: what has given tokens was redeemed.
  accountId === null || now < addSeconds(refreshedAt ?? redeemedAt ?? now, ISSUE_SECONDS);

export function createGrants(deps: {
  database: Database;
  store: GrantStore;
  refreshTokens: RefreshTokens;
  accounts: AccountStore;
  sessions: Sessions;
  revocations: Revocations;
  audit: AuditTrail;
  notifyOwner: NotifyOwner;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Grants {
  const { database, store, refreshTokens, accounts, sessions, revocations, audit, notifyOwner } = deps;
  const { secrets, clock, random } = deps;
  const listeners: GrantsEndListener[] = [];
  const macOf = (code: string) => secrets.mac('authorization-code', code);

  revocations.subscribe(async (tx, revoked) => {
    const restricted = revoked.flatMap((one) => (one.kind === 'superseded' && one.isRestriction ? one.sessionId : []));
    // Mutation: `restricted.length > 0` becomes `true`, `>` becomes `>=`. Of no sessions, no statement is made.
    if (restricted.length > 0) await supersede(tx, restricted);
    if (revoked.some(({ kind }) => kind === 'all' || kind === 'key')) await end(tx, 'all');
    else {
      const sessionIds = revoked.flatMap((one) => (one.kind === 'session' && !one.isOfGrant ? one.sessionId : []));
      // Mutation: `sessionIds.length > 0` becomes `true`, `>` becomes `>=`. Of no sessions, no statement is made.
      if (sessionIds.length > 0) await end(tx, { sessionIds });
    }
  });

  /** When the last access token of a grant expires that is issued now. */
  const lastExpiry = (application: Grantee, expiresAt: Instant) =>
    toInstant(Math.min(expiresAt, addSeconds(clock.now(), application.accessTokenLifetime)));

  async function end(tx: Tx, which: Ending): Promise<readonly Grant[]> {
    const now = clock.now();
    const ending = await store.listEnding(tx.sql, which);
    const offline = offlineSessionsOf(ending);
    // Lock sessions before their grants, like a transaction that ends a session.
    await store.endOwnSessions(tx.sql, [...offline], now);
    const ended = await store.end(
      tx.sql,
      ending.map(({ id }) => id),
      now,
    );
    // An exchange of the code may have opened one meanwhile. No other transaction holds it yet.
    await store.endOwnSessions(tx.sql, [...offlineSessionsOf(ended).difference(offline)], now);
    const given = ended.filter(({ redeemedAt }) => redeemedAt !== null);
    // Mutation: `given.length === 0` becomes `false`. Of none, there is nothing to record or to tell.
    if (given.length === 0) return given;
    // Verifiers refuse the others by the moment before which all sessions have ended.
    const named = which === 'all' ? given.filter((one) => mayIssueNow(one, now)) : given;
    const revoked = named.map(
      (one): Revocation => ({
        kind: 'session',
        sessionId: one.id,
        expiresAt: lastExpiryOf(one, now),
        isOfGrant: true,
      }),
    );
    await revocations.record(tx, revoked);
    for (const listener of listeners) await listener(tx, given);
    return given;
  }

  /** Revokes the present tokens of these sessions' grants. Each grant goes on with its next refresh, when the restriction is over. */
  async function supersede(tx: Tx, sessionIds: readonly string[]) {
    const now = clock.now();
    const superseded = await store.supersede(tx.sql, sessionIds);
    const revoked = superseded.map(
      (one): Revocation => ({
        kind: 'superseded',
        sessionId: one.id,
        generation: one.generation,
        expiresAt: lastExpiryOf(one, now),
      }),
    );
    await revocations.record(tx, revoked);
  }

  /** Ends the grants that are too many with a new one: those that were not used for the longest time. */
  async function endSurplus(tx: Tx, added: Grant, among: Surplus) {
    const surplus = await store.listSurplus(tx.sql, added, { among, most: MOST_OPEN, now: clock.now() });
    // Mutation: `surplus.length > 0` becomes `true`, `>` becomes `>=`. To end none makes no statement.
    if (surplus.length > 0) await end(tx, { ids: surplus });
  }

  async function findOpen(id: string, which?: 'usable', tx?: Tx) {
    const grant = await store.find(tx?.sql ?? database.sql, id, which);
    const isOpen = grant && grant.endedAt === null && grant.redeemedAt !== null && grant.expiresAt > clock.now();
    return isOpen ? grant : undefined;
  }

  /** Whether the former refresh token leads nowhere any more. */
  const isLate = ({ refreshedAt }: Grant) =>
    refreshedAt === null || clock.now() >= addSeconds(refreshedAt, GRACE_SECONDS);

  async function record(tx: Tx, action: Action, grant: Grant, application: Pick<Grantee, 'name'>, origin: Origin) {
    const { accountId, scopes } = grant;
    // Mutation: `accountId === null ? undefined : await accounts.findIn(tx.sql, accountId)` becomes `await accounts.findIn(tx.sql, accountId)`. No account has the id null.
    const account = accountId === null ? undefined : await accounts.findIn(tx.sql, accountId);
    // Mutation: `account?.userName ?? null` becomes `account?.userName`. The trail has no name for both.
    const user = accountId === null ? undefined : { id: accountId, name: account?.userName ?? null };
    // By account: nothing bounds how often a page asks, and how many sessions a person opens.
    const actor = String(accountId ?? grant.applicationId);
    const details = { application: application.name, scopes: scopes.join(' ') };
    await audit.recordRepeatable(actor, { action, outcome: 'success', ...(user && { user }), origin, details }, tx);
    return account;
  }

  /** A code or refresh token came twice: one of the two callers has copied it (RFC 9700, 4.14). */
  async function endReplayed(tx: Tx, grant: Grant, application: Grantee, origin: Origin) {
    // Lock the account, which its owner's notice needs, before the session, like every other transaction that locks both.
    // Mutation: `grant.accountId ?? 0` becomes `grant.accountId`, `0` becomes `1`. The default is only for the compiler: only grants of people are replayed.
    await accounts.findForUpdate(tx.sql, grant.accountId ?? 0);
    const [ended] = await end(tx, { ids: [grant.id] });
    if (!ended) return;
    const account = await record(tx, grantActions.replayed, grant, application, origin);
    const change = `A sign-in to ${application.name} was used twice, and has ended.`;
    // Mutation: `account` becomes `true`. Only grants of people are replayed, and those of a deleted account have ended.
    if (account) await notifyOwner(tx, account, grantReplayedMessage, { values: { change } });
  }

  return {
    async approve(tx, application, session, { redeemableSeconds = CODE_SECONDS, ...approval }, origin) {
      const now = clock.now();
      const code = random.bytes(CODE_BYTES).toString('base64url');
      const codeExpiresAt = addSeconds(now, redeemableSeconds);
      const { scopes, audience, nonce, codeChallenge, redirectUri } = approval;
      const grant: Grant = {
        scopes,
        audience,
        nonce,
        codeChallenge,
        redirectUri,
        id: random.uuid(),
        applicationId: application.id,
        accountId: session.accountId,
        sessionId: session.id,
        approvedSessionId: session.id,
        amr: session.amr,
        authenticatedAt: session.authenticatedAt,
        codeExpiresAt,
        redeemedAt: null,
        refreshedAt: null,
        generation: 0,
        tokensExpireAt: now,
        createdAt: now,
        expiresAt: codeExpiresAt,
        endedAt: null,
      };
      await store.add(tx.sql, grant, { codeMac: macOf(code) });
      // A page can ask again and again. What has tokens stays.
      await endSurplus(tx, grant, 'codes');
      await record(tx, grantActions.given, grant, application, origin);
      return { grant, code };
    },

    findById: (tx, id) => store.find(tx.sql, id),
    findByCode: (tx, code) => store.findByCode(tx.sql, macOf(code)),

    async redeem(tx, application, grant, origin) {
      const { accountId } = grant;
      // Mutation: `accountId === null` becomes `false`. A grant of an application's own has no code.
      if (accountId === null) return undefined;
      // Lock the account before the session, like every other transaction that locks both. Of several redemptions of a grant, each
      // then sees what the one before it has done.
      const account = await accounts.findForUpdate(tx.sql, accountId);
      const present = await store.find(tx.sql, grant.id);
      if (present?.redeemedAt) await endReplayed(tx, present, application, origin);
      // Mutation: `present?.redeemedAt === null && present.endedAt === null ? present.sessionId : null` becomes `present.sessionId`, `&&` becomes `||`. The statement that redeems asks for both again.
      const sessionId = present?.redeemedAt === null && present.endedAt === null ? present.sessionId : null;
      // Mutation: `sessionId === null` becomes `false`. No session has the id null.
      if (sessionId === null) return undefined;
      const approved = await sessions.findOpen(tx, sessionId);
      if (!account?.isActive || !approved || approved.mustChangePassword || approved.mustEnroll) return undefined;
      const isOffline = grant.scopes.includes(OFFLINE_ACCESS);
      const session = isOffline ? await sessions.openForApplication(tx, approved, application.id, origin) : approved;
      const refreshToken = application.mayRefresh ? refreshTokens.first(grant.id) : null;
      const { expiresAt } = session;
      const redeemed = await store.redeem(tx.sql, grant.id, {
        now: clock.now(),
        refreshMac: refreshToken === null ? null : refreshTokens.macOf(refreshToken),
        tokensExpireAt: lastExpiry(application, expiresAt),
        sessionId: session.id,
        expiresAt,
      });
      if (!redeemed) {
        // It has expired or ended meanwhile: what was opened for it must not remain.
        await store.endOwnSessions(tx.sql, [session.id], clock.now());
        return undefined;
      }
      await endSurplus(tx, redeemed, isOffline ? 'offline' : 'session');
      await record(tx, grantActions.redeemed, redeemed, application, origin);
      return { grant: redeemed, refreshToken };
    },

    async refresh(tx, application, token, origin) {
      const given = refreshTokens.read(token);
      if (!given) return undefined;
      const now = clock.now();
      const tokensExpireAt = addSeconds(now, application.accessTokenLifetime);
      const [mac, refreshToken] = [refreshTokens.macOf(token), refreshTokens.next(given)];
      const rotated = await store.rotate(tx.sql, {
        id: given.grantId,
        applicationId: application.id,
        mac,
        nextMac: refreshTokens.macOf(refreshToken),
        now,
        tokensExpireAt,
      });
      // Mutation: `rotated` becomes `false`. The token is the former one then, and leads to the same next one.
      if (rotated) return { grant: rotated, refreshToken };
      const present = await store.find(tx.sql, given.grantId);
      if (!present || present.applicationId !== application.id || present.endedAt !== null) return undefined;
      // Its session is restricted or has expired: the token was not used.
      if (present.refreshMac === mac) return undefined;
      if (present.formerRefreshMac !== mac || isLate(present)) {
        await endReplayed(tx, present, application, origin);
        return undefined;
      }
      const extended = await store.extendTokens(tx.sql, present.id, { now, tokensExpireAt });
      return extended && { grant: extended, refreshToken };
    },

    async grantOwn(tx, application, { scopes, audience }) {
      const now = clock.now();
      const tokensExpireAt = addSeconds(now, application.accessTokenLifetime);
      const own = { applicationId: application.id, scopes: scopes.join(' '), audience, until: tokensExpireAt };
      const present = await store.findOwn(tx.sql, own);
      const extended = present && (await store.extendTokens(tx.sql, present.id, { now, tokensExpireAt }));
      if (extended) return extended;
      const grant: Grant = {
        id: random.uuid(),
        applicationId: application.id,
        accountId: null,
        sessionId: null,
        approvedSessionId: null,
        scopes,
        audience,
        nonce: null,
        amr: [],
        authenticatedAt: now,
        codeExpiresAt: null,
        codeChallenge: null,
        redirectUri: null,
        redeemedAt: now,
        refreshedAt: null,
        generation: 0,
        tokensExpireAt,
        createdAt: now,
        // Mutation: `86_400` becomes `86401`. The next grant is made a second later.
        expiresAt: addSeconds(tokensExpireAt, 86_400),
        endedAt: null,
      };
      await store.add(tx.sql, grant, {});
      return grant;
    },

    async findByRefreshToken(token, which, tx) {
      const given = refreshTokens.read(token);
      const grant = given && (await findOpen(given.grantId, which, tx));
      if (!grant || !which) return grant;
      const mac = refreshTokens.macOf(token);
      const isCurrent = grant.refreshMac === mac || (grant.formerRefreshMac === mac && !isLate(grant));
      return isCurrent ? grant : undefined;
    },

    findOpen,

    listOpen: (tx, whose) => store.listOpen(tx.sql, whose),

    end,

    async endByRequest(tx, grant, application, origin) {
      const [ended] = await end(tx, { ids: [grant.id] });
      if (ended) await record(tx, grantActions.ended, ended, application, origin);
    },

    whenEnded: (listener) => void listeners.push(listener),

    async maintain() {
      const now = clock.now();
      await inRounds(async (most) => {
        const expired = await store.listExpired(addSeconds(now, -SETTLED_SECONDS), most);
        // Mutation: `expired.length > 0` becomes `true`, `>` becomes `>=`. To end none makes no statement.
        if (expired.length > 0) await database.transaction((tx) => end(tx, { ids: expired }));
        return expired.length;
      });
      await inRounds((most) => store.deleteOld(addSeconds(now, -KEPT_SECONDS), most));
    },
  };
}

/** Returns the sessions that these grants have of their own. */
const offlineSessionsOf = (grants: readonly Pick<Grant, 'sessionId' | 'scopes'>[]): Set<string> =>
  new Set(
    grants.flatMap(({ sessionId, scopes }) =>
      // Mutation: `sessionId !== null && scopes.includes(OFFLINE_ACCESS) ? sessionId : []` becomes `sessionId`, `&&` becomes `||`. The statement leaves sessions that no grant has of its own.
      sessionId !== null && scopes.includes(OFFLINE_ACCESS) ? sessionId : [],
    ),
  );
