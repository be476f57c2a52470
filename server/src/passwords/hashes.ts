// Reads stored hashes of all known formats. Those of other systems load when the first one appears.
import { OWASP_HASH_COST, readArgon2 } from './argon2.ts';
import type { PasswordHash, RefusedHash } from './hash.ts';

/** Reads a stored hash of any known format. Never throws. @param own see {@link HashReader}. */
export async function readHash(stored: string, own = OWASP_HASH_COST): Promise<PasswordHash | RefusedHash> {
  return readArgon2(stored, own) ?? (await loadForeignHashes()).readForeignHash(stored);
}

/** Loads the hashes of other systems. */
export const loadForeignHashes = () => import('./foreign-hashes.ts');
