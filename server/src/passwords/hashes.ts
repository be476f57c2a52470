// Reads stored hashes of all known formats.
import { OWASP_HASH_COST, readArgon2 } from './argon2.ts';
import { readAspNetIdentity } from './aspnet-identity.ts';
import { readBcrypt } from './bcrypt.ts';
import type { PasswordHash, RefusedHash } from './hash.ts';

const readers = [readArgon2, readBcrypt, readAspNetIdentity];
const longestHash = 512;

/** Reads a stored hash of any known format. Never throws. @param own see {@link HashReader}. */
export function readHash(stored: string, own = OWASP_HASH_COST): PasswordHash | RefusedHash {
  if (stored.length <= longestHash) {
    for (const read of readers) {
      const hash = read(stored, own);
      if (hash !== null) return hash;
    }
  }
  return {
    refused: 'The hash has an unknown format. Use an Argon2, bcrypt or ASP.NET Core Identity hash.',
  };
}

/** Returns the format of a hash, or why sign-in would refuse it. Imports use it. Never throws. */
export function describeHash(stored: string): { format: string } | { refused: string } {
  const hash = readHash(stored);
  return 'refused' in hash ? hash : { format: hash.format };
}
