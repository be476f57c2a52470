// A trial: gives one input to a target, and judges the answer, the work and the time that it took.
import { isDeepStrictEqual } from 'node:util';
import type { Comparison, Coverage } from './coverage.ts';
import type { Target } from './target.ts';

export type Trial = {
  readonly features: readonly number[];
  readonly comparisons: readonly Comparison[];
  /** What is wrong: the same words for the same fault. */
  readonly problem?: string;
};

/** Branches that may run for any input, and more for each byte: the work grows with the length, and no faster. */
const STEPS = 5000;
const STEPS_PER_BYTE = 60;

/** Processor time of this thread. Regular expressions and the runtime's own functions count no branches. */
const CPU_MICROSECONDS = 20_000;
const CPU_PER_BYTE = 3;

/** The best of so many runs: the first ones are compiled, or interrupted by a collection of garbage. */
const TRIES = 4;

/** Names a fault by its message and place, without the values of the input. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${typeof error}`;
  const place = /\(?([^()\s]*\/(?:server|sdk|web|node_modules)\/[^()\s]+):\d+\)?/.exec(error.stack ?? '')?.[1] ?? '';
  const [first = ''] = error.message.split('\n');
  return `${error.name}: ${first.slice(0, 120)} at ${place.replace(/^.*\/(?=(?:server|sdk|web|node_modules)\/)/, '')}`;
}

/** Runs the target once. */
async function run(target: Target, input: Buffer, coverage: Coverage) {
  // The target cannot change the input of the next run.
  const copy = Buffer.from(input);
  const end = coverage.begin();
  const startedAt = process.threadCpuUsage();
  try {
    let answer = target.check(copy);
    if (answer instanceof Promise) answer = await answer;
    const { user, system } = process.threadCpuUsage(startedAt);
    return { ...end(), answer, cpu: user + system };
  } catch (error) {
    return { ...end(), problem: describe(error), cpu: 0 };
  }
}

/** The processor time that an input may take, in microseconds. */
const cpuLimit = ({ weight = 1 }: Target, { length }: Buffer) => CPU_MICROSECONDS + CPU_PER_BYTE * weight * length;

/** Runs the target again, until it is fast enough or always slow. */
async function isSlow(target: Target, input: Buffer, coverage: Coverage): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if ((await run(target, input, coverage)).cpu <= cpuLimit(target, input)) return false;
  }
  return true;
}

/** @param twice whether to run the target again, and compare the answers. */
export async function tryInput(target: Target, input: Buffer, coverage: Coverage, twice: boolean): Promise<Trial> {
  const { weight = 1 } = target;
  const first = await run(target, input, coverage);
  const { features, comparisons } = first;
  const found = (problem: string): Trial => ({ features, comparisons, problem });
  if ('problem' in first) return found(first.problem);
  if (first.steps > weight * (STEPS + STEPS_PER_BYTE * input.length)) return found('takes too many steps');
  if (first.cpu > cpuLimit(target, input) && (await isSlow(target, input, coverage))) return found('takes too long');
  if (!twice) return { features, comparisons };
  const second = await run(target, input, coverage);
  const isSame = 'answer' in second && isDeepStrictEqual(first.answer, second.answer);
  return isSame ? { features, comparisons } : found('answers equal inputs differently');
}
