// Lookups in memory: for files of a bounded size.
import type { Values } from './entry.ts';
import type { Lookups } from './format.ts';

export function createLookups(): Lookups {
  const tables = new Map<string, Map<string, Values[]>>();
  return {
    add(table, key, values) {
      const rows = tables.get(table) ?? new Map<string, Values[]>();
      tables.set(table, rows);
      const found = rows.get(key);
      if (found) found.push(values);
      else rows.set(key, [values]);
    },
    find: (table, key) => tables.get(table)?.get(key) ?? [],
  };
}
