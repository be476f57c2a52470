// bcrypt hashes, imported from other systems: plain ones, and those of a digest of the password.
import { createHash } from 'node:crypto';
import { verify } from '@node-rs/bcrypt';
import { foreignHash, type HashReader, malformed, type PasswordHash, type RefusedHash, tooCostly } from './hash.ts';

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
  if (!/^\$2[aby]\$/.test(stored)) return null;
  return toBcryptHash('bcrypt', stored, (password) => {
    const bytes = Buffer.from(password);
    return bytes.length <= maxBytes && !bytes.includes(0) ? [bytes] : [];
  });
};

const DJANGO_SHA256 = 'bcrypt_sha256$';

/** Reads Django's `bcrypt_sha256$$2b$…`: bcrypt of the SHA-256 in hexadecimal. */
export const readDjangoBcryptSha256: HashReader = (stored) => {
  if (!stored.startsWith(DJANGO_SHA256)) return null;
  return toBcryptHash('django-bcrypt-sha256', stored.slice(DJANGO_SHA256.length), (password) => [
    Buffer.from(createHash('sha256').update(password).digest('hex')),
  ]);
};

/**
 * Returns the hash, unless it is not well-formed or costs too much.
 * @param inputsOf returns what bcrypt may have hashed for a password: up to 72 bytes without a NUL each.
 */
export function toBcryptHash(
  format: string,
  stored: string,
  inputsOf: (password: string) => readonly Buffer[],
): PasswordHash | RefusedHash {
  const cost = modular.exec(stored)?.[1];
  if (cost === undefined) return malformed(format);
  if (Number(cost) > maxCost) return tooCostly(format, `at most cost ${maxCost} is accepted`);
  return foreignHash(format, async (password) => {
    for (const input of inputsOf(password)) if (await verify(input, stored)) return true;
    return false;
  });
}
