// Hashes by phpass (https://www.openwall.com/phpass/): of WordPress and phpBB with MD5, of Drupal 7 with SHA-512. And the other hashes
// of WordPress.
import { createHmac } from 'node:crypto';
import { toBcryptHash } from './bcrypt.ts';
import { fromCryptDigit, toCryptBase64 } from './encodings.ts';
import {
  foreignHash,
  type HashReader,
  isEqual,
  malformed,
  type PasswordHash,
  type RefusedHash,
  tooCostly,
} from './hash.ts';
import { runInThread } from './loop-hash.ts';

/** Rounds are powers of two. phpass itself knows no fewer than 2^7. */
const minLog2 = 7;
const maxLog2 = 18;

/** The three characters of the kind, one of the rounds, and eight of the salt. */
const beginning = /^(.{3})([./0-9A-Za-z])([./0-9A-Za-z]{8})/;

type Phpass = { digest: 'md5' | 'sha512'; spellingsOf(password: string): readonly string[] };

function toPhpassHash(format: string, stored: string, { digest, spellingsOf }: Phpass): PasswordHash | RefusedHash {
  const [begin, , logarithm = '', salt = ''] = beginning.exec(stored) ?? [];
  const log2 = fromCryptDigit(logarithm);
  if (begin === undefined || log2 < minLog2) return malformed(format);
  if (log2 > maxLog2) return tooCostly(format, `at most 2^${maxLog2} rounds are accepted`);
  const loop = { kind: 'phpass', digest, rounds: 2 ** log2, salt: Buffer.from(salt) } as const;
  return foreignHash(format, async (password) => {
    for (const spelling of spellingsOf(password)) {
      const hashed = await runInThread({ ...loop, password: Buffer.from(spelling) });
      // Drupal cuts the digest off.
      if (isEqual((begin + toCryptBase64(hashed)).slice(0, stored.length), stored)) return true;
    }
    return false;
  });
}

/** Reads `$P$` of phpass and WordPress, and `$H$` of phpBB. */
export const readPhpass: HashReader = (stored) => {
  if (!/^\$[PH]\$/.test(stored)) return null;
  if (!/^.{12}[./0-9A-Za-z]{22}$/.test(stored)) return malformed('phpass');
  return toPhpassHash('phpass', stored, { digest: 'md5', spellingsOf: wordPressSpellings });
};

/** Reads `$S$` of Drupal 7. */
export const readDrupal: HashReader = (stored) => {
  if (!stored.startsWith('$S$')) return null;
  if (!/^.{12}[./0-9A-Za-z]{43}$/.test(stored)) return malformed('drupal');
  return toPhpassHash('drupal', stored, { digest: 'sha512', spellingsOf: (password) => [password] });
};

const WORDPRESS = '$wp';

/** Reads `$wp$2y$` of WordPress since 6.8: bcrypt of an HMAC of the password. */
export const readWordPress: HashReader = (stored) => {
  if (!stored.startsWith(`${WORDPRESS}$`)) return null;
  return toBcryptHash('wordpress-bcrypt', stored.slice(WORDPRESS.length), (password) =>
    wordPressSpellings(password).map((spelling) =>
      Buffer.from(createHmac('sha384', 'wp-sha384').update(spelling).digest('base64')),
    ),
  );
};

/**
 * Returns what WordPress may have hashed: the password itself, or, if it came from a form, without white space around it, and with
 * backslashes before quotes (wp_magic_quotes). Never the empty text, which is no password.
 */
function wordPressSpellings(password: string): string[] {
  const trimmed = password.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, '');
  const slashed = trimmed.replace(/['"\\]/g, '\\$&').replaceAll('\0', '\\0');
  return [...new Set([password, trimmed, slashed])].filter((spelling) => spelling !== '');
}
