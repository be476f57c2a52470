// Work in parts: rounds of a job that tidies up, chunks of a change, and values of a statement.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inBatches, inChunks, inRounds } from './batch.ts';

/** So many rows, of which a call takes up to `most`. */
function createRows(count: number) {
  let left = count;
  const taken: number[] = [];
  return {
    taken,
    left: () => left,
    async take(most: number) {
      const some = Math.min(most, left);
      left -= some;
      taken.push(some);
      return some;
    },
  };
}

describe('work in parts', () => {
  it('tidies up in rounds until one finds fewer rows than it may take', async () => {
    const rows = createRows(1200);
    await inRounds(rows.take);
    assert.deepEqual(rows.taken, [500, 500, 200]);
    const even = createRows(500);
    await inRounds(even.take);
    assert.deepEqual(even.taken, [500, 0]);
  });

  it('leaves more than 20,000 rows to the next run, so that a job ends', async () => {
    const rows = createRows(30_000);
    await inRounds(rows.take);
    assert.equal(rows.left(), 10_000);
    await inRounds(rows.take);
    assert.equal(rows.left(), 0);
  });

  it('changes rows in chunks until none is left, however many there are', async () => {
    const rows = createRows(100_000);
    await inChunks(async (most) => BigInt(await rows.take(most)));
    assert.deepEqual([rows.left(), rows.taken[0], rows.taken.length], [0, 2000, 51]);
  });

  it('gives each value once, in its order', () => {
    const values = Array.from({ length: 1001 }, (_, index) => index);
    const batches = [...inBatches(values)];
    assert.deepEqual([batches.map(({ length }) => length), batches.flat()], [[500, 500, 1], values]);
    assert.deepEqual([...inBatches([])], []);
  });
});
