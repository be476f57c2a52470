// PBKDF2 (RFC 8018): hashes as Passlib writes them, `$pbkdf2-sha256$iterations$salt$key`. Those of Django, Keycloak, Spring and
// MediaWiki are written so when they are imported.
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { fromBase64, toBase64 } from './encodings.ts';
import {
  foreignHash,
  type HashReader,
  isEqual,
  malformed,
  type PasswordHash,
  type RefusedHash,
  tooCostly,
} from './hash.ts';

const derive = promisify(pbkdf2);

const maxIterations = 2_000_000;
const maxSalt = 256;
const minKey = 16;
const maxKey = 64;

/** A key that PBKDF2 has derived from a password, and how. */
export type Pbkdf2 = {
  readonly digest: 'sha1' | 'sha256' | 'sha512';
  readonly iterations: number;
  readonly salt: Buffer;
  readonly key: Buffer;
};

/** Returns the hash with this key, unless it costs too much. */
export function toPbkdf2Hash(format: string, { digest, iterations, salt, key }: Pbkdf2): PasswordHash | RefusedHash {
  if (iterations > maxIterations) return tooCostly(format, 'at most 2,000,000 iterations are accepted');
  return foreignHash(format, async (password) =>
    isEqual(await derive(Buffer.from(password), salt, iterations, key.length, digest), key),
  );
}

/** Returns the text that {@link readPbkdf2} reads. */
export function writePbkdf2({
  digest,
  salt,
  key,
  ...rest
}: Omit<Pbkdf2, 'iterations'> & { iterations: number | string }) {
  const name = digest === 'sha1' ? 'pbkdf2' : `pbkdf2-${digest}`;
  return `$${name}$${rest.iterations}$${toBase64(salt)}$${toBase64(key)}`;
}

/** Reads `$pbkdf2$` (SHA-1), `$pbkdf2-sha256$` and `$pbkdf2-sha512$`. */
export const readPbkdf2: HashReader = (stored) => {
  const [begin, name] = /^\$pbkdf2(?:-(sha256|sha512))?\$/.exec(stored) ?? [];
  if (begin === undefined) return null;
  const digest = name === 'sha256' || name === 'sha512' ? name : 'sha1';
  const format = `pbkdf2-${digest}`;
  const [, iterations, saltText = '', keyText = ''] =
    /^([1-9]\d{0,9})\$([^$]+)\$([^$]+)$/.exec(stored.slice(begin.length)) ?? [];
  const [salt, key] = [fromBase64(saltText), fromBase64(keyText)];
  const isWellFormed = salt && key && salt.length <= maxSalt && key.length >= minKey && key.length <= maxKey;
  return isWellFormed ? toPbkdf2Hash(format, { digest, iterations: Number(iterations), salt, key }) : malformed(format);
};
