// Management: the authorization and the audit entry of every change to another person's account.
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createLockManaged, type Managed } from '../authorization/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Action } from '../foundation/events.ts';
import { ADMINISTRATOR, type Roles } from '../roles/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createLastAdministrator } from './last-administrator.ts';

/** The administrator who changes an account, with the administrator's permissions. */
export type ChangedBy = { readonly by: Manager; readonly held: readonly string[] };

export interface Management {
  /**
   * Runs `work` on an account that `by` may manage, locked until the transaction ends. The change may take neither the last
   * active administrator, nor the last one who can sign in.
   * @param work also gets the permissions of `by`.
   * @param finish runs last in the transaction.
   * @throws AuthError `account.notFound`, `account.duplicate`, `account.lastAdministrator`, `permission.denied`, and the
   * errors of {@link Manager.authorize}.
   */
  manage<Result>(
    id: number,
    by: Manager,
    work: (tx: Tx, account: Account, held: Managed['held']) => Promise<Result>,
    finish?: (result: Result) => void,
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
  canSignIn: CanSignIn;
  audit: AuditTrail;
}): Management {
  const { database, canSignIn, audit } = deps;
  const lockManaged = createLockManaged(deps);
  const lastAdministrator = createLastAdministrator(deps);

  return {
    async manage(id, by, work, finish) {
      const done = database.transaction(async (tx) => {
        const { account, held } = await lockManaged(tx, id, by);
        const isAdministrator = account.isActive && account.roleNames.includes(ADMINISTRATOR);
        const couldSignIn = isAdministrator && (await canSignIn(tx, account));
        const result = await work(tx, account, held);
        if (isAdministrator) await lastAdministrator.require(tx, couldSignIn);
        finish?.(result);
        return result;
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

/** Why the service refuses to shut the caller out. */
export const OWN_ACCOUNT_STAYS = 'Ask another administrator to deactivate or delete your own account.';
