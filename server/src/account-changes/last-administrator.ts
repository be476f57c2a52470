// The rule that an active administrator who can sign in is left.
import type { AccountStore } from '../accounts/index.ts';
import { ADMINISTRATOR } from '../roles/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Tx } from '../storage/database.ts';
import { administrationErrors } from './declarations.ts';

export interface LastAdministrator {
  /** @throws AuthError `account.lastAdministrator` if no active administrator is left, or with `mustSignIn` none who can. */
  require(tx: Tx, mustSignIn: boolean): Promise<void>;
  /**
   * Runs a change that takes a way to sign in from many accounts. The transaction has called `lockAccounts`.
   * @throws AuthError `account.lastAdministrator` if an active administrator could sign in before, and none can after.
   */
  guard<Result>(tx: Tx, change: () => Promise<Result>): Promise<Result>;
}

export function createLastAdministrator(deps: { accounts: AccountStore; canSignIn: CanSignIn }): LastAdministrator {
  const { accounts, canSignIn } = deps;

  async function canOneSignIn(tx: Tx, ids: readonly number[]): Promise<boolean> {
    for (const id of ids) {
      const account = await accounts.findIn(tx.sql, id);
      if (account && (await canSignIn(tx, account))) return true;
    }
    return false;
  }

  const findAdministrators = (tx: Tx) => accounts.findActiveByRole(tx.sql, ADMINISTRATOR);

  return {
    async require(tx, mustSignIn) {
      const left = await findAdministrators(tx);
      if (left.length > 0 && !mustSignIn) return;
      if (!(await canOneSignIn(tx, left))) throw administrationErrors.lastAdministrator();
    },

    async guard(tx, change) {
      const administrators = await findAdministrators(tx);
      // So that none of them removes another way to sign in meanwhile.
      if (administrators.length > 0) await accounts.findAllForUpdate(tx.sql, administrators);
      const couldSignIn = await canOneSignIn(tx, administrators);
      const result = await change();
      if (couldSignIn && !(await canOneSignIn(tx, administrators))) throw administrationErrors.lastAdministrator();
      return result;
    },
  };
}
