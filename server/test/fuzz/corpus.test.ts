// The corpus: every input that was found or kept still passes, and so do some hundred changes of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandomNumbers, seedOf } from '../support/random-numbers.ts';
import { isLong, often } from '../support/scale.ts';
import { formatLine, loadTarget, readCorpus, targetNames } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { fuzz } from './fuzzer.ts';

const RUNS = often(200, 50_000);

/** The same inputs in each short run, and others in a long one. */
const seed = Number(process.env.LATCHKEY_FUZZ_SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 20_261_123));

process.stdout.write(`what is random: LATCHKEY_FUZZ_SEED=${seed}\n`);
const coverage = startCoverage();

describe('fuzzing', () => {
  for (const name of targetNames) {
    it(`finds nothing in ${name}, from what was found and kept before`, async () => {
      const target = await loadTarget(name);
      const known = readCorpus(name);
      const random = createRandomNumbers(seedOf(seed, name));
      const goesOn = (runs: number) => runs < known.length + RUNS;
      const { runs, reached, findings } = await fuzz(target, known, { coverage, random, goesOn });
      const found = findings.map(({ problem, input }) => `${problem}: ${formatLine(input)}`);
      assert.deepEqual(found, []);
      assert.equal(target.name, name);
      assert.ok(runs > RUNS && reached > 10 && known.length > 0, `${runs} runs, ${reached} branches`);
    });
  }
});
