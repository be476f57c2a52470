// A bounded memory by key, in two generations, so that what is over or longest untouched is dropped without looking at
// each entry.
import type { Instant } from './clock.ts';

/** Entries that each matter until an instant of their own; the least recently kept ones go first when it is full. */
export interface Recent<Entry> {
  get(key: string): Entry | undefined;
  /** Keeps `entry` under `key`, which matters until `until`. */
  keep(key: string, entry: Entry, until: Instant, now: Instant): void;
  forget(key: string): void;
  /** Drops the generations in which nothing matters any more, and says how many entries that were. */
  sweep(now: Instant): number;
}

type Generation<Entry> = { readonly entries: Map<string, Entry>; until: number };

const createGeneration = <Entry>(): Generation<Entry> => ({ entries: new Map(), until: 0 });

/** @param capacity entries kept at most; when full, up to half of them are dropped at once. */
export function createRecent<Entry>(capacity: number): Recent<Entry> {
  let young = createGeneration<Entry>();
  let old = createGeneration<Entry>();

  return {
    get: (key) => young.entries.get(key) ?? old.entries.get(key),
    keep(key, entry, until, now) {
      if (old.until <= now || (young.entries.size >= capacity / 2 && !young.entries.has(key))) {
        old = young;
        young = createGeneration();
      }
      old.entries.delete(key);
      young.entries.set(key, entry);
      young.until = Math.max(young.until, until);
    },
    forget(key) {
      young.entries.delete(key);
      old.entries.delete(key);
    },
    sweep(now) {
      const before = young.entries.size + old.entries.size;
      if (old.until <= now) old = createGeneration();
      if (young.until <= now) young = createGeneration();
      return before - young.entries.size - old.entries.size;
    },
  };
}
