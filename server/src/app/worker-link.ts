// The link between a worker and its supervisor: the messages that they exchange, and the worker's end of the link.
import type { Clock } from '../foundation/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import { within } from '../foundation/time-limit.ts';
import type { NodeMetrics, ProcessMetrics } from '../http/metrics.ts';

/** How often a worker tells its supervisor that its event loop runs. */
export const ALIVE_MS = 10_000;

/** The supervisor answers earlier, even if a worker does not. */
// Mutation: `3` becomes `4`. A limit of time with one more second.
export const GATHER_SECONDS = 3;

/** What the supervisor sends: stop, report your metrics, or the metrics of all workers that you asked for. */
export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'report'; readonly request: number }
  | { readonly kind: 'gathered'; readonly request: number; readonly metrics: readonly ProcessMetrics[] };

/** What a worker sends: it serves, its event loop runs, it asks for the metrics of all workers, or it reports its own. */
export type ToSupervisor =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'gather'; readonly request: number }
  | { readonly kind: 'metrics'; readonly request: number; readonly metrics: ProcessMetrics };

/** A worker's end of the link. */
export interface WorkerLink {
  /** From 1. A worker that replaces another one has its number. */
  readonly number: number;
  /** Whether this worker does what a node does once: cleanup jobs, and sending messages. */
  readonly hasDuties: boolean;
  /** Resolves when the supervisor stops this worker. */
  readonly stop: Promise<void>;
  reportReady(): void;
  readonly metrics: NodeMetrics;
}

/** The channel of a process that another one has started. */
export type IpcChannel = {
  send?(message: ToSupervisor, handle?: undefined, options?: undefined, callback?: () => void): unknown;
  on(event: 'message', listener: (message: ToWorker) => void): unknown;
};

/** Opens the link. From now on the supervisor knows that the event loop runs. */
export function openWorkerLink(number: number, channel: IpcChannel, clock: Clock): WorkerLink {
  const stop = Promise.withResolvers<void>();
  const asked = new Map<number, (metrics: readonly ProcessMetrics[]) => void>();
  let requests = 0;
  let readOwn = async (): Promise<ProcessMetrics> => [];

  // Without a callback, a send to a supervisor that has ended would throw. This process ends with it anyway.
  const send = (message: ToSupervisor) => void channel.send?.(message, undefined, undefined, () => {});

  channel.on('message', (message) => {
    if (message.kind === 'stop') stop.resolve();
    else if (message.kind === 'gathered') asked.get(message.request)?.(message.metrics);
    else if (message.kind === 'report') {
      const { request } = message;
      // Without an answer, the supervisor uses the last report.
      readOwn().then(
        (metrics) => send({ kind: 'metrics', request, metrics }),
        () => {},
      );
    }
  });
  clock.every(ALIVE_MS, () => send({ kind: 'alive' }));

  return {
    number,
    hasDuties: number === 1,
    stop: stop.promise,
    reportReady: () => send({ kind: 'ready' }),
    metrics: {
      contribute(read) {
        readOwn = read;
      },
      async gather() {
        const request = ++requests;
        const gathered = new Promise<readonly ProcessMetrics[]>((resolve) => asked.set(request, resolve));
        send({ kind: 'gather', request });
        try {
          return await within(GATHER_SECONDS, clock, () => gathered);
        } catch (cause) {
          throw serviceErrors.unavailable({ retryAfterSeconds: 1, cause });
        } finally {
          // Mutation: `asked.delete(request);` becomes `;`. Only memory differs.
          asked.delete(request);
        }
      },
    },
  };
}
