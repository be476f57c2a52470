// The mutation check: breaks critical slices in one small place at a time, and requires that a test fails.
// With names of slices as arguments it checks only these, and keeps the page's sections of the others.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../layout.mjs';
import { type Explanation, explains, findExplanations } from './explanations.ts';
import { findMutants, type Mutant } from './mutants.ts';
import { describe, type Outcome, toPage } from './report.ts';
import { createWorker, type Worker } from './run.ts';
import { slices } from './slices.ts';

const WORKERS = 2;

/** A test file that has not ended in so many milliseconds as it is says nothing of mutants. */
const LIMIT_MS = 600_000;

const PAGE = join(root, 'docs/reference/mutation.md');

/** The test files of a slice, each with the milliseconds that it takes as it is. */
type Times = ReadonlyMap<string, number>;

type Task = {
  readonly slice: string;
  readonly source: string;
  readonly mutant: Mutant;
  readonly times: Times;
  readonly explanation: Explanation | undefined;
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Times the test files of a slice. @throws Error if one fails as it is. */
async function measure(slice: string, worker: Worker): Promise<Times> {
  const times = new Map<string, number>();
  for (const test of slices[slice]?.tests ?? []) {
    const start = performance.now();
    if (!(await worker.passes(test, { limitMs: LIMIT_MS }))) throw new Error(`${test} does not pass as it is.`);
    times.set(test, performance.now() - start);
  }
  return times;
}

/** Returns the mutants of the chosen slices, and the explanations in their sources. */
function readSources(measured: ReadonlyMap<string, Times>) {
  const explanations: Explanation[] = [];
  const tasks = [...measured].flatMap(([slice, times]) =>
    (slices[slice]?.sources ?? []).flatMap((source) => {
      const text = readFileSync(join(root, source), 'utf8');
      const own = findExplanations(source, text);
      explanations.push(...own);
      return findMutants(source, text).map((mutant): Task => {
        const explanation = own.find((one) => explains(one, mutant));
        return { slice, source, mutant, times, explanation };
      });
    }),
  );
  return { tasks, explanations };
}

/** Returns the test that fails with a mutant. The fastest have their turn first, sooner if they found the last one in this source. */
async function findFailing(
  { source, mutant, times }: Task,
  worker: Worker,
  last?: string,
): Promise<string | undefined> {
  const cost = (test: string) => (times.get(test) ?? 0) / (test === last ? 3 : 1);
  for (const test of [...times.keys()].sort((one, other) => cost(one) - cost(other))) {
    const limitMs = 20_000 + Math.round(3 * (times.get(test) ?? 0));
    if (!(await worker.passes(test, { limitMs, fault: { source, mutant } }))) return test;
  }
  return undefined;
}

/** Tests the mutants in the order in which they were found. Each worker takes the next one when it is free. */
async function judge(tasks: readonly Task[], workers: readonly Worker[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...tasks.entries()];
  const found = new Map<string, string>();
  const work = async (worker: Worker) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, task] = next;
      const { slice, source, mutant, explanation } = task;
      const isKilled = async () => {
        const test = await findFailing(task, worker, found.get(source));
        if (test) found.set(source, test);
        return test !== undefined;
      };
      // An explained mutant must be killed twice: the first time, the machine may have been too busy.
      const isDead = (await isKilled()) && (!explanation || (await isKilled()));
      const end = isDead ? 'killed' : explanation ? 'explained' : 'survived';
      const outcome = {
        slice,
        source,
        mutant,
        end,
        ...(end === 'explained' && explanation && { explanation }),
      } as const;
      outcomes[index] = outcome;
      if (end === 'survived') say(`survived: ${describe(outcome)}`);
      if ((tasks.length - waiting.length) % 50 === 0) say(`${tasks.length - waiting.length} of ${tasks.length} begun`);
    }
  };
  // Wait for all workers before their copies are removed, also if one fails.
  const failed = (await Promise.allSettled(workers.map(work))).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes;
}

async function main(args: readonly string[]) {
  const unknown = args.filter((name) => !(name in slices));
  if (unknown.length > 0)
    throw new Error(`There is no slice ${unknown.join(', ')}: ${Object.keys(slices).join(', ')}.`);
  const chosen = args.length > 0 ? args : Object.keys(slices);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => createWorker(root, stopping.signal)));
  try {
    const [first] = workers;
    const measured = new Map<string, Times>();
    if (first) for (const slice of chosen) measured.set(slice, await measure(slice, first));
    const { tasks, explanations } = readSources(measured);
    const outcomes = await judge(tasks, workers);
    const survivors = outcomes.filter(({ end }) => end === 'survived');
    const used = new Set(outcomes.map(({ explanation }) => explanation));
    const stale = explanations.filter((one) => !used.has(one));
    const earlier = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
    writeFileSync(PAGE, toPage(Object.keys(slices), outcomes, earlier));
    for (const { source, line, was, becomes } of stale) {
      say(`explained, but killed or gone: ${source}:${line}: ${was} becomes ${becomes}`);
    }
    say(`${outcomes.length} mutants, ${survivors.length} survived, ${stale.length} explanations to remove`);
    if (survivors.length + stale.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

await main(process.argv.slice(2));
