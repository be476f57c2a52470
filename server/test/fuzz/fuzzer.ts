// The fuzzer: changes known inputs of a target, and keeps those that reach new branches (as AFL and libFuzzer do).
import { type Comparison, type Coverage, FEATURES_OF_BRANCH } from './coverage.ts';
import { mutate } from './mutate.ts';
import type { Target } from './target.ts';
import { tryInput } from './trial.ts';

export type Finding = { readonly problem: string; readonly input: Buffer };

export type Report = {
  readonly runs: number;
  /** How many branches some input reached. */
  readonly reached: number;
  /** How many inputs reached something new. */
  readonly kept: number;
  /** Of these, short ones that reach all branches together. */
  readonly cover: readonly Buffer[];
  readonly findings: readonly Finding[];
};

type Entry = {
  readonly input: Buffer;
  readonly features: readonly number[];
  readonly comparisons: readonly Comparison[];
};

/** Each of so many runs is made twice, and the answers compared. Runs that reach something new always are. */
const COMPARE_EACH = 32;

/** Inputs that reached nothing new. Some wait here for further changes: regular expressions have no branches that count. */
const RECENT = 64;

/** Most inputs are at most so long, in bytes. */
const USUAL_BYTES = 1024;

/** A few are longer: what takes the square of their length is slow then. */
const LONGEST_BYTES = 16_384;
const LONG_SHARE = 0.02;

/** How often an input of a finding is tried in shorter forms: one that takes long would keep the fuzzer busy for hours. */
const SHRINK_TRIES = 2000;

/** More findings of one target say nothing new. */
const MAX_FINDINGS = 20;

const branchOf = (feature: number) => Math.floor(feature / FEATURES_OF_BRANCH);

/** Returns inputs that reach all branches together, the shortest first. */
function findCover(corpus: readonly Entry[]): Buffer[] {
  const reached = new Set<number>();
  const byLength = corpus.toSorted((a, b) => a.input.length - b.input.length);
  return byLength.flatMap(({ input, features }) => {
    const before = reached.size;
    for (const feature of features) reached.add(branchOf(feature));
    return reached.size > before ? [input] : [];
  });
}

export type FuzzOptions = {
  readonly coverage: Coverage;
  /** Draws all that is random, as numbers from 0 to 1. */
  readonly random: () => number;
  /** Says whether to go on after so many runs and findings. */
  readonly goesOn: (runs: number, findings: number) => boolean;
};

/** Fuzzes a target. @param known the inputs to begin with. */
export async function fuzz(
  target: Target,
  known: readonly Buffer[],
  { coverage, random, goesOn }: FuzzOptions,
): Promise<Report> {
  const longest = target.maxBytes ?? LONGEST_BYTES;
  const seen = new Set<number>();
  const corpus: Entry[] = [];
  const recent: Entry[] = [];
  const findings = new Map<string, Buffer>();
  let runs = 0;

  async function take(input: Buffer) {
    runs += 1;
    const trial = await tryInput(target, input, coverage, runs % COMPARE_EACH === 0);
    if (trial.problem !== undefined) {
      if (!findings.has(trial.problem)) findings.set(trial.problem, await shrink(input, trial.problem));
      return trial;
    }
    const before = seen.size;
    for (const feature of trial.features) seen.add(feature);
    if (seen.size === before) return trial;
    const { problem } = await tryInput(target, input, coverage, true);
    // A long input of the corpus would make all others long.
    if (problem === undefined && input.length > USUAL_BYTES) return trial;
    if (problem === undefined) corpus.push({ input, ...trial });
    else if (!findings.has(problem)) findings.set(problem, await shrink(input, problem));
    return trial;
  }

  /** Mostly one of the newest inputs that reached something new: they are the farthest. */
  function choose(): Entry {
    const other = recent[Math.floor(4 * RECENT * random())];
    const index = corpus.length - 1 - Math.floor(corpus.length * random() ** 2);
    return other ?? corpus[index] ?? { input: Buffer.alloc(0), features: [], comparisons: [] };
  }

  /** Returns a shorter input with the same problem. */
  async function shrink(input: Buffer, problem: string): Promise<Buffer> {
    let shortest = input;
    let tries = 0;
    for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < shortest.length && tries < SHRINK_TRIES; tries += 1) {
        const shorter = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + size)]);
        if ((await tryInput(target, shorter, coverage, true)).problem === problem) shortest = shorter;
        else at += size;
      }
    }
    return shortest;
  }

  const words = [...(target.words ?? []), ...coverage.words()];
  for (const input of [Buffer.alloc(0), ...known]) await take(input);
  while (findings.size < MAX_FINDINGS && goesOn(runs, findings.size)) {
    const { input, comparisons } = choose();
    const others = corpus.map((entry) => entry.input);
    const maxBytes = random() < LONG_SHARE ? longest : Math.min(longest, USUAL_BYTES);
    const changed = mutate(input, { random, words, others, comparisons, maxBytes });
    recent[Math.floor(RECENT * random())] = { input: changed, ...(await take(changed)) };
  }
  return {
    runs,
    reached: new Set([...seen].map(branchOf)).size,
    kept: corpus.length,
    cover: findCover(corpus),
    findings: [...findings].map(([problem, input]) => ({ problem, input })),
  };
}
