// Random numbers that a seed repeats, for tests that draw moments or inputs.

/** Returns a function that draws numbers from 0 to 1, the same for the same seed. */
export function createRandomNumbers(seed: number): () => number {
  let state = seed | 0;
  // A counter with mixed bits, as in splitmix (Steele, Lea and Flood, 2014).
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Returns the seed that a base and a name make. */
export const seedOf = (base: number, name: string): number =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, base);
