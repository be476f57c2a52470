// Grants: what an administrator may give an account, which is no more than the administrator holds.
import { type AccountStore, accountErrors } from '../accounts/index.ts';
import { permissionErrors } from '../foundation/errors.ts';
import { coversAll } from '../foundation/permissions.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';

export function createGrants({ accounts, roles }: { accounts: AccountStore; roles: Roles }) {
  return {
    /**
     * Requires that the permissions `held` are everything that the roles `wanted` grant. Roles that are new here grant nothing.
     * @throws AuthError `permission.denied`.
     */
    async requireCovered(tx: Tx, held: readonly string[], wanted: readonly string[]) {
      if (!coversAll(held, await roles.permissionsIn(tx, wanted))) throw permissionErrors.denied();
    },

    /** Requires that no other account has this number. @throws AuthError `account.duplicate`. */
    async requireFreeNumber(tx: Tx, mobileNumber: string | null, ownId?: number) {
      if (mobileNumber === null) return;
      const holders = await accounts.findByMobile(tx.sql, mobileNumber);
      if (holders.some((id) => id !== ownId)) throw accountErrors.duplicate();
    },
  };
}
