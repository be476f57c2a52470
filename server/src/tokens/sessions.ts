// Sessions: a sign-in opens one. A token is valid only while it is the current token of its session.
import { addSeconds, type Clock, secondsUntil, toInstant, toIsoString, toNumericDate } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import { sessionErrors, tokenErrors } from './errors.ts';
import type { KeyRing } from './keys.ts';
import type { Revocations } from './revocations.ts';
import { tokenSettings } from './settings.ts';
import type { Session, SessionStore } from './store.ts';
import { type Claims, encodeToken } from './token.ts';
import { createVerifiedTokens, type VerifiedToken } from './verified-tokens.ts';

/** The account that a token is for. Journeys read it from the store each time a token is issued. */
export type TokenSubject = {
  id: number;
  userName: string;
  fullName: string;
  email: string | null;
  roles: readonly string[];
};

/** The account and session behind a valid token. */
export type Caller = { accountId: number; sessionId: string; mustChangePassword: boolean; mustEnroll: boolean };

export type IssuedToken = { accessToken: string; expireInSeconds: number; expireOn: string };

/** What a session knows of its sign-in. `amr` names the methods (RFC 8176); `mfa` among them stands for two factors. */
export type SessionStart = {
  amr: readonly string[];
  mustChangePassword: boolean;
  mustEnroll?: boolean;
  usedPasskey?: boolean | undefined;
  origin: Origin;
};

/** The account of a refreshed token, and whether the session may only enroll a second factor. */
export type RefreshedSubject = TokenSubject & { mustEnroll?: boolean };

/** `nbf` lies this far back, so that a node whose clock is behind accepts what another node has just issued. */
const NODE_SKEW_SECONDS = 30;

const EXPIRED_BATCH = 500;

export interface Sessions {
  /** Opens a session and issues its first token. */
  open(tx: Tx, subject: TokenSubject, start: SessionStart): Promise<IssuedToken>;
  /** Verifies a token's signature and times. @throws AuthError `token.invalid`, `token.expired`. */
  verify(token: string): VerifiedToken;
  /** Returns the caller behind a valid token. @throws AuthError `token.invalid`, `token.expired`, `token.revoked`. */
  check(token: string): Promise<Caller>;
  /** Returns an open session and keeps it open until the transaction ends. @throws AuthError `token.revoked`. */
  requireOpen(tx: Tx, sessionId: string): Promise<Session>;
  /**
   * Exchanges a verified token, once. The statement that makes the new token valid revokes the old one.
   * @param findSubject reads the account in the transaction. It returns `undefined` for a deleted or deactivated account.
   * @throws AuthError `token.revoked`.
   */
  refresh(
    tx: Tx,
    token: VerifiedToken,
    findSubject: (accountId: number, session: Session) => Promise<RefreshedSubject | undefined>,
  ): Promise<IssuedToken>;
  /**
   * Records a further authentication in the session of a verified token, and exchanges the token as `refresh` does.
   * @throws AuthError `token.revoked`.
   */
  reauthenticate(
    tx: Tx,
    token: VerifiedToken,
    proof: { amr: readonly string[]; usedPasskey: boolean },
    findSubject: (accountId: number, session: Session) => Promise<RefreshedSubject | undefined>,
  ): Promise<IssuedToken>;
  /**
   * Ends the session of a verified token. It accepts a token that a refresh has just superseded, so that a sign-off cannot
   * lose a race against a refresh.
   * @returns the account's id, or `undefined` if the session was not open.
   */
  signOff(tx: Tx, token: VerifiedToken): Promise<number | undefined>;
  /** Ends one open session of this account. @throws AuthError `session.notFound`. */
  end(tx: Tx, accountId: number, sessionId: string): Promise<void>;
  /** Ends the account's sessions, except the session with the id `except`. @returns how many it ended. */
  endOfAccount(tx: Tx, accountId: number, except?: string): Promise<number>;
  /** Ends every session of the service. @returns how many it ended. */
  endAll(tx: Tx): Promise<number>;
  /**
   * Ends the restriction of a session to enrolling a second factor. Ends the account's other sessions with this
   * restriction: an attacker with the password may have opened them.
   */
  endEnrollment(tx: Tx, accountId: number, sessionId: string): Promise<void>;
  /** Restricts the account's open sessions to a change of the password, or ends that restriction. */
  requirePasswordChange(tx: Tx, accountId: number, required: boolean): Promise<void>;
  listOpen(accountId: number): Promise<Session[]>;
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
  const verifiedTokens = createVerifiedTokens({ keys, issuer, clock, generation });

  function issue(subject: TokenSubject, session: Session, jti: string): IssuedToken {
    const now = clock.now();
    const { accessTokenLifetime, audience } = settings.read(tokenSettings);
    const issuedAt = toNumericDate(now);
    const exp = Math.min(issuedAt + accessTokenLifetime, toNumericDate(session.expiresAt));
    const claims: Claims = {
      iss: issuer,
      aud: audience,
      sub: String(subject.id),
      jti,
      sid: session.id,
      iat: issuedAt,
      nbf: issuedAt - NODE_SKEW_SECONDS,
      exp,
      auth_time: toNumericDate(session.authenticatedAt),
      amr: [...session.amr],
      acr: session.amr.includes('mfa') ? 'aal2' : 'aal1',
      client_id: session.frontEnd,
      preferred_username: subject.userName,
      name: subject.fullName,
      ...(subject.email !== null && { email: subject.email }),
      roles: [...subject.roles],
    };
    const expiresAt = toInstant(exp * 1000);
    const accessToken = encodeToken(claims, keys.signingKey());
    // The service has just made this signature, and need not verify it.
    verifiedTokens.remember(accessToken, { sessionId: session.id, jti, accountId: subject.id, nbf: claims.nbf, exp });
    return {
      accessToken,
      expireInSeconds: secondsUntil(expiresAt, toInstant(issuedAt * 1000)),
      expireOn: toIsoString(expiresAt),
    };
  }

