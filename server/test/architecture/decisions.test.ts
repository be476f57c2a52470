// The decisions: each has a number of its own, which its heading repeats, and a place in the index.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const folder = join(import.meta.dirname, '../../../docs/decisions');
const files = readdirSync(folder).filter((name) => /^\d/.test(name));

it('Each decision has a number of its own', () => {
  const numbers = files.map((name) => Number(name.slice(0, 4)));
  assert.ok(files.length > 40);
  assert.deepEqual(
    numbers.filter((number, at) => numbers.indexOf(number) !== at),
    [],
  );
  for (const [at, name] of files.entries()) {
    assert.ok(readFileSync(join(folder, name), 'utf8').startsWith(`# ${numbers[at]}. `), name);
  }
});

it('The index lists each decision once', () => {
  const index = readFileSync(join(folder, 'README.md'), 'utf8');
  const listed = [...index.matchAll(/^- \[.*\]\((.*)\)/gm)].map(([, file]) => file);
  assert.deepEqual(listed.toSorted(), files.toSorted());
});
