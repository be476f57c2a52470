// The session table against a map: the same answers, in a bounded memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSessionTable, isSessionId } from './session-table.ts';

const ids = Array.from({ length: 3000 }, () => crypto.randomUUID());
/** Ids that begin their search in the same slot. */
const colliding = Array.from(
  { length: 50 },
  (_, number) => `${String(number).padStart(8, '0')}-0000-4000-8000-0000ffffffff`,
);

describe('the session table', () => {
  it('answers as a map does', () => {
    const entry = fc.tuple(fc.nat(ids.length + colliding.length - 1), fc.integer({ min: 1, max: 2_147_483_647 }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4000, size: 'max' }), (entries) => {
        const table = createSessionTable(() => 0);
        const map = new Map<string, number>();
        for (const [index, generation] of entries) {
          const id = ids[index] ?? colliding[index - ids.length] ?? '';
          table.add(id, generation, 1);
          map.set(id, Math.max(map.get(id) ?? 0, generation));
        }
        assert.equal(table.size, map.size);
        for (const id of [...ids, ...colliding]) assert.equal(table.generationOf(id), map.get(id) ?? 0);
      }),
      { numRuns: 30 },
    );
  });

  it('has less than 40 bytes a session when it is large', () => {
    const table = createSessionTable(() => 0);
    let largest = 0;
    for (let count = 1; count <= 100_000; count++) {
      table.add(crypto.randomUUID(), 1, 1);
      if (count > 2000) largest = Math.max(largest, table.bytes / count);
    }
    assert.ok(largest < 40, `${largest} bytes`);
  });

  it('gives the memory of entries back that are no longer kept', () => {
    let now = 0;
    const table = createSessionTable(() => now);
    for (let count = 0; count < 50_000; count++) table.add(crypto.randomUUID(), 1, 100);
    table.add(ids[0] ?? '', 3, 200);
    const { bytes } = table;
    now = 99.5;
    table.sweep();
    assert.equal(table.size, 50_001);
    now = 100;
    table.sweep();
    assert.deepEqual([table.size, table.generationOf(ids[0] ?? '')], [1, 3]);
    assert.ok(table.bytes < bytes / 10);
  });

  it('stays as large as what is kept, however many entries come and go', () => {
    let now = 0;
    const table = createSessionTable(() => now);
    let largest = 0;
    for (; now < 500; now++) {
      for (let count = 0; count < 500; count++) table.add(crypto.randomUUID(), 1, now + 10);
      largest = Math.max(largest, table.bytes);
    }
    assert.ok(largest < 5000 * 100, `${largest} bytes for 5000 entries`);
  });

  it('keeps an entry until the latest moment that was given for it', () => {
    let now = 0;
    const table = createSessionTable(() => now);
    const [id = ''] = ids;
    table.add(id, 2, 100);
    table.add(id, 1, 50);
    now = 60;
    for (let count = 0; count < 2000; count++) table.add(crypto.randomUUID(), 1, 100);
    assert.equal(table.generationOf(id), 2);
  });

  it('takes ids in lower case alone', () => {
    const [id = ''] = ids;
    assert.equal(isSessionId(id), true);
    for (const other of [id.toUpperCase(), id.slice(1), `${id}0`, id.replaceAll('-', ''), '', undefined, 7]) {
      assert.equal(isSessionId(other), false, String(other));
    }
  });
});
