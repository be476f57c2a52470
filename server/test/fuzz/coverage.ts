// Coverage: instruments the sources that are loaded from now on, and says which branches an input reached.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPARE, COUNT, instrument } from './instrument.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MAX_BRANCHES = 65_536;
const MAX_COMPARISONS = 64;

/** Libraries that read what callers send. Their branches count as ours. */
const libraries = [
  ...['@simplewebauthn/server', '@levischuck/tiny-cbor', '@rgrove/parse-xml', 'ipaddr.js', 'papaparse', 'typebox'],
  ...['libphonenumber-js', 'jose', '@streamparser/json'],
];
const measured = new RegExp(
  `^(server/src|sdk/src|web/src|user-files/src|server/test/fuzz/planted)\\b|node_modules/(${libraries.join('|')})/`,
);

/** Two values that an input was compared with. */
export type Comparison = readonly [string, string];

export interface Coverage {
  /** Forgets what ran. Returns a function that says what has run since. */
  begin(): () => {
    /** How many branches ran in all: it does not depend on the machine. */
    readonly steps: number;
    /** Numbers of what ran: a branch, and roughly how often. */
    readonly features: readonly number[];
    readonly comparisons: readonly Comparison[];
  };
  /** How many branches the loaded sources have. */
  branches(): number;
  /** Short texts of the sources that were loaded. */
  words(): readonly string[];
}

/** A branch of a comparison stands for how many characters its two values have in common at their start. */
const MOST_COMMON = 7;

/** Loops count as different when they run 1, 2, 3, 4, 8, 16, 32 or 128 times: as in AFL (Zalewski). */
const bucketOf = (count: number) => (count < 4 ? count - 1 : Math.min(7, 1 + Math.floor(Math.log2(count))));
export const FEATURES_OF_BRANCH = 8;

declare global {
  var __fuzzCount: (index: number) => void;
  var __fuzzCompare: (index: number, left: unknown, right: unknown) => boolean;
}

const isComparable = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.length > 0 && value.length <= 100) || Number.isSafeInteger(value);

function countCommon(left: string, right: string): number {
  let count = 0;
  while (count < MOST_COMMON && count < left.length && left[count] === right[count]) count += 1;
  return count;
}

/** Starts to instrument. Import what is to be measured after it. Sources that are loaded already stay as they are. */
export function startCoverage(): Coverage {
  const counters = new Uint32Array(MAX_BRANCHES);
  /** Whose counts are not zero: most branches do not run. */
  const ran: number[] = [];
  /** One bit for each number of characters that a comparison found in common. */
  const common = new Uint8Array(MAX_BRANCHES);
  const words = new Set<string>();
  let comparisons: Comparison[] = [];
  let used = 0;
  globalThis[COUNT] = (index) => {
    const count = counters[index] ?? 0;
    if (count === 0) ran.push(index);
    counters[index] = count + 1;
  };
  globalThis[COMPARE] = (index, left, right) => {
    if (left === right) return true;
    if (isComparable(left) && isComparable(right)) {
      const pair = [String(left), String(right)] as const;
      if (common[index] === 0) ran.push(index);
      common[index] = (common[index] ?? 0) | (1 << countCommon(...pair));
      if (comparisons.length < MAX_COMPARISONS) comparisons.push(pair);
    }
    return false;
  };
  registerHooks({
    load(url, context, next) {
      const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      if (!measured.test(path) || !/\.[cm]?[jt]s$/.test(path)) return next(url, context);
      const { text, branches, words: found } = instrument(path, readFileSync(fileURLToPath(url), 'utf8'), used);
      used += branches;
      if (used > MAX_BRANCHES) throw new Error('The sources have too many branches: raise MAX_BRANCHES.');
      if (!path.includes('node_modules')) for (const word of found) words.add(word);
      const { format } = next(url, context);
      return { format, source: text, shortCircuit: true };
    },
  });
  return {
    begin() {
      for (const index of ran) counters[index] = common[index] = 0;
      ran.length = 0;
      comparisons = [];
      return () => {
        const features: number[] = [];
        let steps = 0;
        for (const branch of ran) {
          const count = counters[branch] ?? 0;
          const first = branch * FEATURES_OF_BRANCH;
          steps += count;
          if (count > 0) features.push(first + bucketOf(count));
          for (let bits = common[branch] ?? 0, bit = 0; bits >> bit > 0; bit += 1) {
            if ((bits >> bit) & 1) features.push(first + bit);
          }
        }
        return { steps, features, comparisons };
      };
    },
    branches: () => used,
    words: () => [...words],
  };
}
