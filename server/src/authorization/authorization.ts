// Authorization: decides whether a caller may act, when the call starts and again in its transaction.
import type { Account, AccountStore } from '../accounts/index.ts';
import { factorErrors } from '../factors/index.ts';
import type { Permitted, SignedIn } from '../foundation/authority.ts';
import { invalidMember, permissionErrors, unlessRefused } from '../foundation/errors.ts';
import type { Actor } from '../foundation/events.ts';
import type { Permission } from '../foundation/permissions.ts';
import { passwordErrors } from '../passwords/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Tx } from '../storage/database.ts';
import { type Session, type Sessions, tokenErrors } from '../tokens/index.ts';

/** What a call requires of its caller, besides a valid token. */
export type AccessRequirement = {
  /** Whether a caller who must change the password or enroll a second factor may call it. */
  readonly whileRestricted?: boolean | undefined;
};

/** The account of a valid token. */
export type CurrentAccount = { readonly account: Account } & Pick<Session, 'mustChangePassword' | 'mustEnroll'>;

/** The caller of a call about one account: its token, and what the guard found. */
export type CallerOfAccount = { readonly caller: SignedIn | Permitted; readonly token: string | undefined };

/** The owner of an account, or a manager of another one. */
export type Acting =
  | { readonly id: number; readonly owner: SignedIn }
  | { readonly id: number; readonly manager: Permitted };

export interface Authorization {
  /**
   * Returns the caller of the token. Its `authorize` repeats the checks in a transaction.
   * @throws AuthError `token.invalid`, `token.expired`, `token.revoked`, `password.changeRequired`,
   *   `factor.enrollmentRequired`.
   */
  authorize(token: string, requirement: AccessRequirement): Promise<SignedIn>;
  /** The same for a call that needs a permission. @throws AuthError also `permission.denied`. */
  permit(token: string, permission: Permission, requirement: AccessRequirement): Promise<Permitted>;
  /**
   * Decides for an `own or Pages.Users` route whether its caller acts as the owner of the account, or as a manager of another one.
   * @param accountId default: the caller's own.
   * @throws AuthError `permission.denied`, and `request.invalid` for a service key without `accountId`.
   */
  requireFor(accountId: number | undefined, by: CallerOfAccount): Promise<Acting>;
  /** The active account of a valid token; nothing for a missing or refused token. */
  findAccount(token: string | undefined): Promise<CurrentAccount | undefined>;
}

export function createAuthorization(deps: { accounts: AccountStore; roles: Roles; sessions: Sessions }): Authorization {
  const { accounts, roles, sessions } = deps;

  async function authorize(token: string, requirement: AccessRequirement, permission?: Permission) {
    const checked = await sessions.check(token);
    const { accountId, sessionId } = checked;
    refuseIfRestricted(checked, requirement);
    return {
      accountId,
      sessionId,
      // Lock the account before the session, like every other transaction that locks both.
      async authorize(tx: Tx) {
        const { roleNames } = requireActive(await accounts.findForUpdate(tx.sql, accountId));
        const session = await sessions.requireOpen(tx, sessionId);
        refuseIfRestricted(session, requirement);
        if (permission === undefined) return [];
        return requirePermission(permission, await roles.permissionsIn(tx, roleNames));
      },
    };
  }

  async function permit(token: string, permission: Permission, requirement: AccessRequirement) {
    const { accountId, ...authority } = await authorize(token, requirement, permission);
    const { userName, roleNames } = requireActive(await accounts.find(accountId));
    const actor = { id: accountId, name: userName };
    const held = requirePermission(permission, await roles.readPermissions(roleNames), actor);
    return { authorize: authority.authorize, actor, held };
  }

  return {
    authorize: (token, requirement) => authorize(token, requirement),
    permit,

    async requireFor(accountId, { caller, token = '' }) {
      if ('accountId' in caller) {
        const { accountId: own } = caller;
        if (accountId === undefined || accountId === own) return { id: own, owner: caller };
        return { id: accountId, manager: await permit(token, 'Pages.Users', {}) };
      }
      if (accountId === undefined) throw invalidMember('userId', 'Name an account: a service key has none of its own.');
      return { id: accountId, manager: caller };
    },

    async findAccount(token) {
      if (token === undefined) return undefined;
      return unlessRefused(async () => {
        const { accountId, mustChangePassword, mustEnroll } = await sessions.check(token);
        const account = await accounts.find(accountId);
        return account?.isActive ? { account, mustChangePassword, mustEnroll } : undefined;
      });
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

/** Returns what is granted, if it has the permission. */
function requirePermission(permission: Permission, granted: readonly string[], by?: Actor): readonly string[] {
  if (!granted.includes(permission)) throw permissionErrors.denied({ ...(by && { by }) });
  return granted;
}
