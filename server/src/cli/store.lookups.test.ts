// The store of what belongs to the users of an import: its file is none of the database.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** Fills a store until its file cannot grow, and prints what the command would say. */
const FILL = `
  const { createLookupStore } = await import(${JSON.stringify(import.meta.resolve('./store.lookups.ts'))});
  const { explain } = await import(${JSON.stringify(import.meta.resolve('./failures.ts'))});
  const store = createLookupStore();
  try {
    for (let index = 0; index < 100_000; index += 1) store.add('hash', String(index), { hash: 'x'.repeat(100) });
  } catch (error) {
    console.log(await explain(error));
  }`;

describe('the store of what belongs to users', () => {
  it('names TMPDIR if its file cannot grow', () => {
    const words = ['-c', 'ulimit -f 64 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', FILL];
    const told = execFileSync('sh', words, { encoding: 'utf8' });
    assert.match(told, /^Cannot keep .* in a temporary file \(disk I\/O error\): set TMPDIR to a folder /);
  });
});
