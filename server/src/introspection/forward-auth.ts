// Forward-auth of the service: whether the account behind a valid token may pass, and who it is.
import { type Account, fullName } from '../accounts/index.ts';
import { type Demands, findUnmetDemand, type Identity } from '../contract/forward-auth.ts';
import { permissionErrors } from '../foundation/errors.ts';
import type { Roles } from '../roles/index.ts';
import { levelOf } from './active-tokens.ts';
import { disclosedBy } from './application-tokens.ts';
import { forwardAuthErrors } from './declarations.ts';

/** What forward-auth needs to know of a valid token. One of an application has a `scope`. */
export type Behind = {
  readonly claims: Parameters<typeof levelOf>[0] & { readonly scope?: string };
  readonly account: Account;
};

/** Returns the person behind a valid token, as the account is now. What the scopes do not allow is empty. */
function identityOf({ claims, account }: Behind): Identity {
  const { profile, email, roles } =
    claims.scope === undefined
      ? { profile: account, email: account, roles: account }
      : disclosedBy(claims.scope.split(' '), account);
  return {
    id: String(account.id),
    userName: profile?.userName ?? '',
    name: profile ? fullName(profile) : '',
    email: email?.emailAddress ?? '',
    roles: roles?.roleNames ?? [],
    level: levelOf(claims),
  };
}

/**
 * Returns the person behind a valid token that meets the demands.
 * @param isIn whether a role, in any spelling, is one of these.
 * @throws AuthError `permission.denied` for a missing role, `forwardAuth.levelTooLow`.
 */
export function requireIdentity(behind: Behind, demands: Demands, isIn: Roles['isIn']): Identity {
  const identity = identityOf(behind);
  const unmet = findUnmetDemand(identity, demands, isIn);
  const { id, userName } = behind.account;
  if (unmet === 'role') throw permissionErrors.denied({ by: { id, name: userName } });
  if (unmet === 'level') throw forwardAuthErrors.levelTooLow();
  return identity;
}
