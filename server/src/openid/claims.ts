// Claims about a person, by the scopes that an application was granted (OpenID Connect Core, 5.1 and 5.4).
import { type Account, fullName } from '../accounts/index.ts';
import { toNumericDate } from '../foundation/clock.ts';

export type PersonClaims = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Returns the claims that these scopes give. A claim without a value is left out. */
export function claimsOf(account: Account, scopes: readonly string[]): PersonClaims {
  const { userName, name, surname, emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed } = account;
  const { roleNames, updatedAt } = account;
  const has = (scope: string) => scopes.includes(scope);
  return {
    ...(has('profile') && {
      ...withText('name', fullName(account)),
      ...withText('given_name', name),
      ...withText('family_name', surname),
      preferred_username: userName,
      updated_at: toNumericDate(updatedAt),
    }),
    ...(has('email') && emailAddress !== null && { email: emailAddress, email_verified: isEmailConfirmed }),
    ...(has('phone') &&
      mobileNumber !== null && { phone_number: mobileNumber, phone_number_verified: isMobileConfirmed }),
    // Some programs read `roles`, others `groups`.
    ...(has('roles') && { roles: roleNames, groups: roleNames }),
  };
}

const withText = (name: string, value: string) => (value === '' ? {} : { [name]: value });
