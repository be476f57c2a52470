// Argon2 (RFC 9106) as PHC strings: the format of the service's own hashes, and of some imported ones.
import type { ParsedHashOptions } from '@node-rs/argon2';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { toBase64 } from './encodings.ts';
import type { HashCost, HashReader, PasswordHash } from './hash.ts';
import { malformed, tooCostly } from './hash.ts';

/** The least cost of argon2id with one lane (OWASP Password Storage Cheat Sheet). */
export const OWASP_HASH_COST: HashCost = { memoryKib: 19_456, passes: 2 };

/** The service's own parameters besides the cost. Lengths in bytes. */
const own = { lanes: 1, saltLength: 16, hashLength: 32 } as const;

/** Above these limits a check takes some seconds, or more memory than a small machine can spare. */
const max = { memoryKib: 262_144, passes: 10, lanes: 16 } as const;

/**
 * Takes the parameters m, t and p in any order. Excludes keyed hashes and associated data (`keyid`, `data`), which the
 * service cannot verify.
 */
const phc =
  /^\$(argon2(?:id|i|d))\$(?:v=\d{1,2}\$)?(?=[^$]*m=\d{1,10}[,$])(?=[^$]*t=\d{1,10}[,$])(?=[^$]*p=\d{1,3}[,$])[mtp]=\d+(?:,[mtp]=\d+){2}\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/;

/** Hashes with the service's own parameters, off the main thread. @param salt 16 random bytes. */
export function hashWithArgon2(password: string, salt: Uint8Array, cost: HashCost): Promise<string> {
  return hash(Buffer.from(password), {
    memoryCost: cost.memoryKib,
    timeCost: cost.passes,
    parallelism: own.lanes,
    outputLen: own.hashLength,
    salt,
  });
}

/**
 * Returns a hash that no known password matches, with the service's own parameters. To check it takes as long as to
 * check a real one.
 * @param noise 48 random bytes.
 */
export function unknownArgon2Hash(noise: Buffer, cost: HashCost): PasswordHash {
  const salt = toBase64(noise.subarray(0, own.saltLength));
  const output = toBase64(noise.subarray(own.saltLength));
  return accept(`$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${own.lanes}$${salt}$${output}`, 'argon2id', {
    outdated: false,
    memoryKib: cost.memoryKib,
  });
}

/** Reads `$argon2id$`, `$argon2i$` and `$argon2d$` hashes of versions 1.0 and 1.3. */
export const readArgon2: HashReader = (stored, cost) => {
  if (!stored.startsWith('$argon2')) return null;
  const format = phc.exec(stored)?.[1];
  const options = format === undefined ? null : parse(stored);
  if (format === undefined || options === null) return malformed('Argon2');

  const tooMuch =
    options.memoryCost > max.memoryKib || options.timeCost > max.passes || options.parallelism > max.lanes;
  if (tooMuch) {
    return tooCostly(format, `at most 256 MiB, ${max.passes} passes and ${max.lanes} lanes are accepted`);
  }
  const outdated = format !== 'argon2id' || !stored.includes('$v=19$') || isWeaker(options, cost);
  return accept(stored, format, { outdated, memoryKib: options.memoryCost });
};

function accept(
  stored: string,
  format: string,
  { outdated, memoryKib }: Pick<PasswordHash, 'outdated' | 'memoryKib'>,
): PasswordHash {
  return { format, outdated, memoryKib, matches: (password) => verify(stored, Buffer.from(password)) };
}

function isWeaker({ memoryCost, timeCost, saltLen, outputLen }: ParsedHashOptions, cost: HashCost): boolean {
  return (
    memoryCost < cost.memoryKib || timeCost < cost.passes || saltLen < own.saltLength || outputLen < own.hashLength
  );
}

function parse(stored: string): ParsedHashOptions | null {
  try {
    return parseOptions(stored);
  } catch {
    return null;
  }
}
