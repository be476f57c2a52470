// The settings of second factors: which kinds accounts may enroll, and who must have one.
import { Type } from 'typebox';
import { defineSetting, type Need, type Warning } from '../foundation/setting.ts';

const enrollment: Warning = {
  is: 'required',
  text: 'Users without a second factor can only enroll one until they have done so.',
};

/** A user can only have a factor of a kind that is switched on. */
const anyKind = (setting: { setting?: string }): Need[] => [
  { ...setting, member: 'passkeys', is: true },
  { ...setting, member: 'authenticator', is: true },
];

export const factorSettings = defineSetting({
  name: 'Latchkey.Factors',
  scope: 'general',
  category: 'Security',
  label: 'Second factors and passkeys',
  description:
    'What users can enroll. The sign-in asks for a second factor if the account has one. If you turn off a kind, the service no longer asks for it or offers it. It keeps what users have enrolled.',
  kind: 'compound',
  order: 25,
  // The sign-in page offers what is switched on.
  public: true,
  isGuarded: true,
  schema: Type.Object({
    passkeys: Type.Boolean({
      title: 'Passkeys',
      description: 'Users can sign in with a passkey or a security key, alone or as a second factor.',
    }),
    authenticator: Type.Boolean({
      title: 'Authenticator app',
      description: 'Users can enroll an app that shows codes of six digits, as a second factor.',
    }),
    trustedDeviceDays: Type.Integer({
      title: 'Trusted devices',
      description: 'How long the service skips the second factor on a device that the user trusts. 0: never.',
      minimum: 0,
      maximum: 90,
      'x-unit': 'days',
      'x-needs': anyKind({}),
    }),
    requireForPermissions: Type.Boolean({
      title: 'Required for accounts with permissions',
      description: 'An account with any permission must enroll a second factor before it can do anything else.',
    }),
  }),
  default: { passkeys: false, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false },
  findProblems({ passkeys, authenticator, requireForPermissions }) {
    if (!requireForPermissions || passkeys || authenticator) return [];
    const message = 'Turn on passkeys or the authenticator app, so that accounts can enroll what you require.';
    return [{ message, members: ['requireForPermissions'] }];
  },
});

export const secondFactorSetting = defineSetting({
  name: 'Latchkey.Factors.SecondFactor',
  scope: 'frontEnd',
  category: 'Security',
  label: 'Second factor',
  description:
    'Whether users of the front end must enroll a second factor. If Default UI requires one, all front ends do.',
  kind: 'value',
  order: 26,
  public: false,
  isGuarded: true,
  schema: Type.Enum(['optional', 'required'], {
    'x-labels': ['Optional', 'Required'],
    'x-warning': enrollment,
    'x-needs': anyKind({ setting: factorSettings.name }),
    'x-prevails': 'required',
  }),
  default: 'optional',
});

/**
 * Returns the front ends that require a second factor while no kind is switched on. No account can meet such a
 * requirement, so the service does not apply it.
 */
export function findUnmetRequirements(
  { passkeys, authenticator }: { readonly passkeys: boolean; readonly authenticator: boolean },
  requirements: readonly { readonly frontEnd: string; readonly value: unknown }[],
): string[] {
  if (passkeys || authenticator) return [];
  return requirements.filter(({ value }) => value === 'required').map(({ frontEnd }) => frontEnd);
}
