// The settings on which requirements depend, and what the doctor says while they have another value.
import type { Condition } from './requirement.ts';

const COMPLEXITY = 'Abp.Zero.UserManagement.PasswordComplexity.';
const SECURITY = 'Shesha.Security';
const FACTORS = 'Latchkey.Factors';
const TOKENS = 'Latchkey.Tokens';
const DAY = 86_400;

export const passwordsOf = (atLeast: number): Condition => ({
  setting: `${COMPLEXITY}RequiredLength`,
  atLeast,
  unsafe: `New passwords may have fewer than ${atLeast} characters.`,
});

export const noComposition: readonly Condition[] = [
  'RequireDigit',
  'RequireLowercase',
  'RequireUppercase',
  'RequireNonAlphanumeric',
].map((name) => ({
  setting: COMPLEXITY + name,
  is: false,
  unsafe: 'A password must have characters of some kind, which makes it easier to guess.',
}));

export const noQuestions: Condition = {
  setting: SECURITY,
  member: 'useResetPasswordViaSecurityQuestions',
  is: false,
  unsafe: 'People reset a password with answers that others know or find.',
};

export const lockout: Condition = {
  setting: 'Abp.Zero.UserManagement.UserLockOut.IsEnabled',
  is: true,
  unsafe: 'An attacker gets 100 guesses in a row at a password, instead of a few.',
};

export const fewSignIns: Condition = {
  setting: 'Latchkey.RateLimiting',
  member: 'loginPermitLimit',
  atMost: 100,
  unsafe: 'One address can try common passwords on many accounts before a limit stops it.',
};

export const secondFactor: Condition = {
  setting: `${FACTORS}.SecondFactor`,
  is: 'required',
  unsafe: 'People may use an account with one factor.',
};

export const anyFactorKind: Condition = {
  setting: FACTORS,
  member: ['passkeys', 'authenticator'],
  is: true,
  unsafe: 'No account can enroll a second factor, so none is required of any.',
};

export const fewWrongPins: Condition = {
  setting: 'Shesha.Otp',
  member: 'dailyAttemptsPerAccount',
  atMost: 100,
  unsafe: 'An attacker gets more than 100 guesses a day at the codes of one account.',
};

export const secondFactorForPower: Condition = {
  setting: FACTORS,
  member: 'requireForPermissions',
  is: true,
  unsafe: 'Administrators may sign in with one factor.',
};

export const passkeys: Condition = {
  setting: FACTORS,
  member: 'passkeys',
  is: true,
  unsafe: 'No way to sign in resists phishing.',
};

export const noTrustedDevices: Condition = {
  setting: FACTORS,
  member: 'trustedDeviceDays',
  is: 0,
  unsafe: 'A trusted device stands for the second factor.',
};

export const sessionsOfDays = (days: number): Condition => ({
  setting: TOKENS,
  member: 'sessionLifetime',
  atMost: days * DAY,
  unsafe: `A session may go on for more than ${days === 1 ? '24 hours' : `${days} days`} without a new sign-in.`,
});

export const autoLogOff: Condition = {
  setting: SECURITY,
  member: 'useAutoLogoff',
  is: true,
  unsafe: 'A session without activity stays open.',
};

export const idleHour: Condition = {
  setting: SECURITY,
  member: 'autoLogoffTimeout',
  atMost: 3600,
  unsafe: 'A session may be without activity for more than an hour.',
};

export const shortLinks: Condition = {
  setting: SECURITY,
  member: 'resetPasswordEmailLinkLifetime',
  atMost: 600,
  unsafe: 'A mailed link to reset a password is valid for more than ten minutes.',
};
