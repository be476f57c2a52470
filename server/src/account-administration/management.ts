// Management: the authorization and the audit entry of every change to another person's account.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createLockManaged } from '../authorization/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Action } from '../foundation/events.ts';
import { ADMINISTRATOR, type Roles } from '../roles/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { administrationErrors } from './errors.ts';

export interface Management {
  /**
   * Runs `work` on an account that `by` may manage, locked until the transaction ends.
   * @param work also gets the roles of `by`, and the ids of the active administrators.
   * @throws AuthError `account.notFound`, `account.duplicate`, `permission.denied`, and the errors of
   * {@link Manager.authorize}.
   */
  manage<Result>(
    id: number,
    by: Manager,
    work: (
      tx: Tx,
      account: Account,
      known: { roleNames: readonly string[]; administrators: number[] },
    ) => Promise<Result>,
  ): Promise<Result>;
  /** Records the action and the administrator. */
  record(
    tx: Tx,
    action: Action,
    account: Pick<Account, 'id' | 'userName'>,
    by: Manager,
    details?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
}

export function createManagement(deps: {
  database: Database;
  accounts: AccountStore;
  roles: Roles;
  audit: AuditTrail;
}): Management {
  const { database, accounts, audit } = deps;
  const lockManaged = createLockManaged(deps);
  return {
    async manage(id, by, work) {
      const done = database.transaction(async (tx) => {
        const { account, roleNames } = await lockManaged(tx, id, by);
        const administrators = await accounts.findActiveByRole(tx.sql, ADMINISTRATOR);
        return work(tx, account, { roleNames, administrators });
      });
      return done.catch(throwDuplicate);
    },

    async record(tx, action, account, by, details = {}) {
      const user = { id: account.id, name: account.userName };
      await audit.record(tx, {
        action,
        outcome: 'success',
        user,
        origin: by.origin,
        details: { by: by.actor.name, byId: by.actor.id, ...details },
      });
    },
  };
}

function throwDuplicate(error: unknown): never {
  throw error instanceof UniqueViolation ? accountErrors.duplicate() : error;
}

/** @throws AuthError `account.lastAdministrator` if the account is the only active administrator. */
export function requireAnotherAdministrator(id: number, administrators: readonly number[]): void {
  if (administrators.length === 1 && administrators[0] === id) throw administrationErrors.lastAdministrator();
}
