// Fuzzes the parsers that face callers: `npm run test:fuzz -- [TARGET [SECONDS]] [--keep]`. Prints what it reached and found.
import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { createRandomNumbers, seedOf } from '../support/random-numbers.ts';
import { addToCorpus, formatLine, loadTarget, readCorpus, targetNames } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { fuzz } from './fuzzer.ts';
import { startWatch } from './watch.ts';

const SECONDS = '60';
const LOW_PRIORITY = 10;

/** Adds to the corpus what the run has kept. */
const KEEP = '--keep';

/** Longer inputs are not kept, so that the corpus stays small. */
const MAX_KEPT_BYTES = 400;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Fuzzes one target. Returns whether nothing was found. */
async function run(name: string, seconds: number, keeps: boolean): Promise<boolean> {
  const seed = Number(process.env.LATCHKEY_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const coverage = startCoverage();
  const target = await loadTarget(name);
  const watch = startWatch(name);
  const check = (input: Buffer) => {
    watch.begin(input);
    return target.check(input);
  };
  const deadline = performance.now() + seconds * 1000;
  const random = createRandomNumbers(seedOf(seed, name));
  const goesOn = () => performance.now() < deadline;
  const report = await fuzz({ ...target, check }, readCorpus(name), { coverage, random, goesOn });
  await watch.stop();
  const { runs, reached, kept, cover, findings } = report;
  const counts = `${runs} runs, ${reached} places reached, ${kept} inputs, ${findings.length} findings`;
  say(`${name}: ${counts} (LATCHKEY_FUZZ_SEED=${seed})`);
  for (const { problem, input } of findings) say(`  ${problem}\n    ${formatLine(input)}`);
  const added = keeps ? cover.filter(({ length }) => length <= MAX_KEPT_BYTES) : [];
  addToCorpus(name, [...added, ...findings.map(({ input }) => input)]);
  if (findings.length === 0) return true;
  say(`  Fix what was found. The inputs are in server/test/fuzz/corpus/${name}.jsonl, where the tests try them again.`);
  return false;
}

/** Fuzzes all targets one after the other, each in a process of its own: the texts of its sources alone matter to it. */
function runAll(args: readonly string[]): boolean {
  const ends = targetNames.map(
    (name) => spawnSync(process.execPath, [import.meta.filename, name, ...args], { stdio: 'inherit' }).status,
  );
  return ends.every((status) => status === 0);
}

async function main(args: readonly string[]): Promise<boolean> {
  const flags = args.filter((arg) => arg === KEEP);
  const [name, seconds = SECONDS] = args.filter((arg) => arg !== KEEP);
  if (name === undefined) return runAll([seconds, ...flags]);
  if (targetNames.includes(name) && Number(seconds) > 0) return run(name, Number(seconds), flags.length > 0);
  say('Name a target and the seconds: npm run test:fuzz -- token 60');
  say(`The targets are ${targetNames.join(', ')}.`);
  return false;
}

setPriority(LOW_PRIORITY);
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
