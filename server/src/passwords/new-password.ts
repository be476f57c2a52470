// Accepting a new password: wherever one is set, it is held against the front end's rules here.
import { passwordErrors } from './errors.ts';
import { findBrokenRules, normalizePassword, type PasswordPolicy, unchangedPassword } from './password.ts';

/**
 * Ends in `password.policy`, naming each broken rule, unless `password` may be set.
 * @param names the account's own names, which must not stand in it.
 * @param current the password in force, where the caller has typed it: the new one must differ.
 */
export function requireGoodPassword(
  password: string,
  policy: PasswordPolicy,
  names: readonly (string | null)[],
  options: { member?: string; current?: string } = {},
): void {
  const { member = 'newPassword', current } = options;
  const known = names.filter((name) => name !== null);
  const broken = findBrokenRules(password, policy, known, member);
  if (current !== undefined && normalizePassword(current) === normalizePassword(password)) {
    broken.push(unchangedPassword(member));
  }
  if (broken.length === 0) return;
  const details = broken.map(({ message }) => message).join(' ');
  throw passwordErrors.policy({ details, validationErrors: broken });
}
