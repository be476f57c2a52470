// scrypt (RFC 7914): hashes as Passlib writes them, `$scrypt$ln=14,r=8,p=1$salt$key`, and those of better-auth. Those of Django and
// Spring are written like Passlib's when they are imported.
import { type BinaryLike, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { fromBase64, fromHex, toBase64 } from './encodings.ts';
import {
  foreignHash,
  type HashReader,
  isEqual,
  malformed,
  type PasswordHash,
  type RefusedHash,
  tooCostly,
} from './hash.ts';

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt);

const max = { ln: 17, r: 16, p: 10, bytes: 256 * 1024 ** 2 } as const;
const maxSalt = 256;
const minKey = 16;
const maxKey = 64;

/** The cost: N is 2^ln. */
export type ScryptCost = { readonly ln: number; readonly r: number; readonly p: number };

/** A salt, and how scrypt derives a key of `length` bytes. `matches` compares that key with the stored hash. */
type Scrypt = { cost: ScryptCost; salt: Buffer; length: number; matches(key: Buffer): boolean };

/** Returns the hash, unless it costs too much. @param normalize returns the spelling of a password that is hashed. */
export function toScryptHash(
  format: string,
  { cost, salt, length, matches }: Scrypt,
  normalize = (password: string) => password,
): PasswordHash | RefusedHash {
  const { ln, r, p } = cost;
  const bytes = 128 * 2 ** ln * r;
  // The lanes run one after the other. Together they may not fill more memory than one.
  if (ln > max.ln || r > max.r || p > max.p || bytes * p > max.bytes) {
    return tooCostly(format, 'at most N = 2^17, r = 16, p = 10 and 256 MiB over all lanes are accepted');
  }
  const options = { N: 2 ** ln, r, p, maxmem: 2 * max.bytes };
  return foreignHash(
    format,
    async (password) => matches(await derive(Buffer.from(normalize(password)), salt, length, options)),
    bytes / 1024,
  );
}

/** Reads the fields `ln`, `r` and `p`. Returns null if one is missing or not a whole number above zero. */
export function readScryptCost(text: string): ScryptCost | null {
  const [, ln, r, p] = /^ln=([1-9]\d{0,4}),r=([1-9]\d{0,9}),p=([1-9]\d{0,9})$/.exec(text) ?? [];
  return ln === undefined ? null : { ln: Number(ln), r: Number(r), p: Number(p) };
}

/** Returns the text that {@link readScrypt} reads. */
export const writeScrypt = (cost: ScryptCost, salt: Buffer, key: Buffer): string =>
  `$scrypt$${writeScryptCost(cost)}$${toBase64(salt)}$${toBase64(key)}`;

export const writeScryptCost = ({ ln, r, p }: ScryptCost): string => `ln=${ln},r=${r},p=${p}`;

/** Reads `$scrypt$`. */
export const readScrypt: HashReader = (stored) => {
  if (!stored.startsWith('$scrypt$')) return null;
  const [, , costText = '', saltText = '', keyText = '', ...others] = stored.split('$');
  const [cost, salt, key] = [readScryptCost(costText), fromBase64(saltText), fromBase64(keyText)];
  if (!cost || !salt || !key || others.length > 0) return malformed('scrypt');
  if (salt.length > maxSalt || key.length < minKey || key.length > maxKey) return malformed('scrypt');
  return toScryptHash('scrypt', { cost, salt, length: key.length, matches: (derived) => isEqual(derived, key) });
};

const betterAuthCost = { ln: 14, r: 16, p: 1 };

/** Reads hashes of better-auth: `salt:key` in hexadecimal. The salt is its digits as text. Passwords are normalized to NFKC. */
export const readBetterAuth: HashReader = (stored) => {
  const [, salt, digits = ''] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(stored) ?? [];
  const key = fromHex(digits);
  if (salt === undefined || key === null) return null;
  return toScryptHash(
    'better-auth-scrypt',
    {
      cost: betterAuthCost,
      salt: Buffer.from(salt),
      length: key.length,
      matches: (derived) => isEqual(derived, key),
    },
    (password) => password.normalize('NFKC'),
  );
};
