// Owner verification: a signed-in owner proves again who they are before changing what protects the account.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import { factorErrors } from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { AccountWithCredential, PasswordVerification, VerifiedPassword } from './password-verification.ts';
import { refuseWith400 } from './refusal-status.ts';

/** How long an authentication replaces the password, in seconds. */
const RECENT_SECONDS = 300;

/** An owner whose password was verified, and the account and password version at that time. */
export type VerifiedOwner = { readonly owner: SignedIn; readonly account: Account; readonly passwordVersion: number };

/** The password, and the action under which a refusal is recorded. */
export type OwnerAttempt = { readonly password: string; readonly action: Action; readonly origin: Origin };

/** The same for a change of factors, which a recent authentication allows without the password. */
export type OwnerProof = Omit<OwnerAttempt, 'password'> & { readonly password: string | null | undefined };

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
  /**
   * Verifies the password, and runs `whenProven` in the transaction that settles the attempt. The password may be left out
   * in two cases: the session used a passkey in the last 5 minutes, or it authenticated in the last 5 minutes and the
   * account has no password that a person chose.
   * @param whenProven gets the current account, locked until the transaction ends.
   * @throws AuthError `password.incorrect`, `factor.reauthenticationRequired`; `signIn.lockedOut` with status 400.
   */
  proveAnd<Result>(
    owner: SignedIn,
    proof: OwnerProof,
    whenProven: (tx: Tx, account: Account) => Promise<Result | AuthError>,
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
  database: Database;
  accounts: AccountStore;
  passwordVerification: PasswordVerification;
  sessions: Sessions;
  clock: Clock;
}): OwnerVerification {
  const { database, accounts, passwordVerification, sessions, clock } = deps;
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

  async function requireOwner(tx: Tx, owner: SignedIn): Promise<Account> {
    await owner.authorize(tx);
    const account = await accounts.findIn(tx.sql, owner.accountId);
    if (!account) throw accountErrors.notFound();
    return account;
  }

  async function requireUnchanged(tx: Tx, { owner, passwordVersion }: VerifiedOwner): Promise<Account> {
    // Check the password first: replacing it has ended the session too, and the owner needs to know the cause.
    const account = await accounts.findForUpdate(tx.sql, owner.accountId);
    const credential = await accounts.findCredential(owner.accountId, tx.sql);
    if (!account?.isActive || credential?.version !== passwordVersion) throw wrong();
    await owner.authorize(tx);
    return account;
  }

  /** @throws AuthError `factor.reauthenticationRequired`. */
  async function requireRecent(tx: Tx, { accountId, sessionId }: SignedIn) {
    const { passkeyUsedAt, authenticatedAt } = await sessions.requireOpen(tx, sessionId);
    const since = addSeconds(clock.now(), -RECENT_SECONDS);
    if (passkeyUsedAt !== null && passkeyUsedAt > since) return;
    if (authenticatedAt > since && !(await accounts.hasChosenPassword(tx.sql, accountId))) return;
    throw factorErrors.reauthenticationRequired();
  }

  return {
    verify: (owner, attempt) =>
      verify(owner, attempt, async (_, account, { passwordVersion }) => ({ owner, account, passwordVersion })),
    verifyAnd: verify,

    async proveAnd(owner, { password, ...attempt }, whenProven) {
      if (password) {
        const proven = verify(owner, { ...attempt, password }, async (tx, account, { passwordVersion }) =>
          whenProven(tx, await requireUnchanged(tx, { owner, account, passwordVersion })),
        );
        return refuseWith400(proven);
      }
      return database.transaction(async (tx) => {
        const account = await requireOwner(tx, owner);
        await requireRecent(tx, owner);
        const result = await whenProven(tx, account);
        if (result instanceof AuthError) throw result;
        return result;
      });
    },

    requireOwner,

    requireUnchanged,
  };
}
