// The bounded queue: order, bound, and places given back.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createQueue } from './queue.ts';

describe('the queue', () => {
  it('runs no more at once than allowed, first come first served', async () => {
    const queue = createQueue(2, 10);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const all = [0, 1, 2, 3, 4].map((task) =>
      queue.run(() => {
        started.push(task);
        return new Promise<number>((resolve) => finish.push(() => resolve(task)));
      }),
    );
    await settle();
    assert.deepEqual(started, [0, 1]);
    for (const [done, expected] of [
      [1, [0, 1, 2]],
      [0, [0, 1, 2, 3]],
      [2, [0, 1, 2, 3, 4]],
    ] as const) {
      finish[done]?.();
      await settle();
      assert.deepEqual(started, expected);
    }
    for (const end of finish) end();
    assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4]);
  });

  it('gives a place back after a failure', async () => {
    const queue = createQueue(1, 0);
    await assert.rejects(
      queue.run(() => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(await queue.run(async () => 'next'), 'next');
  });

  it('keeps its bound after it was full', async () => {
    const queue = createQueue(1, 1);
    for (let round = 0; round < 3; round++) {
      const ends = await Promise.allSettled([1, 2, 3].map((task) => queue.run(async () => task)));
      assert.deepEqual(
        ends.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected'],
      );
    }
  });
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
