// New passwords: every change of a password checks the new one against the front end's rules here.
import { passwordErrors } from './declarations.ts';
import { findBrokenRules, normalizePassword, type PasswordPolicy, unchangedPassword } from './password.ts';

/**
 * Requires that `password` follows all rules.
 * @param names the account's own names, which the password must not contain.
 * @param options `current` is the present password, if the caller has typed it: the new one must differ from it.
 * @throws AuthError `password.policy`, which names each broken rule.
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
