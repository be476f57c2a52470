// Uniform timing: answers leave at whole steps, whether the work was short or long, and whether it succeeded or failed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createUniformTiming } from './uniform-timing.ts';

/** A clock that moves only by `pass` and, as Node does, cuts the fraction of a timer; and work that the test ends. */
function setUp() {
  let now = 1_000_007;
  let sleepers: { until: number; wake: () => void }[] = [];
  const clock = {
    elapsed: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ until: now + Math.trunc(milliseconds), wake });
      }),
  };
  const work = Promise.withResolvers<string>();
  let ended: string | undefined;
  let sleepersAtStart = 0;
  createUniformTiming(clock)(() => {
    sleepersAtStart = sleepers.length;
    return work.promise;
  }).then(
    (result) => {
      ended = result;
    },
    (error) => {
      ended = error.message;
    },
  );
  return {
    work,
    sleepersAtStart,
    /** @returns its outcome so far. */
    async pass(milliseconds: number) {
      now += milliseconds;
      await nextTurn();
      for (const { until, wake } of sleepers) if (until <= now) wake();
      sleepers = sleepers.filter(({ until }) => until > now);
      await nextTurn();
      return ended;
    },
  };
}

describe('uniform timing', () => {
  it('holds an immediate result until the first step', async () => {
    const { work, pass, sleepersAtStart } = setUp();
    assert.equal(sleepersAtStart, 1, 'the step begins before the work');
    work.resolve('done');
    assert.equal(await pass(19), undefined);
    assert.equal(await pass(1), 'done');
  });

  it('holds a result just before the step no longer than the step', async () => {
    const { work, pass } = setUp();
    await pass(19);
    work.resolve('done');
    assert.equal(await pass(1), 'done');
  });

  it('holds a later result until the next step', async () => {
    const { work, pass } = setUp();
    assert.equal(await pass(20), undefined);
    assert.equal(await pass(27), undefined);
    work.resolve('late');
    assert.equal(await pass(0), undefined);
    assert.equal(await pass(12), undefined);
    assert.equal(await pass(1), 'late');
  });

  it('shows no fraction of a millisecond of the work after the first step', async () => {
    const { work, pass } = setUp();
    await pass(20);
    await pass(3.4);
    work.resolve('late');
    assert.equal(await pass(16.5), undefined);
    assert.equal(await pass(0.1), 'late');
  });

  it('holds a failure as it does a success', async () => {
    for (const early of [true, false]) {
      const { work, pass } = setUp();
      if (!early) await pass(21);
      work.reject(new Error('refused'));
      assert.equal(await pass(early ? 19 : 18), undefined);
      assert.equal(await pass(1), 'refused');
    }
  });
});
