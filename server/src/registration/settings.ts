// The setting of registration: whether people make accounts themselves, and by which address.
import { Type } from 'typebox';
import type { Means } from '../delivery/index.ts';
import { defineSetting, type SettingReader } from '../foundation/setting.ts';
import { registrationErrors } from './errors.ts';

/** By the numbers that existing front ends know them by; 1 is none. */
const meansByMethod: Readonly<Record<number, Means>> = { 2: 'email', 3: 'sms' };

/** `Shesha.UserManagement`; public, so that front ends know what to offer. */
export const userManagementSetting = defineSetting({
  name: 'Shesha.UserManagement',
  scope: 'general',
  category: 'Registration',
  label: 'Registration',
  description: 'Whether people may make accounts themselves, and how.',
  kind: 'compound',
  order: 350,
  public: true,
  schema: Type.Object({
    supportedRegistrationMethods: Type.Enum([1, 2, 3], {
      title: 'Registration',
      description: '1: nobody can register. 2: with a verified e-mail address. 3: with a verified mobile number.',
      'x-labels': ['Nobody can register', 'With a verified e-mail address', 'With a verified mobile number'],
    }),
    userEmailAsUsername: Type.Boolean({
      title: 'E-mail address as user name',
      description: 'Whoever registers with an e-mail address has it as user name, whatever else was asked for.',
    }),
    goToUrlAfterRegistration: Type.String({
      title: 'Page after registration',
      description: 'Path of this site to go to after registration.',
      minLength: 1,
      maxLength: 500,
      // What browsers take for another site begins with two slashes, of either kind.
      pattern: '^/(?![/\\\\])[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    }),
  }),
  default: { supportedRegistrationMethods: 1, userEmailAsUsername: false, goToUrlAfterRegistration: '/' },
});

/** By what means people who register prove an address now. Ends in `registration.disabled`. */
export function requireRegistrationMeans(settings: SettingReader): Means {
  const means = meansByMethod[settings.read(userManagementSetting).supportedRegistrationMethods];
  if (means === undefined) throw registrationErrors.disabled();
  return means;
}
