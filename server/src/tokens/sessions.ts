// Sessions: what a sign-in opens and a token points into. A token is valid only while it is its session's current one.
import { addSeconds, type Clock, type Instant, secondsUntil, toIsoString, toNumericDate } from '../foundation/clock.ts';
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

/** Whom a token is for, read afresh from the store each time one is issued. */
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

/** A token of ours that is within its time: says nothing of whether its session is open. */
export type VerifiedToken = { sessionId: string; jti: string; accountId: number } & Pick<Claims, 'nbf' | 'exp'>;

/** Verdicts on signatures are kept in two generations of so many tokens, of about 1 kB each. */
const GENERATION = 10_000;

/** `nbf` lies this far back, so that a node whose clock is behind does not refuse what another has just issued. */
const NODE_SKEW_SECONDS = 30;

const EXPIRED_BATCH = 500;

export interface Sessions {
  /** Opens a session and issues its first token. `amr` names the methods of the sign-in. */
  open(
    tx: Tx,
    subject: TokenSubject,
    signIn: { amr: readonly string[]; mustChangePassword: boolean; origin: Origin },
  ): Promise<IssuedToken>;
  /** The token if its signature and times hold. Ends in `token.invalid`, `token.expired`. */
  verify(token: string): VerifiedToken;
  /** The caller behind a token that is valid now. Ends in `token.invalid`, `token.expired`, `token.revoked`. */
  check(token: string): Promise<Caller>;
  /** The session, which stays open until the transaction ends. Ends in `token.revoked` when it is not open any more. */
  requireOpen(tx: Tx, sessionId: string): Promise<Session>;
  /**
   * Exchanges a verified token, once: the old one is blacklisted by the statement that makes the new one valid.
   * @param findSubject reads the account within the transaction; `undefined` (gone or deactivated) refuses.
   * Ends in `token.revoked`.
   */
  refresh(
    tx: Tx,
    token: VerifiedToken,
    findSubject: (accountId: number) => Promise<TokenSubject | undefined>,
  ): Promise<IssuedToken>;
  /**
   * Ends the session of a verified token, also of one that a refresh has just superseded: else signing off would lose
   * the race against refreshing.
   * @returns the account's id, or nothing when there was no such open session.
   */
  signOff(tx: Tx, token: VerifiedToken): Promise<number | undefined>;
  /** Ends one open session of this account. Ends in `session.notFound`. */
  end(tx: Tx, accountId: number, sessionId: string): Promise<void>;
  /** Ends the account's sessions, except one if named. @returns how many were open. */
  endOfAccount(tx: Tx, accountId: number, except?: string): Promise<number>;
  /** Ends every session of the service. */
  endAll(tx: Tx): Promise<number>;
  /** Restricts the account's open sessions to changing the password, or lifts that. */
  requirePasswordChange(tx: Tx, accountId: number, required: boolean): Promise<void>;
  listOpen(accountId: number): Promise<Session[]>;
  /** One batch of housekeeping. */
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
  /** Tokens in each of the two generations of verdicts. */
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
    const known = young.get(token);
    if (known) return known;
    const kept = old.get(token) ?? decode(token);
    remember(token, kept);
    return kept;
  }

  function decode(token: string): VerifiedToken {
    const claims = decodeToken(token, issuer, keys.find);
    if (!claims) throw tokenErrors.invalid();
    const { sid, jti, sub, nbf, exp } = claims;
    return { sessionId: sid, jti, accountId: Number(sub), nbf, exp };
  }

  function remember(token: string, kept: VerifiedToken) {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(token, kept);
  }

  function verify(token: string): VerifiedToken {
    const found = verifySignature(token);
    const verdict = judgeTimes(found, clock.now());
    if (verdict === 'expired') {
      // Refused once, refused for good: on this node no clock that is set back brings the token to life again.
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
    const end = (exp * 1000) as Instant;
    const accessToken = encodeToken(claims, keys.signingKey());
    // Our own signature of this very moment needs no check when the token comes back.
    remember(accessToken, { sessionId: session.id, jti, accountId: subject.id, nbf: claims.nbf, exp });
    return {
      accessToken,
      expireInSeconds: secondsUntil(end, (issuedAt * 1000) as Instant),
      expireOn: toIsoString(end),
    };
  }

  /** @returns the account's id, or nothing when there was no such open session. */
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
      // Another account's session: throwing rolls the transaction back, and tells no more than for an unknown id.
      if ((await end(tx, sessionId)) !== accountId) throw sessionErrors.notFound();
    },

    async endOfAccount(tx, accountId, except) {
      const ended = await store.endOfAccount(tx.sql, accountId, clock.now(), except);
      await revocations.record(
        tx,
        ended.map((sessionId) => ({ kind: 'session', sessionId })),
      );
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
