// The supervisor: the order of the start, replacements and their pauses, the end of the node, and workers that hang.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import type { ProcessMetrics } from '../http/metrics.ts';
import { createSupervisor, type WorkerProcess } from './supervisor.ts';
import type { ToSupervisor, ToWorker } from './worker-link.ts';

const metricsOf = (value: number): ProcessMetrics => [
  { name: 'answers_total', help: '', type: 'counter', aggregator: 'sum', values: [{ value, labels: {} }] },
];

/** What the supervisor itself counts. */
const OWN = 9;

const settle = () => new Promise((resolve) => setImmediate(resolve));

type TestWorker = {
  readonly number: number;
  readonly startsNode: boolean;
  /** Messages to the worker, and signals. */
  readonly received: string[];
  /** The metrics of the node that it asked for. */
  readonly gathered: (readonly ProcessMetrics[])[];
  say(message: ToSupervisor | null): void;
  end(code: number | null, signal?: NodeJS.Signals): Promise<void>;
};

/** A supervisor of workers that do what the test says. */
function startSupervisor(count: number) {
  const clock = createManualClock();
  const workers: TestWorker[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const looks = new Set<() => unknown>();
  const logged: string[] = [];
  const log = (level: string) => (_: unknown, text?: string) => void logged.push(`${level}: ${text}`);

  function fork(number: number, startsNode: boolean): WorkerProcess {
    const received: string[] = [];
    const gathered: (readonly ProcessMetrics[])[] = [];
    let onMessage = (_: ToSupervisor | null) => {};
    let onExit = (_code: number | null, _signal: NodeJS.Signals | null) => {};
    workers.push({
      number,
      startsNode,
      received,
      gathered,
      say: (message) => onMessage(message),
      end(code, signal) {
        onExit(code, signal ?? null);
        return settle() as Promise<void>;
      },
    });
    return {
      send(message: ToWorker) {
        received.push(message.kind);
        if (message.kind === 'gathered') gathered.push(message.metrics);
      },
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
    readOwnMetrics: () => metricsOf(OWN),
    log: { info: log('info'), error: log('error'), fatal: log('fatal') },
    clock: {
      ...clock,
      sleep: (ms) => new Promise((end) => pauses.push({ ms, end })),
      every(_ms, task) {
        looks.add(task);
        return () => void looks.delete(task);
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
    logged,
    isLooking: () => looks.size > 0,
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

  it('tells the worker that starts the node from those that come later, and from the one that replaces it', async () => {
    const { workers, settled, newest, pass } = startSupervisor(3);
    const [first] = settled();
    await first.end(null, 'SIGKILL');
    await pass();
    assert.equal(newest().number, 1);
    assert.deepEqual(
      workers.map(({ startsNode }) => startsNode),
      [true, false, false, false],
    );
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

  it('replaces a worker at once that fails at its first start', async () => {
    const { workers, numbers, pass } = startSupervisor(2);
    workers[0]?.say({ kind: 'ready' });
    await workers[1]?.end(1);
    assert.deepEqual([await pass(), numbers()], [[0], [1, 2, 2]]);
  });

  it('counts a worker as failed that ends before it is ready, however late', async () => {
    const { clock, settled, pass, newest } = startSupervisor(2);
    const [, second] = settled();
    await second.end(1);
    const pauses = await pass();
    for (let failed = 0; failed < 3; failed += 1) {
      clock.advance(60);
      await newest().end(1);
      pauses.push(...(await pass()));
    }
    assert.deepEqual(pauses, [0, 0, 1000, 2000]);
  });

  it('pauses longer after each failed start, and then stops with the exit code of that worker', async () => {
    const { numbers, settled, pass, newest, exitCode, logged, isLooking } = startSupervisor(2);
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
    assert.equal(isLooking(), true);
    await first.end(0);
    assert.deepEqual([exitCode(), isLooking()], [7, false]);
    const replaced = 'error: a worker has ended: the service starts another one';
    const stopped = 'fatal: a worker ends again and again: the service stops';
    assert.deepEqual(logged, [...Array.from({ length: 6 }, () => replaced), stopped]);
  });

  it('counts a worker that served for a moment only as failed, and forgets failures when one has settled', async () => {
    const { clock, settled, pass, newest, exitCode } = startSupervisor(2);
    const [, second] = settled();
    await second.end(1);
    await pass();
    for (const pause of [0, 1000, 2000, 4000]) {
      newest().say({ kind: 'ready' });
      clock.advance(9);
      await newest().end(1);
      assert.deepEqual(await pass(), [pause]);
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

  it('ends at once if it stops while no worker runs', async () => {
    const { supervisor, workers, exitCode } = startSupervisor(1);
    workers[0]?.say({ kind: 'ready' });
    await workers[0]?.end(1);
    supervisor.stop();
    await settle();
    assert.equal(exitCode(), 0);
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
    const { settled, look, logged } = startSupervisor(2);
    const [first, second] = settled();
    for (let interval = 0; interval < 3; interval += 1) {
      look();
      first.say({ kind: 'alive' });
    }
    assert.deepEqual([first.received, second.received], [[], []]);
    look();
    assert.deepEqual([first.received, second.received], [[], ['SIGKILL']]);
    assert.deepEqual(logged, ['error: a worker does not answer: the service ends it']);
  });

  it('kills a worker that has never said anything after as long', () => {
    const { workers, look } = startSupervisor(1);
    for (let interval = 0; interval < 3; interval += 1) look();
    assert.deepEqual(workers[0]?.received, []);
    look();
    assert.deepEqual(workers[0]?.received, ['SIGKILL']);
  });

  it('takes no harm from messages that an extension sends', () => {
    const { workers, numbers } = startSupervisor(2);
    for (const message of [null, 'ready', 0, {}]) workers[0]?.say(message as null);
    assert.deepEqual(numbers(), [1]);
  });

  it('gathers the metrics of all workers that are ready, with the counts of those that have ended, and its own', async () => {
    const { settled, newest, pass } = startSupervisor(2);
    const [first, second] = settled();
    second.say({ kind: 'metrics', request: 0, metrics: metricsOf(3) });
    await second.end(1);
    await pass();
    first.say({ kind: 'gather', request: 5 });
    assert.deepEqual([first.received, newest().received], [['report'], []]);
    first.say({ kind: 'metrics', request: 1, metrics: metricsOf(4) });
    // The counts of a worker that has ended are kept already.
    second.say({ kind: 'metrics', request: 1, metrics: metricsOf(3) });
    // Only messages with metrics have any.
    first.say({ kind: 'alive' });
    await settle();
    assert.deepEqual(first.received, ['report', 'gathered']);
    assert.deepEqual(
      first.gathered[0]?.map(([metric]) => metric?.values[0]?.value),
      [4, 3, OWN],
    );
  });
});
