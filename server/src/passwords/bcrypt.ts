// bcrypt hashes that are brought along from other systems.
import { verify } from '@node-rs/bcrypt';
import type { HashReader } from './hash.ts';
import { malformed, tooCostly } from './hash.ts';

const mostBytes = 72;
const mostCost = 14;

/**
 * Cost, 16 bytes of salt and 23 of hash in bcrypt's own base64, whose spare bits are zero. `$2x$` is left out: it marks hashes
 * of a faulty implementation, which no correct one can verify.
 */
const modular = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/**
 * Reads `$2a$`, `$2b$` and `$2y$`.
 *
 * bcrypt sees 72 bytes and cannot tell a NUL from the end of a password, so a hash does not say what came after. Here every
 * byte counts: a password that is longer or holds a NUL does not match, even where the other system would have cut it off.
 * Whoever had such a password there recovers it once; otherwise a wrong end, accepted once, would become the password when
 * the hash is upgraded.
 */
export const readBcrypt: HashReader = (stored) => {
  if (!stored.startsWith('$2')) return null;
  const cost = modular.exec(stored)?.[1];
  if (cost === undefined) return malformed('bcrypt');
  if (Number(cost) > mostCost) return tooCostly('bcrypt', `at most cost ${mostCost} is accepted`);
  return {
    format: 'bcrypt',
    outdated: true,
    async matches(password) {
      const bytes = Buffer.from(password);
      return bytes.length <= mostBytes && !bytes.includes(0) && (await verify(bytes, stored));
    },
  };
};
