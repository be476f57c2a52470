// Stored password hashes: the interface that every format implements, and the refusals of hashes.
import { timingSafeEqual } from 'node:crypto';

/** A stored hash that the service can verify. */
export type PasswordHash = {
  /** The name of the format, such as `argon2id`, `bcrypt` or `aspnet-identity-v3`. */
  readonly format: string;
  /** Whether the next sign-in should replace it: its format is not the service's own, or its parameters are weaker. */
  readonly outdated: boolean;
  /** The memory that a check takes, in KiB. Zero if it takes little. */
  readonly memoryKib: number;
  /** Whether it is the hash of exactly this text (as UTF-8). Compares in constant time, off the main thread. */
  matches(password: string): Promise<boolean>;
};

/** Why the service refuses a stored hash: one sentence, without any part of the hash. */
export type RefusedHash = { readonly refused: string };

/** What a hash of the service's own costs to make and to check: memory in KiB, and passes over it. */
export type HashCost = { readonly memoryKib: number; readonly passes: number };

/**
 * Reads one family of formats. Returns null if the text has another format. Never throws.
 * @param own the cost of the service's own hashes. A cheaper hash is outdated.
 */
export type HashReader = (stored: string, own: HashCost) => PasswordHash | RefusedHash | null;

/** A hash of another system. The next sign-in replaces it. */
export const foreignHash = (format: string, matches: PasswordHash['matches'], memoryKib = 0): PasswordHash => ({
  format,
  outdated: true,
  memoryKib,
  matches,
});

/** Refuses a hash that begins like a format but does not follow it. */
export const malformed = (format: string): RefusedHash => ({
  refused: `The hash is not a well-formed "${format}" hash.`,
});

/**
 * Refuses a hash that takes more than some seconds to check. A person who may import accounts must not be able to stop
 * sign-in for everyone (CWE-400).
 */
export const tooCostly = (format: string, limit: string): RefusedHash => ({
  refused: `The "${format}" hash would cost too much to verify: ${limit}.`,
});

/** Refuses a hash that the service cannot verify. @param kind how hashes of its kind begin, or what they are called. */
export const unknownKind = (kind: string): RefusedHash => ({
  refused: `The service cannot verify hashes of the kind "${kind}". Leave the hash out, and let the owner set a new password.`,
});

/** Compares in constant time. Texts and bytes of another length are different. */
export function isEqual(computed: Buffer | string, stored: Buffer | string): boolean {
  const [one, other] = [Buffer.from(computed), Buffer.from(stored)];
  return one.length === other.length && timingSafeEqual(one, other);
}
