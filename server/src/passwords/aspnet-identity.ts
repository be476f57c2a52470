// Password hashes of ASP.NET Core Identity, versions 2 and 3: PBKDF2 (RFC 8018) with its parameters in one base64 blob.
import { type HashReader, malformed, type PasswordHash, type RefusedHash } from './hash.ts';
import { type Pbkdf2, toPbkdf2Hash } from './pbkdf2.ts';

const maxBytes = 64;
const minBytes = 16;
const digests = ['sha1', 'sha256', 'sha512'] as const;

const format = { 0: 'aspnet-identity-v2', 1: 'aspnet-identity-v3' } as const;

/** Reads hashes in base64 whose first byte is 0x00 (version 2) or 0x01 (version 3). */
export const readAspNetIdentity: HashReader = (stored) => {
  if (!/^[A-Za-z0-9+/]{32,256}={0,2}$/.test(stored)) return null;
  const blob = Buffer.from(stored, 'base64');
  if (blob.toString('base64') !== stored) return null;
  if (blob[0] === 0) return accept(format[0], readVersion2(blob));
  if (blob[0] === 1) return accept(format[1], readVersion3(blob));
  return null;
};

const accept = (name: string, derived: Pbkdf2 | null): PasswordHash | RefusedHash =>
  derived === null ? malformed(name) : toPbkdf2Hash(name, derived);

/** Reads marker, salt (16 bytes) and subkey (32 bytes). HMAC-SHA1 and 1000 iterations are fixed. */
function readVersion2(blob: Buffer): Pbkdf2 | null {
  if (blob.length !== 49) return null;
  return { digest: 'sha1', iterations: 1000, salt: blob.subarray(1, 17), key: blob.subarray(17) };
}

/** Reads marker, function, iterations and salt length (big-endian words of 32 bits), then salt and subkey. */
function readVersion3(blob: Buffer): Pbkdf2 | null {
  const digest = digests[blob.readUInt32BE(1)];
  const iterations = blob.readUInt32BE(5);
  const saltLength = blob.readUInt32BE(9);
  const subkeyLength = blob.length - 13 - saltLength;
  const areAccepted = [saltLength, subkeyLength].every((length) => length >= minBytes && length <= maxBytes);
  if (digest === undefined || iterations < 1 || !areAccepted) return null;
  return { digest, iterations, salt: blob.subarray(13, 13 + saltLength), key: blob.subarray(13 + saltLength) };
}
