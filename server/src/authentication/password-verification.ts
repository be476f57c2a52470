// Verifying a password: for sign-in, and for owners who change what protects their account.
import type { Account, Credential } from '../accounts/index.ts';
import type { AuthError, ErrorKind } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Attempt, Attempts } from './attempts.ts';

/** An account with its credential. */
export type AccountWithCredential = Account & { credential: Credential };

/** The password that was right. `upgradedHash` replaces a stored hash that is weaker than today's. */
export type VerifiedPassword = { passwordVersion: number; upgradedHash: string | undefined };

/** An attempt with the password of an account. */
export type PasswordAttempt = Omit<Attempt, 'account'> & {
  readonly account: AccountWithCredential | undefined;
  readonly password: string;
  /** The error of a wrong password. */
  readonly wrong: ErrorKind;
};

/** A password to compare with the hash of an account. */
type Candidate = { account: AccountWithCredential | undefined; subject: string; password: string; origin: Origin };

export interface PasswordVerification {
  /**
   * Compares the password with the account's hash. An unknown name takes the same time.
   * @returns `undefined` when the password is wrong.
   * @throws AuthError `service.unavailable` when too many hashes are queued, in all or for this network or account.
   */
  compare(candidate: Candidate): Promise<VerifiedPassword | undefined>;
  /**
   * Makes an attempt with the password. Runs `whenVerified` in the transaction that settles the attempt; an
   * {@link AuthError} that it returns is recorded as a refusal and thrown.
   * @throws AuthError `attempt.wrong`, `signIn.lockedOut`, `service.unavailable`.
   */
  verify<Result>(
    attempt: PasswordAttempt,
    whenVerified: (tx: Tx, verified: VerifiedPassword) => Promise<Result | AuthError>,
  ): Promise<Result>;
}

export function createPasswordVerification(deps: { attempts: Attempts; passwords: Passwords }): PasswordVerification {
  const { attempts, passwords } = deps;

  async function compare({ account, subject, password, origin }: Candidate): Promise<VerifiedPassword | undefined> {
    const requester = requesterOf(origin, subject);
    const { matches, outdated } = await passwords.verify(account?.credential.hash ?? null, password, requester);
    if (!account || !matches) return undefined;
    const upgradedHash = outdated ? await passwords.hash(password, requester) : undefined;
    return { passwordVersion: account.credential.version, upgradedHash };
  }

  return {
    compare,
    verify: (attempt, whenVerified) =>
      attempts.make(
        attempt,
        () => compare(attempt),
        async (tx, verified) =>
          verified
            ? { proof: 'right', result: await whenVerified(tx, verified) }
            : { proof: 'wrong', result: attempt.wrong() },
      ),
  };
}
