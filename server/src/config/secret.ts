// The environment's secrets: how long they must be, and how hard to guess.
import { EnvironmentError } from './environment-error.ts';

/** Different characters of a secret whose bits need no estimate: random hexadecimal has no more than these. */
const ENOUGH_DIFFERENT = 16;

/** Bits of any other secret, by estimate. */
const ENOUGH_BITS = 128;

/** A hexadecimal text with so many different digits counts 4 bits a digit; of 32 random digits all but one text in 10^4 have them. */
const DIGITS_OF_RANDOM_HEX = 10;

/**
 * The text, or nothing when it is empty. It must have 16 different characters, or 128 bits by estimate: its length times
 * the Shannon entropy of its characters; 4 bits for each digit of hexadecimal text with ten different digits.
 * @throws EnvironmentError
 */
export function readSecret(name: string, text: string | undefined, minLength: number): string | undefined {
  if (text === undefined || text === '') return undefined;
  const problem = findProblem(text.trim(), minLength);
  if (problem === undefined) return text;
  throw new EnvironmentError(name, `${problem}; make one with: openssl rand -base64 32`);
}

function findProblem(secret: string, minLength: number): string | undefined {
  if (secret.length < minLength) return `must have at least ${minLength} characters`;
  const counts = Object.values(Object.groupBy(secret, (character) => character)).map((found = []) => found.length);
  const isRandomHex = /^[0-9a-f]+$/i.test(secret) && counts.length >= DIGITS_OF_RANDOM_HEX;
  const bits = isRandomHex ? 4 * secret.length : estimateBits(counts);
  if (counts.length >= ENOUGH_DIFFERENT || bits >= ENOUGH_BITS) return undefined;
  return `is too easy to guess: it must have ${ENOUGH_DIFFERENT} different characters, or ${ENOUGH_BITS} bits by estimate`;
}

/** @param counts how often each character occurs. */
function estimateBits(counts: readonly number[]): number {
  const length = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((bits, count) => bits + count * Math.log2(length / count), 0);
}
