// The environment's secrets: their minimum length and strength.
import { EnvironmentError } from './environment-error.ts';
import { readSecretText, type Variables } from './variables.ts';

/** A secret with this many different characters is accepted without an estimate. Hexadecimal text cannot have more. */
const ENOUGH_DIFFERENT = 16;

/** The estimated bits that any other secret needs. */
const ENOUGH_BITS = 128;

/** Hexadecimal text with this many different digits counts as random. Of random texts of 32 digits, 1 in 10^4 has fewer. */
const DIGITS_OF_RANDOM_HEX = 10;

/**
 * Returns the variable, or `undefined` if it is empty. It must have 16 different characters or 128 estimated bits. The
 * estimate is the length times the Shannon entropy of the characters. Random hexadecimal text counts 4 bits per digit.
 * @throws EnvironmentError
 */
export function readSecret(name: string, variables: Variables, minLength: number): string | undefined {
  const text = readSecretText(variables, name);
  if (text === undefined || text === '') return undefined;
  const problem = findProblem(text.trim(), minLength);
  if (problem === undefined) return text;
  throw new EnvironmentError(name, `${problem}; generate one with: openssl rand -base64 32`);
}

function findProblem(secret: string, minLength: number): string | undefined {
  if (secret.length < minLength) return `must have at least ${minLength} characters`;
  const counts = Object.values(Object.groupBy(secret, (character) => character)).map((found = []) => found.length);
  const isRandomHex = /^[0-9a-f]+$/i.test(secret) && counts.length >= DIGITS_OF_RANDOM_HEX;
  const bits = isRandomHex ? 4 * secret.length : estimateBits(counts);
  if (counts.length >= ENOUGH_DIFFERENT || bits >= ENOUGH_BITS) return undefined;
  return `is too easy to guess: it must have ${ENOUGH_DIFFERENT} different characters, or ${ENOUGH_BITS} bits by estimate`;
}

/** @param counts the number of occurrences of each character. */
function estimateBits(counts: readonly number[]): number {
  const length = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((bits, count) => bits + count * Math.log2(length / count), 0);
}
