// Authorization: decides whether a caller may act, when the call starts and again in its transaction.
import type { Account, AccountStore } from '../accounts/index.ts';
import { factorErrors } from '../factors/index.ts';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import { isRefusal, permissionErrors } from '../foundation/errors.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Permission, Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import { type Session, type Sessions, tokenErrors } from '../tokens/index.ts';

/** What a call requires of its caller, besides a valid token. */
export type AccessRequirement = {
  readonly permission?: Permission | undefined;
  /** Whether a caller who must change the password or enroll a second factor may call it. */
  readonly whileRestricted?: boolean | undefined;
};

/** The account of a valid token. */
export type CurrentAccount = { readonly account: Account } & Pick<Session, 'mustChangePassword' | 'mustEnroll'>;

export interface Authorization {
  /**
   * Returns the caller of the token. Its `authorize` repeats the checks in a transaction.
   * @throws AuthError `token.invalid`, `token.expired`, `token.revoked`, `password.changeRequired`,
   *   `factor.enrollmentRequired`, `permission.denied`.
   */
  authorize(token: string, requirement: AccessRequirement): Promise<SignedIn | Permitted>;
  /** The active account of a valid token; nothing for a missing or refused token. */
  findAccount(token: string | undefined): Promise<CurrentAccount | undefined>;
}

export function createAuthorization(deps: { accounts: AccountStore; roles: Roles; sessions: Sessions }): Authorization {
  const { accounts, roles, sessions } = deps;

  return {
    async authorize(token, requirement) {
      const checked = await sessions.check(token);
      const { accountId, sessionId } = checked;
      refuseIfRestricted(checked, requirement);
      const { permission } = requirement;
      const caller: SignedIn = {
        accountId,
        sessionId,
        // Lock the account before the session, like every other transaction that locks both.
        async authorize(tx: Tx) {
          const { roleNames } = requireActive(await accounts.findForUpdate(tx.sql, accountId));
          const session = await sessions.requireOpen(tx, sessionId);
          refuseIfRestricted(session, requirement);
          requirePermission(permission, permission === undefined ? [] : await roles.permissionsIn(tx, roleNames));
          return roleNames;
        },
      };
      if (permission === undefined) return caller;
      const { userName, roleNames } = requireActive(await accounts.find(accountId));
      requirePermission(permission, await roles.readPermissions(roleNames));
      return { ...caller, actor: { id: accountId, name: userName }, roleNames };
    },

    async findAccount(token) {
      if (token === undefined) return undefined;
      try {
        const { accountId, mustChangePassword, mustEnroll } = await sessions.check(token);
        const account = await accounts.find(accountId);
        return account?.isActive ? { account, mustChangePassword, mustEnroll } : undefined;
      } catch (error) {
        // A token that is refused, as opposed to not checked because of a fault.
        if (isRefusal(error)) return undefined;
        throw error;
      }
    },
  };
}

function refuseIfRestricted(
  { mustChangePassword, mustEnroll }: Pick<Session, 'mustChangePassword' | 'mustEnroll'>,
  { whileRestricted }: AccessRequirement,
) {
  if (whileRestricted) return;
  if (mustChangePassword) throw passwordErrors.changeRequired();
  if (mustEnroll) throw factorErrors.enrollmentRequired();
}

function requireActive(account: Account | undefined): Account {
  if (!account?.isActive) throw tokenErrors.revoked();
  return account;
}

function requirePermission(permission: Permission | undefined, granted: readonly string[]) {
  if (permission !== undefined && !granted.includes(permission)) throw permissionErrors.denied();
}
