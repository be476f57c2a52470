// bcrypt hashes, imported from other systems.
import { verify } from '@node-rs/bcrypt';
import type { HashReader } from './hash.ts';
import { malformed, tooCostly } from './hash.ts';

const maxBytes = 72;
const maxCost = 14;

/**
 * Cost, 16 bytes of salt and 23 bytes of hash in bcrypt's own base64, whose spare bits are zero. Excludes `$2x$`, which
 * marks hashes of a faulty implementation: no correct implementation can verify them.
 */
const modular = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/**
 * Reads `$2a$`, `$2b$` and `$2y$` hashes.
 *
 * bcrypt ignores bytes after the 72nd and after a NUL. Here a longer password, or one with a NUL, never matches, even if
 * the other system accepted it. Otherwise a password with a wrong end could match once, and the upgraded hash would keep
 * that wrong end. Owners of such passwords reset them once.
 */
export const readBcrypt: HashReader = (stored) => {
  if (!stored.startsWith('$2')) return null;
  const cost = modular.exec(stored)?.[1];
  if (cost === undefined) return malformed('bcrypt');
  if (Number(cost) > maxCost) return tooCostly('bcrypt', `at most cost ${maxCost} is accepted`);
  return {
    format: 'bcrypt',
    outdated: true,
    async matches(password) {
      const bytes = Buffer.from(password);
      return bytes.length <= maxBytes && !bytes.includes(0) && (await verify(bytes, stored));
    },
  };
};
