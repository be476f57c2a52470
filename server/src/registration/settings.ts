// The setting of registration: whether people may register, and with which kind of address.
import { toLocalUrl } from 'latchkey-sdk/local-path';
import { Type } from 'typebox';
import type { ValidationError } from '../foundation/errors.ts';
import type { Medium } from '../foundation/medium.ts';
import { defineSetting, type MeansNeed, type SettingReader } from '../foundation/setting.ts';
import { registrationErrors } from './declarations.ts';

/** Existing front ends know these numbers. 1 means that registration is off. */
const mediumByMethod: Readonly<Record<number, Medium>> = { 2: 'email', 3: 'sms' };

/** Stands for the origin of the front end that opens the page. */
const ANY_ORIGIN = 'https://front-end.invalid';

const LEAVES: ValidationError = {
  message: 'goToUrlAfterRegistration has characters or a form that is not accepted.',
  members: ['goToUrlAfterRegistration'],
};

/** `Shesha.UserManagement`. It is public so that front ends know what to offer. */
export const userManagementSetting = defineSetting({
  name: 'Shesha.UserManagement',
  scope: 'general',
  category: 'Registration',
  label: 'Registration',
  description: 'Whether users can register an account themselves, and how.',
  kind: 'compound',
  order: 350,
  public: true,
  schema: Type.Object({
    supportedRegistrationMethods: Type.Enum([1, 2, 3], {
      title: 'Registration',
      description: 'How a user who registers proves an address.',
      'x-labels': ['Registration is off', 'With a verified e-mail address', 'With a verified mobile number'],
      'x-means': [
        { is: 2, means: 'email', otherwise: 1 },
        { is: 3, means: 'sms', otherwise: 1 },
      ] satisfies MeansNeed[],
    }),
    userEmailAsUsername: Type.Boolean({
      title: 'E-mail address as user name',
      description: 'The e-mail address becomes the user name of the new account. The service ignores a chosen name.',
      'x-needs': [{ member: 'supportedRegistrationMethods', is: 2 }],
    }),
    goToUrlAfterRegistration: Type.String({
      title: 'Page after registration',
      description: 'The path on their site that front ends open after a registration.',
      minLength: 1,
      maxLength: 500,
      'x-needs': [
        { member: 'supportedRegistrationMethods', is: 2 },
        { member: 'supportedRegistrationMethods', is: 3 },
      ],
      // It leads to no other host, and so the origin of a front end need not be known to parse it.
      pattern: '^/(?![/\\\\])[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
    }),
  }),
  default: { supportedRegistrationMethods: 1, userEmailAsUsername: false, goToUrlAfterRegistration: '/' },
  findProblems: ({ goToUrlAfterRegistration: path }) => (toLocalUrl(path, ANY_ORIGIN) ? [] : [LEAVES]),
});

/** Returns the medium by which registration verifies an address, which is on. @throws AuthError `registration.disabled`. */
export function requireRegistrationMedium(settings: SettingReader): Medium {
  const medium = mediumByMethod[settings.read(userManagementSetting).supportedRegistrationMethods];
  if (medium === undefined) throw registrationErrors.disabled();
  return medium;
}
