// Fuzzes the parsers that face callers: `npm run test:fuzz -- [TARGET [SECONDS]] [--keep]`. Prints what it reached and found.
import { setPriority } from 'node:os';
import { createRandomNumbers, seedOf } from '../support/random-numbers.ts';
import { addToCorpus, formatLine, loadTarget, readCorpus, targetNames } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { fuzz } from './fuzzer.ts';

const SECONDS = 60;
const LOWEST_PRIORITY = 10;

/** Inputs that `--keep` adds to the corpus are at most so long, so that the corpus stays small. */
const MAX_KEPT_BYTES = 400;

const say = (line: string) => process.stdout.write(`${line}\n`);

const args = process.argv.slice(2);
const keeps = args.includes('--keep');
const [chosen, seconds = SECONDS] = args.filter((arg) => arg !== '--keep');
if (chosen !== undefined && !targetNames.includes(chosen)) {
  say(`There is no target ${chosen}. Name one of these: ${targetNames.join(', ')}.`);
  process.exit(1);
}
if (!(Number(seconds) > 0)) {
  say('Give the time as seconds: npm run test:fuzz -- token 60');
  process.exit(1);
}
setPriority(LOWEST_PRIORITY);
const seed = Number(process.env.LATCHKEY_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
say(`what is random: LATCHKEY_FUZZ_SEED=${seed}`);
const coverage = startCoverage();
for (const name of chosen === undefined ? targetNames : [chosen]) {
  const target = await loadTarget(name);
  const known = readCorpus(name);
  const deadline = performance.now() + Number(seconds) * 1000;
  const random = createRandomNumbers(seedOf(seed, name));
  const report = await fuzz(target, known, { coverage, random, goesOn: () => performance.now() < deadline });
  const { runs, reached, kept, cover, findings } = report;
  say(`${name}: ${runs} runs, ${reached} branches, ${kept} inputs, ${findings.length} findings`);
  for (const { problem, input } of findings) say(`  ${problem}\n    ${formatLine(input)}`);
  const added = keeps ? cover.filter(({ length }) => length <= MAX_KEPT_BYTES) : [];
  addToCorpus(name, [...added, ...findings.map(({ input }) => input)]);
  if (findings.length > 0) {
    say(
      `  Fix what is found. The inputs are in server/test/fuzz/corpus/${name}.jsonl, where the tests try them again.`,
    );
    process.exitCode = 1;
  }
}
