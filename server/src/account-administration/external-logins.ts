// External logins of any account, for administrators: lists them, and removes one.

import { administrationActions, createManagement } from '../account-changes/index.ts';
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createLockManaged } from '../authorization/index.ts';
import type { ExternalLogin, ExternalLogins } from '../external-logins/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Roles } from '../roles/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database } from '../storage/database.ts';

export interface ExternalLoginAdministration {
  /** Oldest first. @throws AuthError `account.notFound`, `permission.denied`. */
  list(accountId: number, by: Manager): Promise<ExternalLogin[]>;
  /**
   * Removes an external login, even if it is the last way to sign in, except of the last administrator. Ends all sessions of the account.
   * @throws AuthError `account.notFound`, `account.lastAdministrator`, `externalLogin.notFound`, `permission.denied`.
   */
  remove(accountId: number, id: string, by: Manager): Promise<void>;
}

export function createExternalLoginAdministration(deps: {
  database: Database;
  accounts: AccountStore;
  roles: Roles;
  externalLogins: ExternalLogins;
  canSignIn: CanSignIn;
  audit: AuditTrail;
}): ExternalLoginAdministration {
  const { database, externalLogins } = deps;
  const { manage, record } = createManagement(deps);
  const lockManaged = createLockManaged(deps);

  return {
    list: (accountId, by) =>
      database.transaction(async (tx) => {
        await lockManaged(tx, accountId, by);
        return externalLogins.list(tx.sql, accountId);
      }),

    async remove(accountId, id, by) {
      await manage(accountId, by, async (tx, account) => {
        const { provider } = await externalLogins.unlink(tx, account, id);
        await record(tx, administrationActions.externalLoginRemoved, account, by, { provider });
      });
    },
  };
}
