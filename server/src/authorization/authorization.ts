// Authorization: decides whether a caller may act, when the call starts and again in its transaction.
import { type Account, type AccountStore, type Permission, permissionsOf } from '../accounts/index.ts';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import { permissionErrors } from '../foundation/errors.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import { type Sessions, tokenErrors } from '../tokens/index.ts';

/** What a call requires of its caller, besides a valid token. */
export type Requirement = {
  readonly permission?: Permission | undefined;
  /** Whether a caller who must change the password may call it. */
  readonly whilePasswordChangeRequired?: boolean | undefined;
};

export interface Authorization {
  /**
   * Returns the caller of the token. Its `authorize` repeats the checks in a transaction.
   * @throws AuthError `token.invalid`, `token.expired`, `token.revoked`, `password.changeRequired`, `permission.denied`.
   */
  authorize(token: string, requirement: Requirement): Promise<SignedIn | Permitted>;
}

export function createAuthorization(deps: { accounts: AccountStore; sessions: Sessions }): Authorization {
  const { accounts, sessions } = deps;

  return {
    async authorize(token, requirement) {
      const { accountId, sessionId, mustChangePassword } = await sessions.check(token);
      refuseIfPasswordChangeRequired(mustChangePassword, requirement);
      const caller: SignedIn = {
        accountId,
        sessionId,
        // Lock the account before the session, like every other transaction that locks both.
        async authorize(tx: Tx) {
          const account = await accounts.findForUpdate(tx.sql, accountId);
          const session = await sessions.requireOpen(tx, sessionId);
          refuseIfPasswordChangeRequired(session.mustChangePassword, requirement);
          return requirePermission(account, requirement).roleNames;
        },
      };
      if (requirement.permission === undefined) return caller;
      const { userName, roleNames } = requirePermission(await accounts.find(accountId), requirement);
      return { ...caller, actor: { id: accountId, name: userName }, roleNames };
    },
  };
}

function refuseIfPasswordChangeRequired(mustChangePassword: boolean, { whilePasswordChangeRequired }: Requirement) {
  if (mustChangePassword && !whilePasswordChangeRequired) throw passwordErrors.changeRequired();
}

function requirePermission(account: Account | undefined, { permission }: Requirement): Account {
  if (!account?.isActive) throw tokenErrors.revoked();
  if (permission !== undefined && !permissionsOf(account.roleNames).includes(permission)) {
    throw permissionErrors.denied();
  }
  return account;
}
