// The user who is signed in, with the members that ABP's and Shesha's clients read.
import { fullName } from '../accounts/index.ts';
import type { CurrentAccount } from '../authorization/index.ts';
import type { Roles } from '../roles/index.ts';

export function toCurrentUser({ account, mustChangePassword, mustEnroll }: CurrentAccount, roles: Roles) {
  return {
    id: account.id,
    accountFound: true,
    userName: account.userName,
    firstName: account.name,
    lastName: account.surname,
    fullName: fullName(account),
    email: account.emailAddress,
    mobileNumber: account.mobileNumber,
    isEmailConfirmed: account.isEmailConfirmed,
    isMobileConfirmed: account.isMobileConfirmed,
    personId: account.personId,
    homeUrl: null,
    roles: account.roleNames,
    grantedPermissions: roles
      .permissionsOf(account.roleNames)
      .map((permission) => ({ permission, permissionedEntity: [] })),
    requireChangePassword: mustChangePassword,
    requireFactorEnrollment: mustEnroll,
  };
}
