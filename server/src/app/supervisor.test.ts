// The supervisor: the order of the start, replacements and their pauses, the end of the node, and workers that hang.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { createLogger } from './log.ts';
import { createSupervisor, type WorkerProcess } from './supervisor.ts';
import type { ToSupervisor, ToWorker } from './worker-link.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

type TestWorker = {
  readonly number: number;
  /** Messages to the worker, and signals. */
  readonly received: string[];
  say(message: ToSupervisor | null): void;
  end(code: number | null, signal?: NodeJS.Signals): Promise<void>;
};

/** A supervisor of workers that do what the test says. */
function startSupervisor(count: number) {
  const clock = createManualClock();
  const workers: TestWorker[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const looks: (() => unknown)[] = [];

  function fork(number: number): WorkerProcess {
    const received: string[] = [];
    let onMessage = (_: ToSupervisor | null) => {};
    let onExit = (_code: number | null, _signal: NodeJS.Signals | null) => {};
    workers.push({
      number,
      received,
      say: (message) => onMessage(message),
      end(code, signal) {
        onExit(code, signal ?? null);
        return settle() as Promise<void>;
      },
    });
    return {
      send: ({ kind }: ToWorker) => void received.push(kind),
      kill: (signal) => void received.push(signal),
      onMessage(listener) {
        onMessage = listener;
      },
      onExit(listener) {
        onExit = listener;
      },
    };
  }
  const supervisor = createSupervisor({
    count,
    fork,
    log: createLogger('silent'),
    clock: {
      ...clock,
      sleep: (ms) => new Promise((end) => pauses.push({ ms, end })),
      every(_ms, task) {
        looks.push(task);
        return () => {};
      },
    },
  });
  let exitCode: number | undefined;
  void supervisor.run().then((code) => {
    exitCode = code;
  });
  return {
    clock,
    workers,
    supervisor,
    numbers: () => workers.map(({ number }) => number),
    newest: () => workers.at(-1) as TestWorker,
    exitCode: () => exitCode,
    look() {
      for (const look of looks) look();
    },
    /** Ends all pauses. @returns their lengths. */
    async pass() {
      const passed = pauses.splice(0);
      for (const { end } of passed) end();
      await settle();
      return passed.map(({ ms }) => ms);
    },
    /** Starts all workers, as long ago as they need to count as settled. */
    settled() {
      workers[0]?.say({ kind: 'ready' });
      for (const worker of workers.slice(1)) worker.say({ kind: 'ready' });
      clock.advance(60);
      return workers as [TestWorker, TestWorker];
    },
  };
}

describe('a node with several workers', () => {
  it('starts the others when the first one is ready, and only once', () => {
    const { workers, numbers } = startSupervisor(3);
    assert.deepEqual(numbers(), [1]);
    workers[0]?.say({ kind: 'alive' });
    assert.deepEqual(numbers(), [1]);
    workers[0]?.say({ kind: 'ready' });
    workers[0]?.say({ kind: 'ready' });
    assert.deepEqual(numbers(), [1, 2, 3]);
  });

  for (const [code, signal, expected] of [
    [1, undefined, 1],
    [null, 'SIGKILL', 137],
  ] as const) {
    it(`ends with exit code ${expected} if the first worker ends before it is ready`, async () => {
      const { workers, numbers, exitCode, pass } = startSupervisor(2);
      await workers[0]?.end(code, signal);
      await pass();
      assert.deepEqual([exitCode(), numbers()], [expected, [1]]);
    });
  }

  it('replaces a worker at once, under its number', async () => {
    const { numbers, settled, pass, exitCode } = startSupervisor(2);
    const [, second] = settled();
    await second.end(0);
    assert.deepEqual(await pass(), [0]);
    assert.deepEqual([numbers(), exitCode()], [[1, 2, 2], undefined]);
  });

  it('pauses longer after each failed start, and then stops with the exit code of that worker', async () => {
    const { numbers, settled, pass, newest, exitCode } = startSupervisor(2);
    const [first, second] = settled();
    await second.end(1);
    const pauses = await pass();
    for (let failed = 0; failed < 5; failed += 1) {
      assert.equal(exitCode(), undefined);
      await newest().end(7);
      pauses.push(...(await pass()));
    }
    assert.deepEqual(pauses, [0, 0, 1000, 2000, 4000, 8000]);
    assert.deepEqual(numbers(), [1, 2, 2, 2, 2, 2, 2, 2]);
    assert.deepEqual([first.received, exitCode()], [[], undefined]);
    await newest().end(7);
    assert.deepEqual([first.received, exitCode()], [['stop'], undefined], 'the others finish their requests');
    await first.end(0);
    assert.equal(exitCode(), 7);
  });

  it('counts a worker that served for a moment only as failed, and forgets failures when one has settled', async () => {
    const { clock, settled, pass, newest, exitCode } = startSupervisor(2);
    const [, second] = settled();
    await second.end(1);
    await pass();
    for (let failed = 0; failed < 4; failed += 1) {
      newest().say({ kind: 'ready' });
      clock.advance(9);
      await newest().end(1);
      await pass();
    }
    newest().say({ kind: 'ready' });
    clock.advance(10);
    await newest().end(1);
    assert.deepEqual(await pass(), [0]);
    await newest().end(1);
    assert.deepEqual(await pass(), [0], 'the first failure again');
    assert.equal(exitCode(), undefined);
  });

  it('stops all workers and waits for them; one that does not serve yet gets a signal', async () => {
    const { supervisor, workers, settled, pass, exitCode, newest } = startSupervisor(2);
    const [first, second] = settled();
    await second.end(null, 'SIGKILL');
    await pass();
    supervisor.stop();
    supervisor.stop();
    assert.deepEqual([first.received, newest().received], [['stop'], ['SIGTERM']]);
    await newest().end(null, 'SIGTERM');
    assert.equal(exitCode(), undefined);
    await first.end(0);
    assert.deepEqual([exitCode(), workers.length], [0, 3]);
  });

  it('starts no worker that was due when it stops', async () => {
    const { supervisor, settled, numbers, pass, exitCode } = startSupervisor(2);
    const [first, second] = settled();
    await second.end(1);
    supervisor.stop();
    await pass();
    await first.end(0);
    assert.deepEqual([numbers(), exitCode()], [[1, 2], 0]);
  });

  it('kills a worker that does not stop, and says so by its exit code', async () => {
    const { supervisor, settled, pass, exitCode } = startSupervisor(2);
    const [first, second] = settled();
    supervisor.stop();
    await first.end(0);
    assert.deepEqual(await pass(), [15_000]);
    assert.deepEqual(second.received, ['stop', 'SIGKILL']);
    await second.end(null, 'SIGKILL');
    assert.equal(exitCode(), 137);
  });

  it('kills a worker whose event loop stands still, and no other', () => {
    const { settled, look } = startSupervisor(2);
    const [first, second] = settled();
    for (let interval = 0; interval < 3; interval += 1) {
      look();
      first.say({ kind: 'alive' });
    }
    assert.deepEqual([first.received, second.received], [[], []]);
    look();
    assert.deepEqual([first.received, second.received], [[], ['SIGKILL']]);
  });

  it('takes no harm from messages that an extension sends', () => {
    const { workers, numbers } = startSupervisor(2);
    for (const message of [null, 'ready', 0, {}]) workers[0]?.say(message as null);
    assert.deepEqual(numbers(), [1]);
  });

  it('asks all workers that are ready for their metrics, for one of them', async () => {
    const { workers, settled, newest, pass } = startSupervisor(2);
    const [first, second] = settled();
    await second.end(1);
    await pass();
    first.say({ kind: 'gather', request: 5 });
    assert.deepEqual([first.received, newest().received], [['report'], []]);
    first.say({ kind: 'metrics', request: 1, metrics: [] });
    await settle();
    assert.deepEqual([first.received, workers.length], [['report', 'gathered'], 3]);
  });
});
