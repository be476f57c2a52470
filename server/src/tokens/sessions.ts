// Sessions: a sign-in opens one. A token is valid only while it is the current token of its session.
import { addSeconds, type Clock, nextSecond } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import {
  createAccessTokens,
  type IssuedToken,
  latestExpiry,
  type TokenSubject,
  type VerifiedToken,
} from './access-tokens.ts';
import { type AccountSessions, createAccountSessions } from './account-sessions.ts';
import { sessionErrors, tokenErrors } from './declarations.ts';
import type { KeyRing } from './keys.ts';
import { endsOf, type Revocations, supersede } from './revocations.ts';
import { type Session, TWO_FACTORS } from './session.ts';
import { tokenSettings } from './settings.ts';
import type { SessionStore } from './store.sql.ts';
import { type Claims, readVerifiedClaims } from './token.ts';

/** The account and session behind a valid token. */
export type Caller = { accountId: number; sessionId: string; mustChangePassword: boolean; mustEnroll: boolean };

/** What a session knows of its sign-in. `amr` names the methods (RFC 8176); `mfa` among them stands for two factors. */
export type SessionStart = {
  amr: readonly string[];
  mustChangePassword: boolean;
  mustEnroll?: boolean;
  /** The passkey that was used, if any. */
  passkeyId?: string | undefined;
  origin: Origin;
};

/** A session whose token was exchanged, and the id of its new token, which is not issued yet. */
export type SwappedSession = { readonly session: Session; readonly jti: string };

/** A token to issue for a swapped session. `mustEnroll`: whether the session may only enroll a second factor from now on. */
export type Renewal = SwappedSession & { readonly subject: TokenSubject; readonly mustEnroll: boolean };

// Mutation: `500` becomes `501`. The next batch deletes what this one leaves.
const EXPIRED_BATCH = 500;

/** A token's `iat` is at most this much later than the instant that its session stores, because statements run in between. */
const ISSUE_SECONDS = 10;

export interface Sessions extends AccountSessions {
  /** Opens a session and issues its first token. */
  open(tx: Tx, subject: TokenSubject, start: SessionStart): Promise<IssuedToken>;
  /**
   * Opens a session for a grant that outlives the sign-off of the browser (OpenID Connect Core 11). It has the authentication of
   * `session`, and no token of this service.
   */
  openForApplication(tx: Tx, session: Session, applicationId: string, origin: Origin): Promise<Session>;
  /** Verifies a token's signature and times. @throws AuthError `token.invalid`, `token.expired`. */
  verify(token: string): Promise<VerifiedToken>;
  /**
   * Returns the claims of a token. Like `verify`, it says nothing of the session.
   * @throws AuthError `token.invalid`, `token.expired`.
   */
  readClaims(token: string): Promise<Claims>;
  /** Returns the caller behind a valid token. @throws AuthError `token.invalid`, `token.expired`, `token.revoked`. */
  check(token: string): Promise<Caller>;
  /** Returns an open session and keeps it open until the transaction ends. */
  findOpen(tx: Tx, sessionId: string): Promise<Session | undefined>;
  /** Returns the same. @throws AuthError `token.revoked`. */
  requireOpen(tx: Tx, sessionId: string): Promise<Session>;
  /**
   * Begins to exchange verified tokens, each once. The statement that makes the new token valid revokes the old one. `issue`
   * completes the exchange in the same transaction.
   * @returns for each token its session, or null if the token is revoked. Of several tokens, one gets `undefined` if another
   * transaction has locked its session, and can be tried again alone.
   */
  swap(tx: Tx, tokens: readonly VerifiedToken[]): Promise<(SwappedSession | null | undefined)[]>;
  /** Records a further authentication in an open session. @returns the session as it is now. */
  recordAuthentication(tx: Tx, session: Session, proof: Pick<SessionStart, 'amr' | 'passkeyId'>): Promise<Session>;
  /** Issues the new tokens of swapped sessions, in their order. */
  issue(tx: Tx, renewals: readonly Renewal[]): Promise<IssuedToken[]>;
  /**
   * Ends the session of a verified token. It accepts a token that a refresh has just superseded, so that a sign-off cannot
   * lose a race against a refresh.
   * @returns the account's id, or `undefined` if the session was not open.
   */
  signOff(tx: Tx, token: VerifiedToken): Promise<number | undefined>;
  /** Ends one open session of this account. @throws AuthError `session.notFound`. */
  end(tx: Tx, accountId: number, sessionId: string): Promise<void>;
  /** Ends every session of the service, and waits for the next whole second. @returns how many it ended. */
  endAll(tx: Tx): Promise<number>;
  /** Returns how many sessions are open now, up to `most`. */
  countOpen(most: number): Promise<number>;
  /** Cleanup job: deletes one batch of expired sessions. */
  deleteExpired(): Promise<void>;
}

