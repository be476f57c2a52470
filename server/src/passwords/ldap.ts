// Salted digests of LDAP servers: `{SSHA}` and its successors.
import { createHash } from 'node:crypto';
import { fromBase64 } from './encodings.ts';
import { foreignHash, type HashReader, isEqual, malformed } from './hash.ts';

const schemes = [
  { format: 'ssha', digest: 'sha1', length: 20 },
  { format: 'ssha256', digest: 'sha256', length: 32 },
  { format: 'ssha512', digest: 'sha512', length: 64 },
] as const;

const minSalt = 4;
const maxSalt = 64;

/** Reads `{SSHA}`, `{SSHA256}` and `{SSHA512}`, in any case: the base64 of a digest and its salt. */
export const readLdap: HashReader = (stored) => {
  const [begin, name] = /^\{([^}]*)\}/.exec(stored) ?? [];
  const scheme = schemes.find(({ format }) => format === name?.toLowerCase());
  if (begin === undefined || !scheme) return null;
  const { format, digest, length } = scheme;
  const bytes = fromBase64(stored.slice(begin.length));
  const salt = bytes?.subarray(length);
  if (!bytes || !salt || salt.length < minSalt || salt.length > maxSalt) return malformed(format);
  const expected = bytes.subarray(0, length);
  return foreignHash(format, async (password) =>
    isEqual(createHash(digest).update(password).update(salt).digest(), expected),
  );
};
