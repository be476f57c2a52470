// Presets: requirements on the values of settings, and what must change to fulfil them.
import { type Definition, type Draft, isRecord, isSame } from './definition.ts';

/** What a value must be. A number that is stricter than its bound complies. */
type Requirement = {
  readonly setting: string;
  /** The member of a compound. */
  readonly member?: string;
  /** The section of the source that requires it. */
  readonly section?: string;
} & (
  | { readonly is: boolean | string | number }
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly isDefault: true }
);

const COMPLEXITY = 'Abp.Zero.UserManagement.PasswordComplexity.';
const LOCKOUT = 'Abp.Zero.UserManagement.UserLockOut.';
const COMPOSITION = ['RequireDigit', 'RequireLowercase', 'RequireUppercase', 'RequireNonAlphanumeric'];

/**
 * NIST SP 800-63B-4 (July 2025). Bounds that the service keeps under any settings are not repeated here: 100 failures in
 * a row (3.2.2), 10 minutes for pins, and 24 hours for mailed links (4.2.1.2).
 */
const nist: readonly Requirement[] = [
  ...COMPOSITION.map((name) => ({ setting: COMPLEXITY + name, section: '3.1.1.2', is: false })),
  { setting: 'Shesha.Security', member: 'useResetPasswordViaSecurityQuestions', section: '4.2.1', is: false },
];

const DAY = 86_400;

export const presets: Readonly<Record<'aal1' | 'aal2' | 'shesha', readonly Requirement[]>> = {
  aal1: [
    { setting: `${COMPLEXITY}RequiredLength`, section: '3.1.1.2', atLeast: 15 },
    ...nist,
    { setting: 'Latchkey.Tokens', member: 'sessionLifetime', section: '2.1.3', atMost: 30 * DAY },
  ],
  aal2: [
    { setting: `${COMPLEXITY}RequiredLength`, section: '3.1.1.2', atLeast: 8 },
    ...nist,
    { setting: 'Latchkey.Tokens', member: 'sessionLifetime', section: '2.2.3', atMost: DAY },
    { setting: 'Shesha.Security', member: 'useAutoLogoff', section: '2.2.3', is: true },
    { setting: 'Shesha.Security', member: 'autoLogoffTimeout', section: '2.2.3', atMost: 3600 },
    // A passkey is the phishing-resistant method that AAL2 requires the service to offer.
    { setting: 'Latchkey.Factors', member: 'passkeys', section: '2.2.2', is: true },
    { setting: 'Latchkey.Factors', member: 'trustedDeviceDays', section: '5.1', is: 0 },
    { setting: 'Latchkey.Factors.SecondFactor', section: '2.2.1', is: 'required' },
  ],
  // The settings of the specification, 2.2 to 2.4.
  shesha: [
    { setting: 'Shesha.Security', isDefault: true },
    ...[...COMPOSITION, 'RequiredLength'].map((name) => ({ setting: COMPLEXITY + name, isDefault: true as const })),
    ...['IsEnabled', 'MaxFailedAccessAttemptsBeforeLockout', 'DefaultAccountLockoutSeconds'].map((name) => ({
      setting: LOCKOUT + name,
      isDefault: true as const,
    })),
  ],
};

export type Preset = keyof typeof presets;

/** Returns the value that fulfils the requirement: the present one, if it does. */
function fulfil(requirement: Requirement, present: unknown, initial: unknown): unknown {
  if ('is' in requirement) return requirement.is;
  if ('isDefault' in requirement) return initial;
  if (typeof present !== 'number') return present;
  return 'atLeast' in requirement ? Math.max(present, requirement.atLeast) : Math.min(present, requirement.atMost);
}

export type Proposal = {
  readonly definition: Definition;
  readonly appKey: string | undefined;
  readonly draft: Draft;
  /** The sections that require the change, without repetition. */
  readonly sections: readonly string[];
};

/**
 * Returns the changes that fulfil a preset.
 * @param frontEnds the keys of the front ends to change.
 * @param read returns the present value of a setting.
 */
export function proposeChanges(
  preset: Preset,
  definitions: readonly Definition[],
  frontEnds: readonly string[],
  read: (definition: Definition, appKey: string | undefined) => unknown,
): Proposal[] {
  return definitions.flatMap((definition) => {
    const required = presets[preset].filter(({ setting }) => setting === definition.name);
    if (required.length === 0) return [];
    const places = definition.scope === 'general' ? [undefined] : frontEnds;
    return places.flatMap((appKey) => {
      const base = read(definition, appKey);
      const { value, sections } = apply(required, base, definition.default);
      if (isSame(base, value)) return [];
      const isReset = required.some((one) => 'isDefault' in one);
      return [{ definition, appKey, draft: { base, value, isReset }, sections }];
    });
  });
}

function apply(required: readonly Requirement[], base: unknown, initial: unknown) {
  const sections = new Set<string>();
  let value = base;
  for (const requirement of required) {
    const { member, section } = requirement;
    const present = member !== undefined && isRecord(value) ? value[member] : value;
    const next = fulfil(requirement, present, initial);
    if (isSame(present, next)) continue;
    if (section !== undefined) sections.add(section);
    value = member !== undefined && isRecord(value) ? { ...value, [member]: next } : next;
  }
  return { value, sections: [...sections] };
}
