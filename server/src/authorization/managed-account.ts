// Managed accounts: an administrator acts on accounts only that hold no more than the administrator does.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { permissionErrors } from '../foundation/errors.ts';
import { coversAll } from '../foundation/permissions.ts';
import type { Roles } from '../roles/index.ts';
import type { Database, Tx } from '../storage/database.ts';

/** An account that its administrator may manage, with the permissions of the administrator. */
export type Managed = {
  readonly account: Account;
  readonly held: readonly string[];
};

/** Returns a function that finds the accounts that hold more permissions of this service than these, as stored now. */
export function createFindAbove(deps: { database: Database; accounts: AccountStore; roles: Roles }) {
  const { database, accounts, roles } = deps;
  return async (held: readonly string[]): Promise<number[]> => {
    const permissionsOf = await roles.readAll();
    return accounts.findByRoles(database.sql, (names) => !coversAll(held, permissionsOf(names)));
  };
}

/**
 * Requires that the account is another person's: a token of its owner alone must be enough neither to take the account
 * over for good, nor to shut the owner out.
 * @throws AuthError `permission.denied`.
 */
export function requireOther(id: number, { actor }: Manager, details: string): void {
  if (actor.id === id) throw permissionErrors.denied({ details });
}

/**
 * Returns a function that locks an account until the transaction ends, for an administrator who may manage it. Call it
 * first in the transaction.
 * @throws AuthError `account.notFound`, `permission.denied`, and the errors of {@link Manager.authorize}.
 */
export function createLockManaged({ accounts, roles }: { accounts: AccountStore; roles: Roles }) {
  return async (tx: Tx, id: number, by: Manager): Promise<Managed> => {
    await accounts.lockAccounts(tx.sql);
    const held = await by.authorize(tx);
    const account = await accounts.findForUpdate(tx.sql, id);
    if (!account) throw accountErrors.notFound();
    await roles.requireCovered(tx, held, account.roleNames);
    return { account, held };
  };
}
