// The environment's administrator: the name and password of the first account.
import { readName } from '../foundation/typed-text.ts';
import { EnvironmentError } from './environment-error.ts';

/** In characters. */
const MAX_PASSWORD_LENGTH = 128;

/** @throws EnvironmentError */
export function readAdminUser(text: string): string {
  const name = readName(text);
  if (/^[^\p{C}\p{Z}@]{1,256}$/u.test(name)) return name;
  throw new EnvironmentError('LATCHKEY_ADMIN_USER', 'must be a user name without spaces or @.');
}

/** Checks the form only: the rules for passwords are settings, which are loaded later. @throws EnvironmentError */
export function readAdminPassword(text: string | undefined): string | undefined {
  if (!text) return undefined;
  if ([...text].length <= MAX_PASSWORD_LENGTH && text.isWellFormed()) return text;
  throw new EnvironmentError('LATCHKEY_ADMIN_PASSWORD', `must have at most ${MAX_PASSWORD_LENGTH} characters.`);
}
