// Passwords as texts: what can be one at all, and which rules a new one breaks.
import type { ValidationError } from '../foundation/errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** What a front end demands of a new password; `requiredLength` in characters (Unicode code points). */
export type PasswordPolicy = {
  requireDigit: boolean;
  requireLowercase: boolean;
  requireUppercase: boolean;
  requireNonAlphanumeric: boolean;
  requiredLength: number;
};

/** Characters (Unicode code points) of the longest password that can be set. */
export const longestNewPassword = 128;

const mostBytes = 1024;

/**
 * No text of more UTF-16 units can be normalized into {@link mostBytes}: composing makes at best two bytes out of three
 * units. Checked first, because normalizing takes quadratic time on long runs of combining marks.
 */
const mostUnits = (mostBytes / 2) * 3;

const shortestName = 4;

/** The one spelling of a password that is hashed and measured: NFC (NIST SP 800-63B-4, 3.1.1.2). Nothing is trimmed. */
export function normalizePassword(password: string): string {
  return password.normalize('NFC');
}

/**
 * Can this be anybody's password: 1 to 1024 bytes of UTF-8 after normalization, without lone surrogates (which UTF-8
 * cannot tell apart)? What cannot is never hashed: it matches nothing. Fast for texts of any length.
 */
export function isPossiblePassword(password: string): boolean {
  if (password.length === 0 || password.length > mostUnits || !password.isWellFormed()) return false;
  return Buffer.byteLength(normalizePassword(password)) <= mostBytes;
}

/**
 * The rules that a new password breaks, an entry for each with a sentence that says what to do; empty when it is good.
 * @param names the account's own: user name, e-mail address, first name, surname. None of four characters or more,
 *   nor the part of an address before its `@`, may stand in the password, in whatever case.
 * @param member the member of the request that holds the password.
 */
export function findBrokenRules(
  password: string,
  policy: PasswordPolicy,
  names: readonly string[],
  member = 'newPassword',
): ValidationError[] {
  return brokenRules(password, policy, names).map((message) => ({ message, members: [member] }));
}

/** One more broken rule, known only to who holds the current password: the new one equals it. */
export function unchangedPassword(member = 'newPassword'): ValidationError {
  return { message: 'Use a password that differs from the current one.', members: [member] };
}

function brokenRules(typed: string, policy: PasswordPolicy, names: readonly string[]): string[] {
  const tooLong = `Use at most ${longestNewPassword} characters.`;
  if (typed.length > mostUnits) return [tooLong];
  if (!typed.isWellFormed()) return ['Use whole characters only: one of them is not valid Unicode.'];

  const password = normalizePassword(typed);
  const length = [...password].length;
  if (length > longestNewPassword) return [tooLong];

  const rules: [broken: boolean, message: string][] = [
    [length < policy.requiredLength, `Use at least ${policy.requiredLength} characters.`],
    [policy.requireDigit && !/\p{Nd}/u.test(password), 'Use at least one digit.'],
    [policy.requireLowercase && !/\p{Ll}/u.test(password), 'Use at least one lowercase letter.'],
    [policy.requireUppercase && !/\p{Lu}/u.test(password), 'Use at least one uppercase letter.'],
    [
      policy.requireNonAlphanumeric && !/[^\p{L}\p{N}]/u.test(password),
      'Use at least one character that is neither a letter nor a digit.',
    ],
    [isCommonPassword(foldCase(password)), 'Use a password that is harder to guess: this one is too common.'],
    [containsName(foldCase(password), names), 'Use a password without your name, user name or e-mail address in it.'],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

function containsName(folded: string, names: readonly string[]): boolean {
  return names
    .flatMap((name) => [name, name.slice(0, Math.max(0, name.lastIndexOf('@')))])
    .map((name) => foldCase(name.trim()))
    .some((name) => [...name].length >= shortestName && folded.includes(name));
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
