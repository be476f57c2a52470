// The random moments of faults.

/** The seed of all random moments of this run: a run with the same seed draws the same ones. */
const seed = Number(process.env.LATCHKEY_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Returns numbers from 0 to 1, the same for the same seed and name; prints the seed. */
export function createChance(name: string): () => number {
  process.stdout.write(`the random moments of ${name}: LATCHKEY_FAULTS_SEED=${seed}\n`);
  let state = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed);
  // A counter with mixed bits, as in splitmix (Steele, Lea and Flood, 2014).
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
