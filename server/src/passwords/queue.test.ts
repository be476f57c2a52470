// The queue: its order, its bounds by estimated time and by caller, and the release of places.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { createQueue, type Requester } from './queue.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const isUnavailable = (error: unknown) =>
  error instanceof AuthError && error.reason === 'service.unavailable' && error.retryAfterSeconds === 1;

/** Creates a queue whose tasks end when the test ends them. */
function createTestQueue(atOnce: number) {
  const clock = createManualClock();
  const pauses: { ms: number; end: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((end) => pauses.push({ ms, end }));
  const queue = createQueue(atOnce, { ...clock, sleep });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  let count = 0;
  return {
    clock,
    queue,
    started,
    add(requester?: Requester) {
      const task = count++;
      return queue.run(() => {
        started.push(task);
        return new Promise<number>((resolve) => {
          ends[task] = () => resolve(task);
        });
      }, requester);
    },
    async end(task: number) {
      ends[task]?.();
      await settle();
    },
    /** Ends the oldest pauses. @returns their lengths in milliseconds. */
    async pass(count = pauses.length) {
      const passed = pauses.splice(0, count);
      for (const { end } of passed) end();
      await settle();
      return passed.map(({ ms }) => ms);
    },
    /** Makes the queue measure this many tasks of this duration. */
    async measure(milliseconds: number, times: number) {
      for (let n = 0; n < times; n++) await queue.run(async () => clock.advance(milliseconds / 1000));
    },
  };
}

/** Returns how many tasks the queue accepts before it refuses one. */
async function fill(add: () => Promise<unknown>, most = 5000): Promise<number> {
  for (let taken = 0; taken < most; taken++) {
    const refused = await Promise.race([add().then(() => false, isUnavailable), settle().then(() => false)]);
    if (refused) return taken;
  }
  return most;
}

describe('the queue', () => {
  it('runs no more at once than allowed, first come first served', async () => {
    const { add, end, started } = createTestQueue(2);
    const all = [0, 1, 2, 3, 4].map(() => add());
    await settle();
    assert.deepEqual(started, [0, 1]);
    for (const [done, expected] of [
      [1, [0, 1, 2]],
      [0, [0, 1, 2, 3]],
      [2, [0, 1, 2, 3, 4]],
    ] as const) {
      await end(done);
      assert.deepEqual(started, expected);
    }
    for (const last of [3, 4]) await end(last);
    assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4]);
  });

  it('releases the place of a task that fails', async () => {
    const { queue } = createTestQueue(1);
    for (let n = 0; n < 1000; n++) {
      await assert.rejects(
        queue.run(() => Promise.reject(new Error('failed')), ['somebody']),
        /failed/,
      );
    }
    assert.equal(await queue.run(async () => 'next', ['somebody']), 'next');
    assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
  });

  it('lets tasks wait if they should start within two seconds, by the measured run times', async () => {
    const first = createTestQueue(2);
    assert.equal(await fill(first.add), 2 + 400, 'ten milliseconds each, as long as nothing was measured');
    const measured = createTestQueue(2);
    await measured.measure(100, 1);
    assert.equal(await fill(measured.add), 2 + 256, 'one measurement counts a sixteenth');
    const slow = createTestQueue(2);
    await slow.measure(100, 200);
    assert.equal(await fill(slow.add), 2 + 40);
    const stuck = createTestQueue(1);
    await stuck.measure(60_000, 200);
    assert.equal(await fill(stuck.add), 1 + 10);
    const fast = createTestQueue(1);
    await fast.measure(0, 200);
    assert.equal(await fill(fast.add), 1 + 2000);
  });

  it('returns results together while at least as many tasks wait, and at most eight', async () => {
    const { add, end, queue } = createTestQueue(2);
    const returned: number[] = [];
    for (let task = 0; task < 30; task++) void add().then((result) => returned.push(result));
    await settle();
    const counts: number[] = [];
    for (let task = 0; task < 30; task++) {
      await end(task);
      if (returned.length !== counts.at(-1)) counts.push(returned.length);
    }
    assert.deepEqual(
      counts.filter((count) => count > 0),
      [8, 16, 22, 25, 27, 28, 29, 30],
    );
    assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
  });

  it('holds results for 50 milliseconds at most, from the first of them', async () => {
    const { add, end, pass } = createTestQueue(2);
    const returned: number[] = [];
    for (let task = 0; task < 30; task++) void add().then((result) => returned.push(result));
    await settle();
    await end(0);
    assert.deepEqual(returned, []);
    assert.deepEqual([await pass(), returned], [[50], [0]]);
    for (let task = 1; task < 9; task++) await end(task);
    assert.equal(returned.length, 9, 'eight have ended');
    await end(9);
    assert.deepEqual([await pass(1), returned.length], [[50], 9], 'the pause of those eight does nothing');
    await end(10);
    assert.deepEqual([await pass(), returned.length], [[50], 11]);
  });

  it('returns a result at once if no task waits', async () => {
    const { add, end, pass } = createTestQueue(2);
    const all = [add(), add()];
    await settle();
    for (const task of [0, 1]) await end(task);
    assert.deepEqual([await Promise.all(all), await pass()], [[0, 1], []]);
  });

  it('returns failures together with results', async () => {
    const { queue } = createTestQueue(2);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, task) =>
        queue.run(async () => {
          if (task % 2 === 1) throw new Error(`failed ${task}`);
          return task;
        }),
      ),
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
      Array.from({ length: 40 }, (_, task) => (task % 2 === 1 ? `failed ${task}` : task)),
    );
  });

  it('keeps its bound after it was full', async () => {
    const { add, end, measure } = createTestQueue(1);
    await measure(1000, 200);
    assert.equal(await fill(add), 1 + 10);
    await end(0);
    assert.equal(await fill(add), 1);
  });

  it('refuses tasks that have waited for five seconds because others came before them in turn', async () => {
    const { add, clock, end, queue, started } = createTestQueue(1);
    const running = add(['slow']);
    await settle();
    const [late, later] = [add(['caller']), add(['caller'])];
    clock.advance(0.001);
    const inTime = add(['caller']);
    clock.advance(4.999);
    await Promise.all([assert.rejects(late, isUnavailable), assert.rejects(later, isUnavailable), end(0)]);
    assert.deepEqual(started, [0, 3]);
    await end(3);
    assert.deepEqual(await Promise.all([running, inTime]), [0, 3]);
    assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
    assert.equal(await fill(() => add(['caller'])), 10, 'refused tasks have left their places');
  });

  it('serves callers in turn, each first come first served', async () => {
    const { add, end, started } = createTestQueue(1);
    for (const caller of ['none', 'a', 'a', 'a', 'b', 'b', 'c']) void add([caller]);
    for (let task = 0; task < 7; task++) await end(started.at(-1) ?? 0);
    assert.deepEqual(started, [0, 1, 4, 6, 2, 5, 3]);
  });

  it('lets one caller hold a quarter of the tasks that can start in time, by any of its keys', async () => {
    const { add } = createTestQueue(2);
    assert.equal(await fill(() => add(['10.0.0.1', 'account:1'])), 100);
    assert.equal(await fill(() => add(['10.0.0.1', 'account:2'])), 0, 'the same address');
    assert.equal(await fill(() => add(['10.0.0.2', 'account:1'])), 0, 'the same account');
    assert.equal(await fill(() => add(['10.0.0.2', 'account:2'])), 100);
    const slow = createTestQueue(2);
    await slow.measure(47, 200);
    assert.equal(await fill(() => slow.add(['10.0.0.1'])), 21, 'a quarter of 85');
  });

  it('counts only those tasks of other callers that would start before', async () => {
    const { add, measure } = createTestQueue(1);
    await measure(100, 200);
    for (let n = 0; n < 5; n++) void add(['10.0.0.1']);
    assert.equal(await fill(() => add([])), 16, 'the last one starts after fifteen of its own and all four others');
  });

  it('counts one task of each other caller before the first one of a new caller', async () => {
    const { add, measure } = createTestQueue(1);
    await measure(60_000, 200);
    for (const caller of ['running', 'a', 'b', 'c', 'd', 'e', 'a', 'b', 'c', 'd', 'e']) void add([caller]);
    let callers = 0;
    assert.equal(await fill(() => add([`new ${callers++}`])), 5, 'ten places, before which five callers wait');
  });

  it('accepts a new caller even if hashes have become slower since the queue was filled', async () => {
    const { add, clock, end, started } = createTestQueue(2);
    assert.equal(await fill(() => add(['10.0.0.1'])), 100);
    for (let n = 0; n < 10; n++) {
      clock.advance(0.05);
      for (const task of started.slice(-2)) await end(task);
    }
    assert.equal(await fill(() => add(['10.0.0.1'])), 0);
    assert.ok((await fill(() => add(['10.0.0.2']))) > 0);
  });

  it('releases the places of a caller as its tasks end', async () => {
    const { add, clock, end } = createTestQueue(2);
    assert.equal(await fill(() => add(['10.0.0.1'])), 100);
    clock.advance(0.01);
    await end(0);
    assert.equal(await fill(() => add(['10.0.0.1'])), 1);
  });

  it('lets every caller have ten places even if tasks are slow, and as many places as tasks run at once', async () => {
    for (const [atOnce, places] of [
      [1, 10],
      [16, 16],
    ] as const) {
      const { add, measure } = createTestQueue(atOnce);
      await measure(60_000, 200);
      assert.equal(await fill(() => add(['10.0.0.1'])), places);
    }
  });
});
