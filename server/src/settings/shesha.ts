// The settings that Shesha has too, and where its scripts read them: `settings.shesha.CATEGORY.ACCESSOR`.

/** The accessor of a setting in Shesha's code, and the category that its interface of settings has there. */
export type SheshaPlace = {
  readonly category: { readonly name: string; readonly accessor: string };
  readonly accessor: string;
};

/** In Shesha, also the settings of ABP belong to the module Shesha. */
export const SHESHA = { name: 'Shesha', accessor: 'shesha' } as const;

const security = { name: 'Security', accessor: 'security' };
const otp = { name: 'Security', accessor: 'otp' };
const passwordComplexity = { name: 'Password complexity', accessor: 'passwordComplexity' };
const userManagement = { name: 'User Management', accessor: 'userManagement' };

const LOCKOUT = 'Abp.Zero.UserManagement.UserLockOut.';
const PASSWORD = 'Abp.Zero.UserManagement.PasswordComplexity.';

/** The places by the names of the settings. */
export const sheshaPlaces: ReadonlyMap<string, SheshaPlace> = new Map([
  ['Shesha.Security', { category: security, accessor: 'securitySettings' }],
  [`${LOCKOUT}IsEnabled`, { category: security, accessor: 'userLockOutEnabled' }],
  [
    `${LOCKOUT}MaxFailedAccessAttemptsBeforeLockout`,
    { category: security, accessor: 'maxFailedAccessAttemptsBeforeLockout' },
  ],
  [`${LOCKOUT}DefaultAccountLockoutSeconds`, { category: security, accessor: 'defaultAccountLockoutSeconds' }],
  [`${PASSWORD}RequireDigit`, { category: passwordComplexity, accessor: 'requireDigit' }],
  [`${PASSWORD}RequireLowercase`, { category: passwordComplexity, accessor: 'requireLowercase' }],
  [`${PASSWORD}RequireUppercase`, { category: passwordComplexity, accessor: 'requireUppercase' }],
  [`${PASSWORD}RequireNonAlphanumeric`, { category: passwordComplexity, accessor: 'requireNonAlphanumeric' }],
  [`${PASSWORD}RequiredLength`, { category: passwordComplexity, accessor: 'requiredLength' }],
  ['Shesha.Otp', { category: otp, accessor: 'oneTimePins' }],
  ['Shesha.UserManagement', { category: userManagement, accessor: 'userManagementSettings' }],
]);
