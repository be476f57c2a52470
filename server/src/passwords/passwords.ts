// Passwords as a service: hashing and verifying off the main thread, no more at once than the machine can bear.
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { networksOf } from '../foundation/networks.ts';
import type { Random } from '../foundation/random.ts';
import { hashWithArgon2, unknownArgon2Hash } from './argon2.ts';
import type { PasswordHash } from './hash.ts';
import { readHash } from './hashes.ts';
import { isPossiblePassword, normalizePassword } from './password.ts';
import { createQueue, type Load, type Requester } from './queue.ts';

/** What the check of a password came to; `outdated` is only ever true with `matches`: then store a fresh hash. */
export type Verification = { matches: boolean; outdated: boolean };

/**
 * Hashes and verifies passwords. Both end in `service.unavailable` when the queue is full, or the requester's share of it.
 */
export interface Passwords {
  /**
   * The hash to store, a PHC string (argon2id, m=19456, t=2, p=1, its own salt).
   * @throws RangeError for what `isPossiblePassword` denies: new passwords go through `findBrokenRules` first.
   */
  hash(password: string, requester?: Requester): Promise<string>;
  /** The hash of a random password of 256 bits, which nobody is told. */
  hashRandom(requester?: Requester): Promise<string>;
  /**
   * Does the password belong to the stored hash? Without one (unknown account, or none set), or with one that is corrupt,
   * it works as long as it would on a real hash of ours and answers no, so that time tells nobody who has an account.
   * A hash of a cheaper format that does not match costs that work on top; a dearer one shows until it is upgraded.
   */
  verify(stored: string | null, password: string, requester?: Requester): Promise<Verification>;
  /** How much is to be done now. */
  load(): Load;
}

/** What {@link createPasswords} needs. */
export type PasswordsDeps = {
  random: Random;
  /** How many hashing operations run at once: the number of cores, and of threads in the pool. */
  threads: number;
  /** Measures how long hashing takes. */
  clock: Pick<Clock, 'elapsed'>;
};

/** The caller's networks, and the account or name whose password it is. */
export const requesterOf = ({ ipAddress }: Pick<Origin, 'ipAddress'>, subject?: string): Requester =>
  [...(ipAddress === null ? [] : networksOf(ipAddress)), subject].filter((key) => key !== undefined);

const saltLength = 16;
const noiseLength = 48;
const noMatch: Verification = { matches: false, outdated: false };

/** Makes the one {@link Passwords} of a process: its queue is the bound on all hashing. */
export function createPasswords({ random, threads, clock }: PasswordsDeps): Passwords {
  const queue = createQueue(threads, clock);

  async function check(stored: string | null, password: string): Promise<Verification> {
    const normalized = normalizePassword(password);
    const spellings = [...new Set([normalized, password])];
    const hash = stored === null ? null : usable(stored);

    if (hash !== null) {
      const match = await findMatch(hash, spellings);
      if (match !== null) return { matches: true, outdated: hash.outdated || match !== normalized };
      if (!hash.outdated) return noMatch;
    }
    await findMatch(unknownArgon2Hash(random.bytes(noiseLength)), spellings);
    return noMatch;
  }

  async function hash(password: string, requester?: Requester): Promise<string> {
    if (!isPossiblePassword(password)) throw new RangeError('A password has 1 to 1024 bytes of well-formed UTF-8.');
    return queue.run(() => hashWithArgon2(normalizePassword(password), random.bytes(saltLength)), requester);
  }

  return {
    hash,
    load: queue.load,
    hashRandom: (requester) => hash(random.bytes(32).toString('base64url'), requester),
    async verify(stored, password, requester) {
      return isPossiblePassword(password) ? queue.run(() => check(stored, password), requester) : noMatch;
    },
  };
}

function usable(stored: string): PasswordHash | null {
  const hash = readHash(stored);
  return 'refused' in hash ? null : hash;
}

/** Other systems may have hashed a password as it was typed, without normalizing it: so both spellings are tried. */
async function findMatch(hash: PasswordHash, spellings: readonly string[]): Promise<string | null> {
  for (const spelling of spellings) {
    if (await hash.matches(spelling)) return spelling;
  }
  return null;
}
