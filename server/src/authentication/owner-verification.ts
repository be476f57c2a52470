// Owner verification: a signed-in owner proves again who they are before changing what protects the account.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import { factorErrors } from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Action, Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, passwordErrors, requesterOf } from '../passwords/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { type Attempts, Refusal } from './attempts.ts';
import { refuseWith } from './refusal-status.ts';
import type { SecondFactors } from './second-factors.ts';

/** How long an authentication replaces the password, and a second factor allows changes, in seconds. */
const RECENT_SECONDS = 300;

/** An owner whose password was verified, and the account and password version at that time. */
export type VerifiedOwner = { readonly owner: SignedIn; readonly account: Account; readonly passwordVersion: number };

/** The password, and the action under which a refusal is recorded. */
export type OwnerAttempt = {
  readonly password: string;
  readonly action: Action;
  readonly origin: Origin;
  /** `false`: the password is enough, even if the account has a second factor. */
  readonly needsFactor?: false;
};

/** The same for a change of factors, which a recent authentication allows without the password. */
export type OwnerProof = Omit<OwnerAttempt, 'password'> & { readonly password: string | null | undefined };

/**
 * Unless an attempt says otherwise, an account with an offered second factor needs it too: the session must have proven it
 * in the last 5 minutes. Otherwise AuthError `factor.secondFactorRequired`.
 */
export interface OwnerVerification {
  /**
   * Verifies the password before work that takes time, such as hashing a new one.
   * @throws AuthError `password.incorrect`, `signIn.lockedOut`.
   */
  verify(owner: SignedIn, attempt: OwnerAttempt): Promise<VerifiedOwner>;
  /**
   * Verifies the password, and runs `whenVerified` in the transaction that settles the attempt.
   * @param whenVerified gets the current account, locked until the transaction ends.
   * @throws AuthError `password.incorrect`, `signIn.lockedOut`.
   */
  withVerifiedOwner<Result>(
    owner: SignedIn,
    attempt: OwnerAttempt,
    whenVerified: (tx: Tx, account: Account) => Promise<Result | Refusal>,
  ): Promise<Result>;
  /**
   * Likewise, but the password may be left out in two cases: the session used a passkey in the last 5 minutes, or it
   * authenticated in the last 5 minutes and the account has no password that a person chose.
   * @throws AuthError `password.incorrect`, `factor.reauthenticationRequired`; `signIn.lockedOut` with status 400.
   */
  withProvenOwner<Result>(
    owner: SignedIn,
    proof: OwnerProof,
    whenProven: (tx: Tx, account: Account) => Promise<Result | Refusal>,
  ): Promise<Result>;
  /**
   * Requires that the session has proven a second factor lately, if the account has one that is offered.
   * @param earlierSeconds how long ago the change may have begun that this completes.
   * @returns whether the account has one.
   * @throws AuthError `factor.secondFactorRequired`.
   */
  requireSecondFactor(tx: Tx, owner: SignedIn, account: Account, earlierSeconds?: number): Promise<boolean>;
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
  attempts: Attempts;
  passwords: Passwords;
  secondFactors: SecondFactors;
  sessions: Sessions;
  clock: Clock;
}): OwnerVerification {
  const { database, accounts, attempts, passwords, secondFactors, sessions, clock } = deps;
  const wrong = passwordErrors.incorrect;
  const { reauthenticationRequired } = factorErrors;

  async function findOwner({ accountId }: SignedIn) {
    const [account, credential] = await Promise.all([accounts.find(accountId), accounts.findCredential(accountId)]);
    if (!account || !credential) throw accountErrors.notFound();
    return { ...account, credential };
  }

  async function withVerifiedOwner<Result>(
    owner: SignedIn,
    { password, action, origin, needsFactor }: OwnerAttempt,
    whenVerified: (tx: Tx, account: Account, verified: VerifiedOwner) => Promise<Result | Refusal>,
  ): Promise<Result> {
    const account = await findOwner(owner);
    const subject = accountSubject(account.id);
    const attempt = await attempts.begin({ account, subject, sessionId: owner.sessionId, action, origin });
    const right = await attempt.verify(() =>
      passwords.compare(account.credential, password, requesterOf(origin, subject)),
    );
    return attempt.settle<Result>(async (tx) => {
      if (!right) return { proof: 'wrong', result: new Refusal(wrong()) };
      const verified = { owner, account, passwordVersion: right.passwordVersion };
      const current = await requireUnchanged(tx, verified);
      if (needsFactor !== false) await requireSecondFactor(tx, owner, current);
      return { proof: 'right', result: await whenVerified(tx, current, verified) };
    });
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

  const isRecent = (at: Instant | null, seconds = RECENT_SECONDS) =>
    at !== null && at > addSeconds(clock.now(), -seconds);

  /** @throws AuthError `factor.reauthenticationRequired`, `factor.secondFactorRequired`. */
  async function requireWithoutPassword(tx: Tx, owner: SignedIn, account: Account) {
    const { passkeyUsedAt, authenticatedAt } = await sessions.requireOpen(tx, owner.sessionId);
    const usedPasskey = isRecent(passkeyUsedAt);
    if (!usedPasskey && (await accounts.hasChosenPassword(tx.sql, account.id))) throw reauthenticationRequired();
    // Before the time: who gives the second factor has authenticated again.
    await requireSecondFactor(tx, owner, account);
    if (!usedPasskey && !isRecent(authenticatedAt)) throw reauthenticationRequired();
  }

  async function requireSecondFactor(tx: Tx, { sessionId }: SignedIn, account: Account, earlierSeconds = 0) {
    if ((await secondFactors.find(tx, account)).length === 0) return false;
    const { factorUsedAt } = await sessions.requireOpen(tx, sessionId);
    if (!isRecent(factorUsedAt, RECENT_SECONDS + earlierSeconds)) throw factorErrors.secondFactorRequired();
    return true;
  }

  return {
    verify: (owner, attempt) => withVerifiedOwner(owner, attempt, async (_tx, _account, verified) => verified),
    withVerifiedOwner,

    async withProvenOwner(owner, { password, ...proof }, whenProven) {
      if (password) return refuseWith(400, withVerifiedOwner(owner, { ...proof, password }, whenProven));
      return database.transaction(async (tx) => {
        const account = await requireOwner(tx, owner);
        await requireWithoutPassword(tx, owner, account);
        const result = await whenProven(tx, account);
        if (result instanceof Refusal) throw result.error;
        return result;
      });
    },

    requireSecondFactor,
    requireOwner,
    requireUnchanged,
  };
}
