// Imported passwords: whether an account still has the password that its import set.
import { createHash } from 'node:crypto';

/** The mark of an imported account whose password was changed here since. */
export const CHANGED = 'changed';

/** The mark of an imported account without a password. */
const NONE = 'none';

/** Returns the mark of an account that has the password of this hash from an import. */
export function importedPasswordMark(hash: string | null): string {
  return hash === null ? NONE : createHash('sha256').update(hash).digest('base64url');
}

/**
 * Decides what happens to the password of an account that is imported again.
 * @param mark the mark of the account.
 * @param hash the hash of this import; null if it has none.
 * @returns `same` if the account has this password, or the import has none; `changed` if it was changed here since the
 * import; `new` if the import brings another password.
 */
export function compareImportedPassword(mark: string | null, hash: string | null): 'same' | 'changed' | 'new' {
  if (hash === null || mark === importedPasswordMark(hash)) return 'same';
  return mark === CHANGED ? 'changed' : 'new';
}
