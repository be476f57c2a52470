// The settings of second factors: which kinds accounts may enroll, and who must have one.
import { Type } from 'typebox';
import { defineSetting, type Warning } from '../foundation/setting.ts';

const enrollment: Warning = {
  is: 'required',
  text: 'Users without a second factor can only enroll one, until they have. Without passkeys and the authenticator app, this has no effect.',
};

export const factorSettings = defineSetting({
  name: 'Latchkey.Factors',
  scope: 'general',
  category: 'Security',
  label: 'Second factors and passkeys',
  description:
    'What accounts may enroll. A sign-in to an account with a second factor asks for it. A kind that is switched off is neither asked for nor offered, and what was enrolled is kept.',
  kind: 'compound',
  order: 25,
  // The sign-in page offers what is switched on.
  public: true,
  schema: Type.Object({
    passkeys: Type.Boolean({
      title: 'Passkeys',
      description: 'Sign in with a passkey or a security key, alone or as a second factor.',
    }),
    authenticator: Type.Boolean({
      title: 'Authenticator app',
      description: 'A code of six digits from an app as a second factor.',
    }),
    trustedDeviceDays: Type.Integer({
      title: 'Trusted devices',
      description: 'For how long a device that the user trusts is not asked for a second factor. 0: never.',
      minimum: 0,
      maximum: 90,
      'x-unit': 'days',
    }),
    requireForPermissions: Type.Boolean({
      title: 'Required for accounts with permissions',
      description: 'Accounts with any permission must enroll a second factor before they can do anything else.',
    }),
  }),
  default: { passkeys: false, authenticator: false, trustedDeviceDays: 0, requireForPermissions: false },
  findProblems({ passkeys, authenticator, requireForPermissions }) {
    if (!requireForPermissions || passkeys || authenticator) return [];
    const message = 'Switch on passkeys or the authenticator app, so that accounts can enroll what you require.';
    return [{ message, members: ['requireForPermissions'] }];
  },
});

export const secondFactorSetting = defineSetting({
  name: 'Latchkey.Factors.SecondFactor',
  scope: 'frontEnd',
  category: 'Security',
  label: 'Second factor',
  description:
    'Whether users of the front end must enroll a second factor. The value of Default UI applies to all front ends if it is stricter.',
  kind: 'value',
  order: 26,
  public: false,
  schema: Type.Enum(['optional', 'required'], { 'x-labels': ['Optional', 'Required'], 'x-warning': enrollment }),
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
