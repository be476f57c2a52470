// External sign-ins of other people's accounts, as administrators see and remove them.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { ExternalLogin, ExternalLoginStore } from '../providers/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { administrationActions } from './events.ts';
import { createManagement } from './management.ts';

/**
 * Takes a link of the account away, with all that goes with it. `compose.ts` hands in the one of `my-account`.
 * Ends in `externalLogin.notFound`.
 */
type Unlink = (tx: Tx, account: Account, id: string) => Promise<ExternalLogin>;

export interface ExternalLoginAdministration {
  /** Oldest first. Ends in `account.notFound`. */
  list(accountId: number): Promise<ExternalLogin[]>;
  /**
   * Removes a link, also one that is the last way to sign in, and ends all sessions of the account.
   * Ends in `account.notFound`, `externalLogin.notFound`, `permission.denied`.
   */
  remove(accountId: number, id: string, by: Manager): Promise<void>;
}

export function createExternalLoginAdministration(deps: {
  database: Database;
  accounts: AccountStore;
  links: ExternalLoginStore;
  unlink: Unlink;
  audit: AuditTrail;
}): ExternalLoginAdministration {
  const { database, accounts, links, unlink } = deps;
  const { manage, record } = createManagement(deps);

  return {
    async list(accountId) {
      if (!(await accounts.findIn(database.sql, accountId))) throw accountErrors.notFound();
      return links.list(database.sql, accountId);
    },

    async remove(accountId, id, by) {
      await manage(accountId, by, async (tx, account) => {
        const { provider } = await unlink(tx, account, id);
        await record(tx, administrationActions.externalLoginRemoved, account, by, { provider });
      });
    },
  };
}
