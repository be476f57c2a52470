// Stored password hashes: what every format we can verify offers, and the limits on what one may cost.

/** A stored hash that has been read and can be checked. */
export type PasswordHash = {
  /** Such as `argon2id`, `bcrypt`, `aspnet-identity-v3`. */
  readonly format: string;
  /** Should it be replaced at the next occasion: another format than our own, or weaker parameters? */
  readonly outdated: boolean;
  /** Was it made of exactly this text (as UTF-8)? Compares in constant time; works off the main thread. */
  matches(password: string): Promise<boolean>;
};

/** Why a stored hash is not accepted: one sentence, without any part of the hash. */
export type RefusedHash = { readonly refused: string };

/** Reads one family of formats: null if the text is of none of them. Never throws. */
export type HashReader = (stored: string) => PasswordHash | RefusedHash | null;

/** The refusal of a hash that announces a format without keeping to it. */
export const malformed = (format: string): RefusedHash => ({
  refused: `The hash is not a well-formed ${format} hash.`,
});

/**
 * The refusal of a hash that would take more than about a second to check: whoever can import accounts must not be able to
 * stop sign-in for all (CWE-400).
 */
export const tooCostly = (format: string, limit: string): RefusedHash => ({
  refused: `The ${format} hash would cost too much to verify: ${limit}.`,
});
