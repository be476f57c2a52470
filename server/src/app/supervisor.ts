// The supervisor: starts the workers of a node, replaces each one that ends, and stops all of them.
import { constants } from 'node:os';
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { ProcessMetrics } from '../http/metrics.ts';
import { ALIVE_MS, type ToSupervisor, type ToWorker } from './worker-link.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

/** A worker that ends sooner has failed to start, even if it served. */
const SETTLED_MS = 10_000;

/** A node whose worker fails to start so often in a row stops: something is wrong that only a person can correct. */
const MAX_FAILURES = 6;

/** A worker whose event loop has not run for so many intervals is killed. */
const MAX_SILENT_INTERVALS = 3;

/** A worker stops within 10 s. After this time it is killed. */
const STOP_PATIENCE_MS = 15_000;

/** A worker's process. */
export interface WorkerProcess {
  /** Does nothing if the process has ended. */
  send(message: ToWorker): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Extensions of the worker can send other messages, even `null`. */
  onMessage(listener: (message: ToSupervisor | null) => void): void;
  onExit(listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
}

export type SupervisorDeps = {
  readonly count: number;
  /** Starts the process of the worker with this number, from 1. @param startsNode whether no other worker has served before. */
  readonly fork: (number: number, startsNode: boolean) => WorkerProcess;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error' | 'fatal'>;
  /** Returns the metrics of this process, beside those of the workers. */
  readonly readOwnMetrics: () => ProcessMetrics;
};

export interface Supervisor {
  /**
   * Starts worker 1, and all others when it is ready: so one process migrates the database, and reports what is wrong. Runs
   * until all have stopped.
   * @returns the exit code of the node: 0 after `stop`; that of worker 1 if it ends before it is ready; that of a worker
   * that fails to start again and again.
   */
  run(): Promise<number>;
  /** Stops all workers. Does not wait for them. */
  stop(): void;
}

type Worker = {
  readonly process: WorkerProcess;
  readonly startedAt: number;
  isReady: boolean;
  silentIntervals: number;
};

export function createSupervisor({ count, fork, clock, log, readOwnMetrics }: SupervisorDeps): Supervisor {
  const running = new Map<number, Worker>();
  const failures = new Map<number, number>();
  const metrics = createWorkerMetrics(clock);
  const end = Promise.withResolvers<number>();
  let exitCode = 0;
  let hasStarted = false;
  let isStopping = false;

  function start(number: number) {
    const worker: Worker = {
      process: fork(number, !hasStarted),
      startedAt: clock.elapsed(),
      isReady: false,
      silentIntervals: 0,
    };
    running.set(number, worker);
    worker.process.onMessage((message) => receive(number, worker, message));
    worker.process.onExit((code, signal) =>
      // Mutation: `signal ? constants.signals[signal] : 0` becomes `constants.signals[signal]`, `0` becomes `1`. A process ends with a code or by a signal.
      replace(number, worker, code ?? 128 + (signal ? constants.signals[signal] : 0)),
    );
  }

  function receive(number: number, worker: Worker, message: ToSupervisor | null) {
    // A message may arrive after the end of its worker, whose counts are kept already.
    if (running.get(number) !== worker) return;
    worker.silentIntervals = 0;
    if (message?.kind === 'ready') {
      worker.isReady = true;
      const isFirst = !hasStarted;
      hasStarted = true;
      if (isFirst && !isStopping) for (let other = 2; other <= count; other += 1) start(other);
    } else if (message?.kind === 'gather') void answer(worker, message.request);
    else if (message?.kind === 'metrics') metrics.receive(number, message.request, message.metrics);
  }

  async function answer({ process }: Worker, request: number) {
    const ready = [...running].filter(([, { isReady }]) => isReady);
    const gathered = await metrics.gather(new Map(ready.map(([number, worker]) => [number, worker.process])));
    process.send({ kind: 'gathered', request, metrics: [...gathered, readOwnMetrics()] });
  }

  function replace(number: number, { isReady, startedAt }: Worker, code: number) {
    running.delete(number);
    metrics.keepCounts(number);
    if (!hasStarted && !isStopping) stopWith(code);
    if (!isStopping) {
      const hasFailed = !isReady || clock.elapsed() - startedAt < SETTLED_MS;
      const inARow = hasFailed ? (failures.get(number) ?? 0) + 1 : 0;
      failures.set(number, inARow);
      if (inARow >= MAX_FAILURES) {
        log.fatal({ ended: number, exitCode: code }, 'a worker ends again and again: the service stops');
        stopWith(code);
      } else {
        const waitMs = inARow < 2 ? 0 : 1000 * 2 ** (inARow - 2);
        log.error({ ended: number, exitCode: code, waitMs }, 'a worker has ended: the service starts another one');
        void clock.sleep(waitMs).then(() => isStopping || start(number));
      }
    } else if (isReady) exitCode ||= code;
    if (isStopping && running.size === 0) end.resolve(exitCode);
  }

  function stopWith(code: number) {
    exitCode = code;
    stop();
  }

  function stop() {
    if (isStopping) return;
    isStopping = true;
    for (const { process, isReady } of running.values()) {
      // A worker that does not serve yet may not listen for messages.
      if (isReady) process.send({ kind: 'stop' });
      else process.kill('SIGTERM');
    }
    if (running.size === 0) end.resolve(exitCode);
    void clock.sleep(STOP_PATIENCE_MS).then(() => {
      for (const { process } of running.values()) process.kill('SIGKILL');
    });
  }

  function killSilent() {
    for (const [number, worker] of running) {
      worker.silentIntervals += 1;
      if (worker.silentIntervals <= MAX_SILENT_INTERVALS) continue;
      log.error({ worker: number }, 'a worker does not answer: the service ends it');
      worker.process.kill('SIGKILL');
    }
  }

  return {
    async run() {
      start(1);
      const stopLooking = clock.every(ALIVE_MS, killSilent);
      try {
        return await end.promise;
      } finally {
        stopLooking();
      }
    },
    stop,
  };
}
