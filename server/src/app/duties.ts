// The work of a running service: what each process does in the background, and what a node does once.
import type { Clock } from '../foundation/clock.ts';
import type { Work } from '../slice.ts';
import type { Service } from './compose.ts';

/** How often a node runs all jobs. Each job says how much it does in a run. */
const CLEANUP_INTERVAL_MS = 10_000;

/** Runs the cleanup job of each slice, one after the other. A job that fails does not stop the others. */
async function runCleanup({ jobs }: Service, onError: (error: unknown) => void): Promise<void> {
  for (const job of jobs) await job().catch(onError);
}

/** Returns what a node does once, however many workers it has: the cleanup, and the duties of slices. */
export function dutiesOf(service: Service, clock: Clock, onError: (error: unknown) => void): readonly Work[] {
  let stopCleanup = () => {};
  const cleanup: Work = {
    start() {
      stopCleanup = clock.every(CLEANUP_INTERVAL_MS, () => runCleanup(service, onError));
    },
    stop: async () => stopCleanup(),
  };
  return [cleanup, ...service.duties];
}

export function startWorks(works: readonly Work[]): void {
  for (const work of works) work.start();
}

export const stopWorks = (works: readonly Work[]) => Promise.all(works.map((work) => work.stop()));
