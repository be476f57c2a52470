// The random moments of faults.
import { createRandomNumbers, seedOf } from '../support/random-numbers.ts';

/** The seed of all random moments of this run: a run with the same seed draws the same ones. */
const seed = Number(process.env.LATCHKEY_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Returns numbers from 0 to 1, the same for the same seed and name; prints the seed. */
export function createChance(name: string): () => number {
  process.stdout.write(`the random moments of ${name}: LATCHKEY_FAULTS_SEED=${seed}\n`);
  return createRandomNumbers(seedOf(seed, name));
}
