// How much is tried: each fault once within `npm test`, hundreds of times by `npm run test:faults`; and at which moments.

/** Whether this is the long form. */
export const isLong = process.env.LATCHKEY_TEST_LONG === '1';

/** Says how often, in the short form and in the long one. */
export const often = (short: number, long: number) => (isLong ? long : short);

/** Of all moments in this run: a run with the same seed draws the same ones. */
const seed = Number(process.env.LATCHKEY_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers from 0 to 1, the same for the same seed and name; says which seed that was. */
export function createChance(name: string): () => number {
  process.stdout.write(`the random moments of ${name}: LATCHKEY_FAULTS_SEED=${seed}\n`);
  let state = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, seed);
  // A counter whose bits are mixed, as in splitmix (Steele, Lea and Flood, 2014).
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