export function createSessions(deps: {
  store: SessionStore;
  keys: KeyRing;
  revocations: Revocations;
  settings: SettingReader;
  issuer: string;
  clock: Clock;
  random: Random;
  /** Tokens in each of the two generations of the cache of verified tokens. */
  generation?: number | undefined;
}): Sessions {
  const { store, keys, revocations, settings, issuer, clock, random, generation } = deps;
  const { issue, verify } = createAccessTokens({ keys, settings, issuer, clock, generation });
  const latest = () => latestExpiry(settings, clock.now());

  /** @returns the account's id, or `undefined` if the session was not open. */
  async function end(tx: Tx, sessionId: string): Promise<number | undefined> {
    const ended = await store.end(tx.sql, sessionId, clock.now());
    if (ended) await revocations.record(tx, endsOf([ended], latest()));
    return ended?.accountId;
  }

  return {
    verify,
    async readClaims(token) {
      await verify(token);
      return readVerifiedClaims(token);
    },

    async open(tx, subject, { amr, mustChangePassword, mustEnroll = false, passkeyId, origin }) {
      const now = clock.now();
      const session: Session = {
        id: random.uuid(),
        accountId: subject.id,
        frontEnd: origin.frontEnd,
        amr,
        ipAddress: origin.ipAddress,
        // Mutation: `origin.userAgent?.slice(0, 256) ?? null` becomes `origin.userAgent?.slice(0, 256)`. A column that is left out is null.
        userAgent: origin.userAgent?.slice(0, 256) ?? null,
        signedInAt: now,
        lastRefreshedAt: null,
        expiresAt: addSeconds(now, settings.read(tokenSettings).sessionLifetime),
        mustChangePassword,
        mustEnroll,
        authenticatedAt: now,
        passkeyUsedAt: passkeyId === undefined ? null : now,
        factorUsedAt: amr.includes(TWO_FACTORS) ? now : null,
        // Mutation: `passkeyId ?? null` becomes `passkeyId`. A column that is left out is null.
        passkeyId: passkeyId ?? null,
        applicationId: null,
        generation: 0,
        tokensExpireAt: latest(),
      };
      const jti = random.uuid();
      await store.open(tx.sql, session, jti);
      if (mustChangePassword || mustEnroll) await revocations.record(tx, supersede([session], latest()));
      return issue(subject, session, jti);
    },

    async openForApplication(tx, session, applicationId, { ipAddress, userAgent, frontEnd }) {
      const now = clock.now();
      const opened: Session = {
        ...session,
        id: random.uuid(),
        applicationId,
        frontEnd,
        ipAddress,
        // Mutation: `userAgent?.slice(0, 256) ?? null` becomes `userAgent?.slice(0, 256)`. As above.
        userAgent: userAgent?.slice(0, 256) ?? null,
        signedInAt: now,
        lastRefreshedAt: null,
        expiresAt: addSeconds(now, settings.read(tokenSettings).sessionLifetime),
        generation: 0,
        tokensExpireAt: now,
      };
      await store.open(tx.sql, opened, random.uuid());
      return opened;
    },

    async check(token) {
      const { sessionId, jti } = await verify(token);
      const session = await store.find(sessionId);
      const isCurrent = session && session.currentJti === jti && session.endedAt === null;
      if (!isCurrent || session.expiresAt <= clock.now()) throw tokenErrors.revoked();
      const { accountId, mustChangePassword, mustEnroll } = session;
      return { accountId, sessionId, mustChangePassword, mustEnroll };
    },

    findOpen: (tx, sessionId) => store.findOpenForUpdate(tx.sql, sessionId, clock.now()),

    async requireOpen(tx, sessionId) {
      const session = await this.findOpen(tx, sessionId);
      if (!session) throw tokenErrors.revoked();
      return session;
    },

    async swap(tx, tokens) {
      const times = { tokensExpireAt: latest(), now: clock.now() };
      const swaps = tokens.map(({ sessionId, jti }) => ({ id: sessionId, oldJti: jti, jti: random.uuid(), ...times }));
      const sessions = await store.swapCurrentTokens(tx.sql, swaps);
      return swaps.map(({ jti }, place) => {
        const session = sessions[place];
        return session && { session, jti };
      });
    },

    async recordAuthentication(tx, session, { amr, passkeyId }) {
      const now = clock.now();
      const renewed = {
        ...session,
        amr: [...new Set([...session.amr, ...amr])],
        authenticatedAt: now,
        passkeyUsedAt: passkeyId === undefined ? session.passkeyUsedAt : now,
        factorUsedAt: amr.includes(TWO_FACTORS) ? now : session.factorUsedAt,
      };
      await store.recordAuthentication(tx.sql, renewed);
      return renewed;
    },

    async issue(tx, renewals) {
      for (const { session, mustEnroll } of renewals) {
        // Mutation: `mustEnroll !== session.mustEnroll` becomes `true`. It writes the value that the session has.
        if (mustEnroll !== session.mustEnroll) await store.requireEnrollment(tx.sql, session.id, mustEnroll);
      }
      const renewed = renewals.map(({ session, mustEnroll }) => ({ ...session, mustEnroll }));
      await revocations.record(tx, supersede(renewed, latest()));
      return renewals.map(({ session, jti, subject }) => issue(subject, session, jti));
    },

    signOff: (tx, { sessionId }) => end(tx, sessionId),

    async end(tx, accountId, sessionId) {
      // The error rolls back the end of another account's session. It is the same as for an unknown id.
      if ((await end(tx, sessionId)) !== accountId) throw sessionErrors.notFound();
    },

    async endAll(tx) {
      await store.lockAll(tx.sql);
      const issuedBefore = nextSecond(clock.now());
      // Nodes whose clocks are ahead have issued them. Sessions that have ended are named again: `all` replaces the former one.
      const later = await store.listIssuedFrom(tx.sql, addSeconds(issuedBefore, -ISSUE_SECONDS));
      const count = await store.endAll(tx.sql, clock.now());
      await revocations.record(tx, [{ kind: 'all', issuedBefore }, ...endsOf(later, latest())]);
      await revocations.announceEnd(tx, 'all');
      // A new token has a later time than the revoked ones: it is issued when the transaction has ended.
      await clock.sleep(issuedBefore - clock.now());
      return count;
    },

    ...createAccountSessions({ store, revocations, settings, clock }),
    countOpen: (most) => store.countOpen(clock.now(), most),
    deleteExpired: () => store.deleteExpired(clock.now(), EXPIRED_BATCH),
  };
}
