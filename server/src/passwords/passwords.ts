// Password hashing: hashes and verifies off the main thread, with a bound on concurrent work.
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { networksOf } from '../foundation/networks.ts';
import type { Random } from '../foundation/random.ts';
import { hashWithArgon2, OWASP_HASH_COST, readArgon2, unknownArgon2Hash } from './argon2.ts';
import type { HashCost, PasswordHash, RefusedHash } from './hash.ts';
import { isPossiblePassword, normalizePassword } from './password.ts';
import { createQueue, type Load, type Requester } from './queue.ts';

/** The result of a password check. `outdated` is true only with `matches`: then store a new hash. */
export type Verification = { matches: boolean; outdated: boolean };

/** The password that was right. `upgradedHash` replaces a stored hash that is weaker than today's. */
export type VerifiedPassword = { passwordVersion: number; upgradedHash: string | undefined };

/**
 * Hashes and verifies passwords.
 * @throws AuthError `service.unavailable` when the queue, or the caller's share of it, is full.
 */
export interface Passwords {
  /**
   * Returns the hash to store: a PHC string (argon2id with the cost of {@link PasswordsDeps}, p=1, and a new salt).
   * @throws RangeError when `isPossiblePassword` is false. Check new passwords with `findBrokenRules` first.
   */
  hash(password: string, requester?: Requester): Promise<string>;
  /** Returns the hash of a random password of 256 bits, and discards that password. */
  hashRandom(requester?: Requester): Promise<string>;
  /**
   * Verifies a password against a stored hash. Without a hash (unknown account, or no password set), or with a corrupt one,
   * it does the same work as for one of the service's own hashes and then reports no match. So the response time does not
   * let attackers enumerate accounts. A wrong password for an imported hash costs that work in addition to the hash's own;
   * a hash that costs more than the service's own is noticeable until it is upgraded.
   */
  verify(stored: string | null, password: string, requester?: Requester): Promise<Verification>;
  /**
   * Compares a password with an account's credential. Without one (unknown account) it takes the same time.
   * @returns `undefined` when the password is wrong.
   */
  compare(
    credential: { hash: string | null; version: number } | undefined,
    password: string,
    requester?: Requester,
  ): Promise<VerifiedPassword | undefined>;
  /** Returns how many operations run and wait. */
  load(): Load;
}

/** What {@link createPasswords} needs. */
export type PasswordsDeps = {
  random: Random;
  /** How many operations run at once: one more than cores, and one less than threads in the pool. */
  threads: number;
  /** The cost of new hashes: {@link OWASP_HASH_COST}, except in tests. */
  cost?: HashCost | undefined;
  /** Measures how long hashing takes, and bounds how long a result waits for others. */
  clock: Pick<Clock, 'elapsed' | 'sleep'>;
};

/** Returns the keys under which the queue counts work: the caller's networks, and the account or name. */
export const requesterOf = ({ ipAddress }: Pick<Origin, 'ipAddress'>, subject?: string): Requester =>
  [...(ipAddress === null ? [] : networksOf(ipAddress)), subject].filter((key) => key !== undefined);

const saltLength = 16;
const noiseLength = 48;

/** Hashes that take more memory are verified one at a time, so that many sign-ins at once do not take all of it. */
// Mutation: `65_536` becomes `65537`. One KiB more makes no difference to the memory of a machine.
const LARGE_KIB = 65_536;

const noMatch: Verification = { matches: false, outdated: false };

/** Creates the {@link Passwords} of a process. Its queues bound the hashing. */
export function createPasswords({ random, threads, cost = OWASP_HASH_COST, clock }: PasswordsDeps): Passwords {
  const queue = createQueue(threads, clock);
  // Outdated hashes may be far slower than the service's own, and leave these a thread. They wait here for their place in the queue.
  const outdated = createQueue(Math.max(1, threads - 1), clock);
  const large = createQueue(1, clock);

  async function check(hash: PasswordHash | null, password: string): Promise<Verification> {
    const normalized = normalizePassword(password);
    const spellings = [...new Set([normalized, password])];

    if (hash !== null) {
      const match = await findMatch(hash, spellings);
      if (match !== null) return { matches: true, outdated: hash.outdated || match !== normalized };
      if (!hash.outdated) return noMatch;
    }
    await findMatch(unknownArgon2Hash(random.bytes(noiseLength), cost), spellings);
    return noMatch;
  }

  async function hash(password: string, requester?: Requester): Promise<string> {
    if (!isPossiblePassword(password)) throw new RangeError('A password has 1 to 1024 bytes of well-formed UTF-8.');
    return queue.run(() => hashWithArgon2(normalizePassword(password), random.bytes(saltLength), cost), requester);
  }

  async function verify(stored: string | null, password: string, requester?: Requester): Promise<Verification> {
    if (!isPossiblePassword(password)) return noMatch;
    const hash = stored === null ? null : await readUsableHash(stored, cost);
    const inQueue = () => queue.run(() => check(hash, password), requester);
    const amongOutdated = () => (hash?.outdated ? outdated.run(inQueue, requester) : inQueue());
    return hash !== null && hash.memoryKib > LARGE_KIB ? large.run(amongOutdated, requester) : amongOutdated();
  }

  return {
    hash,
    load: () => ({
      running: queue.load().running,
      waiting: [queue, outdated, large].reduce((sum, { load }) => sum + load().waiting, 0),
    }),
    // Mutation: `32` becomes `33`. One more random byte.
    hashRandom: (requester) => hash(random.bytes(32).toString('base64url'), requester),
    verify,
    async compare(credential, password, requester) {
      const { matches, outdated } = await verify(credential?.hash ?? null, password, requester);
      if (!credential || !matches) return undefined;
      const upgradedHash = outdated ? await hash(password, requester) : undefined;
      return { passwordVersion: credential.version, upgradedHash };
    },
  };
}

/** Reads a stored hash of any known format. Never throws. @param own see {@link HashReader}. */
export async function readHash(stored: string, own = OWASP_HASH_COST): Promise<PasswordHash | RefusedHash> {
  return readArgon2(stored, own) ?? (await loadForeignHashes()).readForeignHash(stored);
}

/** Loads the hashes of other systems, when the first one appears. */
export const loadForeignHashes = () => import('./foreign-hashes.ts');

async function readUsableHash(stored: string, cost: HashCost): Promise<PasswordHash | null> {
  const hash = await readHash(stored, cost);
  return 'refused' in hash ? null : hash;
}

/** Tries both spellings, because other systems may have hashed passwords without normalizing them. */
async function findMatch(hash: PasswordHash, spellings: readonly string[]): Promise<string | null> {
  for (const spelling of spellings) {
    if (await hash.matches(spelling)) return spelling;
  }
  return null;
}
