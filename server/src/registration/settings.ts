// The setting of registration: whether people may register, and with which kind of address.
import { Type } from 'typebox';
import type { Means } from '../delivery/index.ts';
import { defineSetting, type SettingReader } from '../foundation/setting.ts';
import { registrationErrors } from './errors.ts';

/** Existing front ends know these numbers. 1 means that registration is off. */
const meansByMethod: Readonly<Record<number, Means>> = { 2: 'email', 3: 'sms' };

/** `Shesha.UserManagement`. It is public so that front ends know what to offer. */
export const userManagementSetting = defineSetting({
  name: 'Shesha.UserManagement',
  scope: 'general',
  category: 'Registration',
  label: 'Registration',
  description: 'Whether people may register an account themselves, and how.',
  kind: 'compound',
  order: 350,
  public: true,
  schema: Type.Object({
    supportedRegistrationMethods: Type.Enum([1, 2, 3], {
      title: 'Registration',
      description: '1: registration is off. 2: with a verified e-mail address. 3: with a verified mobile number.',
      'x-labels': ['Registration is off', 'With a verified e-mail address', 'With a verified mobile number'],
    }),
    userEmailAsUsername: Type.Boolean({
      title: 'E-mail address as user name',
      description:
        'An account that registers with an e-mail address has it as its user name. A chosen name is ignored.',
    }),
    goToUrlAfterRegistration: Type.String({
      title: 'Page after registration',
      description: 'The path on this site that front ends open after registration.',
      minLength: 1,
      maxLength: 500,
      // Browsers take a path with two leading slashes, forward or backward, for another site.
      pattern: '^/(?![/\\\\])[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    }),
  }),
  default: { supportedRegistrationMethods: 1, userEmailAsUsername: false, goToUrlAfterRegistration: '/' },
});

/** Returns the means by which registration verifies an address. @throws AuthError `registration.disabled`. */
export function requireRegistrationMeans(settings: SettingReader): Means {
  const means = meansByMethod[settings.read(userManagementSetting).supportedRegistrationMethods];
  if (means === undefined) throw registrationErrors.disabled();
  return means;
}
