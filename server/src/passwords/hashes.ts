// All formats of stored hashes together: which one a text is of.
import { readArgon2 } from './argon2.ts';
import { readAspNetIdentity } from './aspnet-identity.ts';
import { readBcrypt } from './bcrypt.ts';
import type { PasswordHash, RefusedHash } from './hash.ts';

const readers = [readArgon2, readBcrypt, readAspNetIdentity];
const longestHash = 512;

/** Reads a stored hash of any known format. Never throws, whatever the text. */
export function readHash(stored: string): PasswordHash | RefusedHash {
  if (stored.length <= longestHash) {
    for (const read of readers) {
      const hash = read(stored);
      if (hash !== null) return hash;
    }
  }
  return {
    refused: 'The format of the hash is not known: Argon2, bcrypt and ASP.NET Core Identity hashes are accepted.',
  };
}

/** For whoever imports accounts: the format of a hash that sign-in would accept, or why it would not. Never throws. */
export function describeHash(stored: string): { format: string } | { refused: string } {
  const hash = readHash(stored);
  return 'refused' in hash ? hash : { format: hash.format };
}
