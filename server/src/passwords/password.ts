// Passwords as texts: which texts can be passwords, and which rules a new password breaks.
import type { ValidationError } from '../foundation/errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** The rules of a front end for new passwords. `requiredLength` is in characters (Unicode code points). */
export type PasswordPolicy = {
  requireDigit: boolean;
  requireLowercase: boolean;
  requireUppercase: boolean;
  requireNonAlphanumeric: boolean;
  requiredLength: number;
};

/** Length of the longest password that can be set, in characters (Unicode code points). */
export const longestNewPassword = 128;

const maxBytes = 1024;

/**
 * A text of more UTF-16 units has more than {@link maxBytes} when normalized, because composition turns three units into
 * two bytes at best. It is checked before normalization, which takes quadratic time on long runs of combining marks.
 */
const maxUnits = (maxBytes / 2) * 3;

const minNameLength = 4;

/** Returns the spelling of a password that is hashed and measured: NFC, not trimmed (NIST SP 800-63B-4, 3.1.1.2). */
export function normalizePassword(password: string): string {
  return password.normalize('NFC');
}

/**
 * Whether a text can be a password: 1 to 1024 bytes of UTF-8 after normalization, without lone surrogates, which UTF-8
 * cannot distinguish. The service never hashes other texts; they match no password. Fast for texts of any length.
 */
export function isPossiblePassword(password: string): boolean {
  if (password.length === 0 || password.length > maxUnits || !password.isWellFormed()) return false;
  return Buffer.byteLength(normalizePassword(password)) <= maxBytes;
}

/**
 * Returns an entry for each rule that a new password breaks, with a sentence that says what to do.
 * @param names the account's own user name, e-mail address, first name and surname. In any case, the password must not
 *   contain a name of four characters or more, or the part of such an address before its `@`.
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

/** Returns the entry for a new password that equals the current one. */
export function unchangedPassword(member = 'newPassword'): ValidationError {
  return { message: 'Use a password that differs from the current one.', members: [member] };
}

function brokenRules(typed: string, policy: PasswordPolicy, names: readonly string[]): string[] {
  const tooLong = `Use at most ${longestNewPassword} characters.`;
  if (typed.length > maxUnits) return [tooLong];
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
    .some((name) => [...name].length >= minNameLength && folded.includes(name));
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
