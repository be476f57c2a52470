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
import { type Claims, decodeToken, encodeToken, judgeTimes } from './token.ts';

/** The account that a token is for. Journeys read it from the store each time a token is issued. */
export type TokenSubject = {
  id: number;
  userName: string;
  fullName: string;
  email: string | null;
  roles: readonly string[];
};

/** The account and session behind a valid token. */
export type Caller = { accountId: number; sessionId: string; mustChangePassword: boolean };

export type IssuedToken = { accessToken: string; expireInSeconds: number; expireOn: string };

/** A token with a valid signature that has not expired. Its session may have ended. */
export type VerifiedToken = { sessionId: string; jti: string; accountId: number } & Pick<Claims, 'nbf' | 'exp'>;

/** The cache of verified tokens has two generations of this many, of about 1 kB each. */
const GENERATION = 10_000;

/** `nbf` lies this far back, so that a node whose clock is behind accepts what another node has just issued. */
const NODE_SKEW_SECONDS = 30;

const EXPIRED_BATCH = 500;

export interface Sessions {
  /** Opens a session and issues its first token. `amr` names the methods of the sign-in. */
  open(
    tx: Tx,
    subject: TokenSubject,
    signIn: { amr: readonly string[]; mustChangePassword: boolean; origin: Origin },
  ): Promise<IssuedToken>;
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
    findSubject: (accountId: number) => Promise<TokenSubject | undefined>,
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
  /** Tokens in each of the two generations of the cache. */
  generation?: number;
}): Sessions {
  const { store, keys, revocations, settings, issuer, clock, random, generation = GENERATION } = deps;
  let young = new Map<string, VerifiedToken>();
  let old = new Map<string, VerifiedToken>();
  keys.onChange(() => {
    young.clear();
    old.clear();
  });

  function verifySignature(token: string): VerifiedToken {
    const recent = young.get(token);
    if (recent) return recent;
    const verified = old.get(token) ?? decode(token);
    remember(token, verified);
    return verified;
  }

  function decode(token: string): VerifiedToken {
    const claims = decodeToken(token, issuer, keys.find);
    if (!claims) throw tokenErrors.invalid();
    const { sid, jti, sub, nbf, exp } = claims;
    return { sessionId: sid, jti, accountId: Number(sub), nbf, exp };
  }

  function remember(token: string, verified: VerifiedToken) {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(token, verified);
  }

  function verify(token: string): VerifiedToken {
    const found = verifySignature(token);
    const verdict = judgeTimes(found, clock.now());
    if (verdict === 'expired') {
      // This node refuses the token for good, even if its clock is set back.
      remember(token, { ...found, exp: 0 });
      throw tokenErrors.expired();
    }
    if (verdict === 'early') throw tokenErrors.invalid();
    return found;
  }

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
      auth_time: toNumericDate(session.signedInAt),
      amr: [...session.amr],
      client_id: session.frontEnd,
      preferred_username: subject.userName,
      name: subject.fullName,
      ...(subject.email !== null && { email: subject.email }),
      roles: [...subject.roles],
    };
    const expiresAt = toInstant(exp * 1000);
    const accessToken = encodeToken(claims, keys.signingKey());
    // The service has just made this signature, and need not verify it.
    remember(accessToken, { sessionId: session.id, jti, accountId: subject.id, nbf: claims.nbf, exp });
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

  return {
    verify,

    async open(tx, subject, { amr, mustChangePassword, origin }) {
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
      };
      const jti = random.uuid();
      await store.open(tx.sql, session, jti);
      return issue(subject, session, jti);
    },

    async check(token) {
      const { sessionId, jti } = verify(token);
      const session = await store.find(sessionId);
      const isCurrent = session && session.currentJti === jti && session.endedAt === null;
      if (!isCurrent || session.expiresAt <= clock.now()) throw tokenErrors.revoked();
      return { accountId: session.accountId, sessionId, mustChangePassword: session.mustChangePassword };
    },

    async requireOpen(tx, sessionId) {
      const session = await store.findOpenForUpdate(tx.sql, sessionId, clock.now());
      if (!session) throw tokenErrors.revoked();
      return session;
    },

    async refresh(tx, { sessionId, jti }, findSubject) {
      const newJti = random.uuid();
      const session = await store.swapCurrentToken(tx.sql, sessionId, jti, newJti, clock.now());
      const subject = session && (await findSubject(session.accountId));
      if (!subject) throw tokenErrors.revoked();
      await revocations.record(tx, [{ kind: 'superseded', sessionId, jti }]);
      return issue(subject, session, newJti);
    },

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

    requirePasswordChange: (tx, accountId, required) => store.requirePasswordChange(tx.sql, accountId, required),
    listOpen: (accountId) => store.listOpen(accountId, clock.now()),
    deleteExpired: () => store.deleteExpired(clock.now(), EXPIRED_BATCH),
  };
}
