// The five settings "Password complexity" (specification 2.3), each with a value for every front end.
import { Type } from 'typebox';
import { defineSetting, type SettingReader, type Warning } from '../foundation/setting.ts';
import type { PasswordPolicy } from './password.ts';
import { longestNewPassword } from './password.ts';

const tooShort: Warning = {
  below: 8,
  text: 'Passwords of fewer than 8 characters are too easy to guess.',
  source: 'OWASP ASVS 6.2.1, NIST SP 800-63B-4 3.1.1.2',
};

const composition: Warning = {
  is: true,
  text: 'Such a rule makes passwords easier to guess, because many people meet it in the same way. Require a greater length instead.',
  source: 'OWASP ASVS 6.2.5, NIST SP 800-63B-4 3.1.1.2',
};

const row = (name: string) =>
  ({
    name: `Abp.Zero.UserManagement.PasswordComplexity.${name}`,
    scope: 'frontEnd',
    category: 'Password complexity',
    kind: 'value',
    public: true,
  }) as const;

const requirement = (name: string, label: string, needed: string, order: number) =>
  defineSetting({
    ...row(name),
    label,
    description: `A new password must contain at least one ${needed}.`,
    order,
    schema: Type.Boolean({ 'x-warning': composition, 'x-weaker': false }),
    default: false,
  });

/** The settings, keyed like {@link PasswordPolicy}. They are public, so that a form can show the rules in advance. */
export const passwordSettings = {
  requireDigit: requirement('RequireDigit', 'Require digit', 'digit', 100),
  requireLowercase: requirement('RequireLowercase', 'Require lowercase', 'lowercase letter', 101),
  requireUppercase: requirement('RequireUppercase', 'Require upper case', 'uppercase letter', 102),
  requireNonAlphanumeric: requirement(
    'RequireNonAlphanumeric',
    'Require non alphanumeric',
    'character that is neither a letter nor a digit',
    103,
  ),
  requiredLength: defineSetting({
    ...row('RequiredLength'),
    label: 'Require length',
    description: 'The minimum number of characters of a new password.',
    order: 104,
    schema: Type.Integer({
      minimum: 6,
      maximum: longestNewPassword,
      'x-unit': 'characters',
      'x-warning': tooShort,
      'x-weaker': 'lower',
    }),
    default: 12,
  }),
};

/** Returns the policy for passwords that are set through the front end with this application key. */
export function readPasswordPolicy(settings: SettingReader, frontEnd: string): PasswordPolicy {
  return {
    requireDigit: settings.read(passwordSettings.requireDigit, frontEnd),
    requireLowercase: settings.read(passwordSettings.requireLowercase, frontEnd),
    requireUppercase: settings.read(passwordSettings.requireUppercase, frontEnd),
    requireNonAlphanumeric: settings.read(passwordSettings.requireNonAlphanumeric, frontEnd),
    requiredLength: settings.read(passwordSettings.requiredLength, frontEnd),
  };
}
