// A bounded map in two generations: it drops expired and least recently kept entries without visiting each entry.
import type { Instant } from './clock.ts';

/** Entries by key, each with its own expiry. When the map is full, the least recently kept entries are dropped first. */
export interface Recent<Entry> {
  get(key: string): Entry | undefined;
  /** Keeps `entry` under `key` until at least `until`, unless the map is full before. */
  keep(key: string, entry: Entry, until: Instant, now: Instant): void;
  forget(key: string): void;
  /** Drops the generations whose entries have all expired. @returns the number of entries dropped. */
  sweep(now: Instant): number;
}

type Generation<Entry> = { readonly entries: Map<string, Entry>; until: number };

const createGeneration = <Entry>(): Generation<Entry> => ({ entries: new Map(), until: 0 });

/** @param capacity the maximum number of entries. When the map is full, it drops up to half of them at once. */
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
