// Forward-auth of the service: whether the account behind a valid token may pass, and who it is.
import { type Account, fullName } from '../accounts/index.ts';
import { type Demands, findUnmetDemand, type Identity } from '../contract/forward-auth.ts';
import { permissionErrors } from '../foundation/errors.ts';
import type { Roles } from '../roles/index.ts';
import { levelOf } from './active-tokens.ts';
import { forwardAuthErrors } from './declarations.ts';

/** What forward-auth needs to know of a valid token. */
export type Behind = { readonly claims: Parameters<typeof levelOf>[0]; readonly account: Account };

/** Returns the person behind a valid token, as the account is now. */
export function identityOf({ claims, account }: Behind): Identity {
  return {
    id: String(account.id),
    userName: account.userName,
    name: fullName(account),
    email: account.emailAddress ?? '',
    roles: account.roleNames,
    level: levelOf(claims),
  };
}

/**
 * @param isIn whether a role, in any spelling, is one of these.
 * @throws AuthError `permission.denied` for a missing role, `forwardAuth.levelTooLow`.
 */
export function requireDemands(identity: Identity, demands: Demands, isIn: Roles['isIn']): void {
  const unmet = findUnmetDemand(identity, demands, isIn);
  if (unmet === 'role') throw permissionErrors.denied({ by: { id: Number(identity.id), name: identity.userName } });
  if (unmet === 'level') throw forwardAuthErrors.levelTooLow();
}
