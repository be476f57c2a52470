// Passwords that a person reads out and another types once.

/** Letters and digits that are not mistaken for others. 32: each byte gives one without bias. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

const GROUPS = 5;
const GROUP_LENGTH = 4;

/** Returns 20 random letters and digits (100 bits) in groups, with a capital letter, which some password rules ask for. */
export function generatePassword(): string {
  const letters = Array.from(
    crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH)),
    (byte) => ALPHABET[byte % ALPHABET.length],
  ).join('');
  const groups = Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  );
  return `${groups.join('-')}-K2`;
}
