// Proving a password: whoever asks for a password asks here.
import type { Account, Credential } from '../accounts/index.ts';
import type { AuthError, ErrorKind } from '../foundation/errors.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Attempt, Attempts } from './attempts.ts';

/** An attempt to prove a password. */
export type PasswordAttempt = Omit<Attempt, 'account'> & {
  readonly account: (Account & { credential: Credential }) | undefined;
  readonly password: string;
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

export function createPasswordProof({
  attempts,
  passwords,
}: {
  attempts: Attempts;
  passwords: Passwords;
}): PasswordProof {
  async function check({ account, subject, password, origin }: PasswordAttempt): Promise<Proof | undefined> {
    const requester = requesterOf(origin, subject);
    const { matches, outdated } = await passwords.verify(account?.credential.hash ?? null, password, requester);
    if (!account || !matches) return undefined;
    const upgradedHash = outdated ? await passwords.hash(password, requester) : undefined;
    return { account, passwordVersion: account.credential.version, upgradedHash };
  }

  return {
    prove: (attempt, whenProven) =>
      attempts.make(
        attempt,
        () => check(attempt),
        async (tx, proof) =>
          proof ? { proof: 'right', result: await whenProven(tx, proof) } : { proof: 'wrong', result: attempt.wrong() },
      ),
  };
}
