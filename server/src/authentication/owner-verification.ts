// Proofs of owners: a password that was proven before work that takes its time, and must still hold after it.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Action, Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import { findOwner, type ProvePassword } from '../my-account/owner.ts';

/** The account as it was when its password was proven, and which password that was. */
export type ProvenOwner = { readonly owner: SignedIn; readonly account: Account; readonly passwordVersion: number };

export interface OwnerProofs {
  /** Ends in `password.incorrect`, `signIn.lockedOut`, both recorded as a refusal of `action`. */
  prove(owner: SignedIn, attempt: { password: string; action: Action; origin: Origin }): Promise<ProvenOwner>;
  /**
   * The account as it is now, locked until the transaction ends, if the owner may still act and the password is still
   * the one that was proven. Ends in `password.incorrect` and the errors of {@link SignedIn.authorize}.
   */
  claim(tx: Tx, proven: ProvenOwner): Promise<Account>;
}

export function createOwnerProofs(deps: { accounts: AccountStore; prove: ProvePassword }): OwnerProofs {
  const { accounts, prove } = deps;
  const wrong = passwordErrors.incorrect;
  return {
    async prove(owner, attempt) {
      const account = await findOwner(accounts, owner);
      const subject = accountSubject(account.id);
      const { sessionId } = owner;
      const proven = await prove({ ...attempt, account, subject, sessionId, wrong }, async (_, proof) => proof);
      return { owner, account, passwordVersion: proven.passwordVersion };
    },

    async claim(tx, { owner, passwordVersion }) {
      // The password first: one that was replaced has ended the session too, and is what the owner must know.
      const account = await accounts.claim(tx.sql, owner.accountId);
      const credential = await accounts.findCredential(owner.accountId, tx.sql);
      if (!account?.isActive || credential?.version !== passwordVersion) throw wrong();
      await owner.authorize(tx);
      return account;
    },
  };
}
