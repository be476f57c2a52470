// Proofs of owners: a password that was proven before work that takes its time, and must still hold after it.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Action, Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { findOwner, type Owner, type ProvePassword } from './owner.ts';

/** The account as it was when its password was proven, and which password that was. */
export type ProvenOwner = { readonly account: Account; readonly passwordVersion: number; readonly sessionId: string };

export interface OwnerProofs {
  /** Ends in `password.incorrect`, `signIn.lockedOut`, both recorded as a refusal of `action`. */
  prove(owner: Owner, attempt: { password: string; action: Action; origin: Origin }): Promise<ProvenOwner>;
  /**
   * The account as it is now, if it is active, the password still the one that was proven, which stays so until the
   * transaction ends, and the session open. Ends in `password.incorrect`, `token.revoked`.
   */
  claim(tx: Tx, proven: ProvenOwner): Promise<Account>;
}

export function createOwnerProofs(deps: {
  accounts: AccountStore;
  prove: ProvePassword;
  sessions: Sessions;
}): OwnerProofs {
  const { accounts, prove, sessions } = deps;
  const wrong = passwordErrors.incorrect;
  return {
    async prove(owner, attempt) {
      const account = await findOwner(accounts, owner);
      const subject = accountSubject(account.id);
      const { passwordVersion } = await prove({ ...attempt, account, subject, wrong }, async (_, proof) => proof);
      return { account, passwordVersion, sessionId: owner.sessionId };
    },

    async claim(tx, { account: { id }, passwordVersion, sessionId }) {
      const account = await accounts.claim(tx.sql, id);
      const current = account?.isActive ? await accounts.findByName(tx.sql, account.userName) : undefined;
      if (current?.id !== id || current.credential.version !== passwordVersion) throw wrong();
      await sessions.requireOpen(tx, sessionId);
      return current;
    },
  };
}
