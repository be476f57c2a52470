// Proving a password: reserve an attempt, check it, settle the account's lockout; whoever asks for a password asks here.
import type { Account, Credential } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { type Clock, type Instant, secondsUntil } from '../foundation/clock.ts';
import { AuthError, type ErrorKind } from '../foundation/errors.ts';
import type { Action, Occurrence, Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { type Lockouts, readLockoutPolicy } from '../lockout/index.ts';
import type { Passwords } from '../passwords/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { signInErrors } from './errors.ts';

/** An attempt to prove a password. */
export type PasswordAttempt = {
  /** Nobody, for a name that no account has: takes the same time and ends in the same answers. */
  readonly account: (Account & { credential: Credential }) | undefined;
  /** Under which failures are counted. */
  readonly subject: string;
  readonly password: string;
  readonly origin: Origin;
  /** What the trail calls a refusal. */
  readonly action: Action;
  /** What a wrong password ends in. */
  readonly wrong: ErrorKind;
};

/** A password that was proven; `upgradedHash` when it deserves a stronger hash than the one stored. */
export type Proof = { account: Account; passwordVersion: number; upgradedHash: string | undefined };

export interface PasswordProof {
  /**
   * Checks the password and, if it is right, runs `whenProven` in the transaction that settles the attempt.
   * What that returns is the result; an {@link AuthError} it returns is recorded as a refusal and thrown.
   * Ends in `attempt.wrong`, `signIn.lockedOut`, `service.unavailable`.
   */
  prove<Result>(
    attempt: PasswordAttempt,
    whenProven: (tx: Tx, proof: Proof) => Promise<Result | AuthError>,
  ): Promise<Result>;
}

export function createPasswordProof(deps: {
  database: Database;
  passwords: Passwords;
  lockouts: Lockouts;
  settings: SettingReader;
  audit: AuditTrail;
  clock: Clock;
}): PasswordProof {
  const { database, passwords, lockouts, settings, audit, clock } = deps;

  const lockedOut = (until: Instant) => signInErrors.lockedOut({ retryAfterSeconds: secondsUntil(until, clock.now()) });

  /** As far as the database lets us: a reservation that stays runs out by itself. */
  const giveBack = (subject: string) => lockouts.release(subject).catch(() => {});

  async function check({ account, password, subject }: PasswordAttempt): Promise<Proof | undefined> {
    try {
      const { matches, outdated } = await passwords.verify(account?.credential.hash ?? null, password);
      if (!account || !matches) return undefined;
      const upgradedHash = outdated ? await passwords.hash(password) : undefined;
      return { account, passwordVersion: account.credential.version, upgradedHash };
    } catch (error) {
      await giveBack(subject);
      throw error;
    }
  }

  return {
    async prove(attempt, whenProven) {
      const { subject, account, action, origin } = attempt;
      const policy = readLockoutPolicy(settings, origin.frontEnd);
      const refusal = (error: AuthError): Occurrence => ({
        action,
        outcome: 'refused',
        reason: error.reason,
        ...(account && { user: { id: account.id, name: account.userName } }),
        origin,
      });

      const lockedUntil = await lockouts.reserve(subject, policy);
      if (lockedUntil !== null) {
        const error = lockedOut(lockedUntil);
        await audit.recordAlone(refusal(error));
        throw error;
      }
      const proof = await check(attempt);
      const settling = database.transaction(async (tx) => {
        const settled = proof ? await succeed(tx, proof) : await fail(tx);
        if (settled instanceof AuthError) await audit.record(tx, refusal(settled));
        return settled;
      });
      const result = await settling.catch((error) => {
        // Not waited for: the database has just failed, and the caller is to be told so soon.
        void giveBack(subject);
        throw error;
      });
      if (result instanceof AuthError) throw result;
      return result;

      async function succeed(tx: Tx, proven: Proof) {
        const settled = await whenProven(tx, proven);
        await lockouts.succeed(tx, subject);
        return settled;
      }
      async function fail(tx: Tx): Promise<AuthError> {
        const until = await lockouts.fail(tx, subject, policy);
        return until === null ? attempt.wrong() : lockedOut(until);
      }
    },
  };
}