  /** @returns the account's id, or `undefined` if the session was not open. */
  async function end(tx: Tx, sessionId: string): Promise<number | undefined> {
    const accountId = await store.end(tx.sql, sessionId, clock.now());
    if (accountId !== undefined) await revocations.record(tx, [{ kind: 'session', sessionId }]);
    return accountId;
  }

  /** Swaps the token of a session. @param renew changes the session that the new token is for. */
  async function exchange(
    tx: Tx,
    { sessionId, jti }: VerifiedToken,
    findSubject: (accountId: number, session: Session) => Promise<RefreshedSubject | undefined>,
    renew: (session: Session) => Promise<Session> = async (session) => session,
  ): Promise<IssuedToken> {
    const newJti = random.uuid();
    const session = await store.swapCurrentToken(tx.sql, sessionId, jti, newJti, clock.now());
    const subject = session && (await findSubject(session.accountId, session));
    if (!subject) throw tokenErrors.revoked();
    const { mustEnroll = false } = subject;
    if (mustEnroll !== session.mustEnroll) await store.requireEnrollment(tx.sql, sessionId, mustEnroll);
    await revocations.record(tx, [{ kind: 'superseded', sessionId, jti }]);
    return issue(subject, await renew(session), newJti);
  }

  return {
    verify: verifiedTokens.verify,

    async open(tx, subject, { amr, mustChangePassword, mustEnroll = false, usedPasskey = false, origin }) {
      const now = clock.now();
      const session: Session = {
        id: random.uuid(),
        accountId: subject.id,
        frontEnd: origin.frontEnd,
        amr,
        ipAddress: origin.ipAddress,
        userAgent: origin.userAgent?.slice(0, 256) ?? null,
        signedInAt: now,
        lastRefreshedAt: null,
        expiresAt: addSeconds(now, settings.read(tokenSettings).sessionLifetime),
        mustChangePassword,
        mustEnroll,
        authenticatedAt: now,
        passkeyUsedAt: usedPasskey ? now : null,
      };
      const jti = random.uuid();
      await store.open(tx.sql, session, jti);
      return issue(subject, session, jti);
    },

    async check(token) {
      const { sessionId, jti } = verifiedTokens.verify(token);
      const session = await store.find(sessionId);
      const isCurrent = session && session.currentJti === jti && session.endedAt === null;
      if (!isCurrent || session.expiresAt <= clock.now()) throw tokenErrors.revoked();
      const { accountId, mustChangePassword, mustEnroll } = session;
      return { accountId, sessionId, mustChangePassword, mustEnroll };
    },

    async requireOpen(tx, sessionId) {
      const session = await store.findOpenForUpdate(tx.sql, sessionId, clock.now());
      if (!session) throw tokenErrors.revoked();
      return session;
    },

    refresh: (tx, token, findSubject) => exchange(tx, token, findSubject),

    reauthenticate: (tx, token, { amr, usedPasskey }, findSubject) =>
      exchange(tx, token, findSubject, async (session) => {
        const now = clock.now();
        const passkeyUsedAt = usedPasskey ? now : session.passkeyUsedAt;
        const renewed = {
          ...session,
          amr: [...new Set([...session.amr, ...amr])],
          authenticatedAt: now,
          passkeyUsedAt,
        };
        await store.recordAuthentication(tx.sql, renewed);
        return renewed;
      }),

    signOff: (tx, { sessionId }) => end(tx, sessionId),

    async end(tx, accountId, sessionId) {
      // The error rolls back the end of another account's session. It is the same as for an unknown id.
      if ((await end(tx, sessionId)) !== accountId) throw sessionErrors.notFound();
    },

    async endOfAccount(tx, accountId, except) {
      const ended = await store.endOfAccount(tx.sql, accountId, clock.now(), except);
      const sessions = ended.map((sessionId) => ({ kind: 'session', sessionId }) as const);
      await revocations.record(tx, [{ kind: 'account', accountId }, ...sessions]);
      return ended.length;
    },

    async endAll(tx) {
      const now = clock.now();
      const count = await store.endAll(tx.sql, now);
      await revocations.record(tx, [{ kind: 'all', issuedBefore: now }]);
      return count;
    },

    async endEnrollment(tx, accountId, sessionId) {
      await store.requireEnrollment(tx.sql, sessionId, false);
      const ended = await store.endRestricted(tx.sql, accountId, clock.now());
      const revoked = ended.map((id) => ({ kind: 'session', sessionId: id }) as const);
      await revocations.record(tx, revoked);
    },
    requirePasswordChange: (tx, accountId, required) => store.requirePasswordChange(tx.sql, accountId, required),
    listOpen: (accountId) => store.listOpen(accountId, clock.now()),
    deleteExpired: () => store.deleteExpired(clock.now(), EXPIRED_BATCH),
  };
}
