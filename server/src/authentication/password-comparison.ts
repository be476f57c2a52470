// Comparing a password with the hash of an account.
import type { Account, Credential } from '../accounts/index.ts';
import type { Origin } from '../foundation/events.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';

/** An account with its credential. */
export type AccountWithCredential = Account & { credential: Credential };

/** The password that was right. `upgradedHash` replaces a stored hash that is weaker than today's. */
export type VerifiedPassword = { passwordVersion: number; upgradedHash: string | undefined };

/**
 * Compares a password with the account's hash. An unknown name takes the same time.
 * @returns `undefined` when the password is wrong.
 * @throws AuthError `service.unavailable` when too many hashes are queued, in all or for this network or account.
 */
export type ComparePassword = (candidate: {
  account: AccountWithCredential | undefined;
  subject: string;
  password: string;
  origin: Origin;
}) => Promise<VerifiedPassword | undefined>;

export function createComparePassword({ passwords }: { passwords: Passwords }): ComparePassword {
  return async ({ account, subject, password, origin }) => {
    const requester = requesterOf(origin, subject);
    const { matches, outdated } = await passwords.verify(account?.credential.hash ?? null, password, requester);
    if (!account || !matches) return undefined;
    const upgradedHash = outdated ? await passwords.hash(password, requester) : undefined;
    return { passwordVersion: account.credential.version, upgradedHash };
  };
}
