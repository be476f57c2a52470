// Owner verification: a signed-in owner gives the password again before changing what protects the account.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { AuthError } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import type { AccountWithCredential, PasswordVerification, VerifiedPassword } from './password-verification.ts';

/** An owner whose password was verified, and the account and password version at that time. */
export type VerifiedOwner = { readonly owner: SignedIn; readonly account: Account; readonly passwordVersion: number };

/** The password, and the action under which a refusal is recorded. */
export type OwnerAttempt = { readonly password: string; readonly action: Action; readonly origin: Origin };

export interface OwnerVerification {
  /**
   * Verifies the password before work that takes time, such as hashing a new one.
   * @throws AuthError `password.incorrect`, `signIn.lockedOut`.
   */
  verify(owner: SignedIn, attempt: OwnerAttempt): Promise<VerifiedOwner>;
  /**
   * Verifies the password, and runs `whenVerified` in the transaction that settles the attempt.
   * @throws AuthError `password.incorrect`, `signIn.lockedOut`.
   */
  verifyAnd<Result>(
    owner: SignedIn,
    attempt: OwnerAttempt,
    whenVerified: (tx: Tx, account: Account) => Promise<Result | AuthError>,
  ): Promise<Result>;
  /** Returns the caller's account, locked until the transaction ends. @throws AuthError the errors of {@link SignedIn.authorize}. */
  requireOwner(tx: Tx, owner: SignedIn): Promise<Account>;
  /**
   * Returns the current account, locked until the transaction ends. Requires that the owner is still authorized and that
   * the password has not changed since it was verified.
   * @throws AuthError `password.incorrect` and the errors of {@link SignedIn.authorize}.
   */
  requireUnchanged(tx: Tx, verified: VerifiedOwner): Promise<Account>;
}

export function createOwnerVerification(deps: {
  accounts: AccountStore;
  passwordVerification: PasswordVerification;
}): OwnerVerification {
  const { accounts, passwordVerification } = deps;
  const wrong = passwordErrors.incorrect;

  async function findOwner({ accountId }: SignedIn): Promise<AccountWithCredential> {
    const [account, credential] = await Promise.all([accounts.find(accountId), accounts.findCredential(accountId)]);
    if (!account || !credential) throw accountErrors.notFound();
    return { ...account, credential };
  }

  async function verify<Result>(
    owner: SignedIn,
    attempt: OwnerAttempt,
    whenVerified: (tx: Tx, account: Account, verified: VerifiedPassword) => Promise<Result | AuthError>,
  ): Promise<Result> {
    const account = await findOwner(owner);
    const subject = accountSubject(account.id);
    const { sessionId } = owner;
    return passwordVerification.verify({ ...attempt, account, subject, sessionId, wrong }, (tx, verified) =>
      whenVerified(tx, account, verified),
    );
  }

  return {
    verify: (owner, attempt) =>
      verify(owner, attempt, async (_, account, { passwordVersion }) => ({ owner, account, passwordVersion })),
    verifyAnd: verify,

    async requireOwner(tx, owner) {
      await owner.authorize(tx);
      const account = await accounts.findIn(tx.sql, owner.accountId);
      if (!account) throw accountErrors.notFound();
      return account;
    },

    async requireUnchanged(tx, { owner, passwordVersion }) {
      // Check the password first: replacing it has ended the session too, and the owner needs to know the cause.
      const account = await accounts.findForUpdate(tx.sql, owner.accountId);
      const credential = await accounts.findCredential(owner.accountId, tx.sql);
      if (!account?.isActive || credential?.version !== passwordVersion) throw wrong();
      await owner.authorize(tx);
      return account;
    },
  };
}
