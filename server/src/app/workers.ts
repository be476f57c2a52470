// The process of the supervisor: it listens for several workers, hands each connection to one, and keeps them running.
import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { LOG_LEVELS, readOneOf } from '../config/values.ts';
import { readSecretFiles } from '../config/variables.ts';
import { VERSION } from '../config/version.ts';
import { shareOf } from '../config/workers.ts';
import { systemClock } from '../foundation/clock.ts';
import type { ProcessMetric } from '../http/metrics.ts';
import { countEntries, createLogger, LOG_ENTRIES, openTerminalStream } from './log.ts';
import { createShutdown } from './shutdown.ts';
import { createSupervisor, type WorkerProcess } from './supervisor.ts';

/**
 * Runs this many workers until SIGTERM or SIGINT. They check the environment, so it loads nothing of the service itself. If
 * this process is killed, the workers end with it.
 * @returns the exit code.
 */
export async function runWorkers(workers: number): Promise<number> {
  const level = process.env.LATCHKEY_LOG_LEVEL?.trim() || 'info';
  const log = createLogger(readOneOf('LATCHKEY_LOG_LEVEL', level, LOG_LEVELS), await openTerminalStream());
  // JSON has no NaN, which some metrics are.
  cluster.setupPrimary({ serialization: 'advanced' });
  // Each new connection goes to the next worker that is free.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const { hashThreads } = shareOf(workers);
  const secrets = readSecretFiles(process.env);
  const fork = (number: number, startsNode: boolean) =>
    forkWorker(
      {
        LATCHKEY_WORKER: String(number),
        LATCHKEY_WORKER_VERSION: VERSION,
        ...secrets,
        // A worker that replaces another one must not take back what pages have changed since the start.
        ...(!startsNode && { LATCHKEY_CONFIG: '' }),
        // One thread more than hashes, as the command `latchkey` sets it for a single process.
        UV_THREADPOOL_SIZE: String(hashThreads + 1),
      },
      (error) => log.error({ err: error }, 'the system refuses to start a worker'),
    );
  // A worker that ends again and again must show in the metrics.
  const readEntries = (): ProcessMetric => ({
    ...LOG_ENTRIES,
    type: 'counter',
    aggregator: 'sum',
    values: [...countEntries(log)].map(([level, value]) => ({ labels: { level }, value })),
  });
  const supervisor = createSupervisor({
    count: workers,
    fork,
    clock: systemClock,
    log,
    readOwnMetrics: () => [readEntries()],
  });
  void createShutdown(systemClock).signal.then(supervisor.stop);
  return supervisor.run();
}

/** A process that the system has refused, for want of memory or of open files. */
const refused: WorkerProcess = {
  send: () => {},
  kill: () => {},
  onMessage: () => {},
  onExit: (listener) => void systemClock.sleep(0).then(() => listener(1, null)),
};

/** Starts a worker with these variables. If the system refuses, it ends with code 1. */
export function forkWorker(
  variables: Readonly<Record<string, string>>,
  onRefused: (error: unknown) => void,
): WorkerProcess {
  let worker: Worker;
  try {
    worker = cluster.fork(variables);
  } catch (error) {
    onRefused(error);
    return refused;
  }
  const isRefused = worker.process.pid === undefined;
  // Later errors are those of messages to a worker that has ended.
  worker.on('error', (error) => isRefused && onRefused(error));
  if (isRefused) return refused;
  closeLostConnection(worker.process);
  return {
    // The callback receives the error of a channel that has closed. Then the worker has ended.
    send: (message) => void worker.send(message, () => {}),
    kill: (signal) => void worker.process.kill(signal),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void worker.process.on('exit', listener),
  };
}

/**
 * Closes the connection that a worker had not accepted when it ended. The cluster module hands a worker one connection at a
 * time, and would keep this one open without an answer.
 */
function closeLostConnection(process: ChildProcess): void {
  let close = () => {};
  process.send = new Proxy(process.send, {
    apply(send, self, [message, handle, ...more]) {
      if (handle && 'close' in handle) close = () => handle.close();
      return Reflect.apply(send, self, [message, handle, ...more]);
    },
  });
  // The module has closed a connection that was accepted. To close it again has no effect.
  process.on('exit', () => close());
}
