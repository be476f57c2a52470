// The work of a running service: what each process does in the background, and what a node does once.
import { type Clock, runEvery } from '../foundation/clock.ts';
import { isOutage } from '../foundation/errors.ts';
import type { Work } from '../slice.ts';
import type { Service } from './compose.ts';

/** How often a node runs all jobs. Each job says how much it does in a run. */
const CLEANUP_INTERVAL_MS = 10_000;

/** Runs the cleanup job of each slice, one after the other. A job that fails does not stop the others. */
function createCleanup(jobs: Service['jobs'], clock: Clock, onError: (error: unknown) => void): Work {
  let stopRuns: (() => Promise<void>) | undefined;
  let isStopping = false;
  async function run() {
    let isOut = false;
    for (const job of jobs) {
      if (isStopping) return;
      await job().catch((error) => {
        // In an outage of the database every job fails: one entry a run says so.
        if (!isOut || !isOutage(error)) onError(error);
        isOut ||= isOutage(error);
      });
    }
  }
  return {
    start() {
      stopRuns = runEvery(clock, CLEANUP_INTERVAL_MS, run);
    },
    // The database closes afterwards: the job under way ends, and no other one begins.
    async stop() {
      isStopping = true;
      await stopRuns?.();
    },
  };
}

/** Returns what a node does once, however many workers it has: the cleanup, and the duties of slices. */
export const dutiesOf = (
  service: Pick<Service, 'jobs' | 'duties'>,
  clock: Clock,
  onError: (error: unknown) => void,
): readonly Work[] => [createCleanup(service.jobs, clock, onError), ...service.duties];

export function startWorks(works: readonly Work[]): void {
  for (const work of works) work.start();
}

export const stopWorks = (works: readonly Work[]) => Promise.all(works.map((work) => work.stop()));
