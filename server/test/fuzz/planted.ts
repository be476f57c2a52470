// Planted faults: a parser with one fault of each kind, to prove that the fuzzer finds them.
import type { Target } from './target.ts';

let calls = 0;

const faults: Record<string, (text: string) => unknown> = {
  /** Behind a comparison and a number that no chance finds. */
  hidden(text) {
    const [key, value] = text.split('=');
    if (key === 'a-long-secret-name' && Number(value) === 73_019) throw new TypeError('It broke.');
    return key;
  },
  /** Behind branches of which each is one step. */
  deep(text) {
    if (text[0] === '{')
      if (text[1] === '"') if (text[2] === '}') if (text[3] === '!') throw new RangeError('It broke.');
    return text.length;
  },
  /** Work that grows with the square of the length. */
  quadratic(text) {
    let pairs = 0;
    for (const one of text) for (const other of text) if (one === other) pairs += 1;
    return pairs;
  },
  /** A regular expression that takes exponential time, and counts no branches. Often enough that fast machines notice. */
  backtracking: (text) => Array.from({ length: 40 }, () => /^(?:\w+\s?)+$/.test(text.slice(0, 22))),
  /** An answer that depends on former calls. */
  changing(text) {
    calls += 1;
    return text.includes('z') ? calls : text;
  },
  /** The input of the caller, changed. */
  sound: (text) => text.toUpperCase(),
};

/** The target for each planted fault, and one that is sound. */
export const planted: Readonly<Record<string, Target>> = Object.fromEntries(
  Object.entries(faults).map(([name, check]) => [name, { name, check: (input) => check(input.toString()) }]),
);
