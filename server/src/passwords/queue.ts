// A bounded queue: so many tasks at once, so many waiting, and a refusal for the rest.
import { serviceErrors } from '../foundation/errors.ts';

/** Tasks in a queue. */
export type Load = { readonly running: number; readonly waiting: number };

export type Queue = {
  /** Runs `task` when its turn comes, first come first served. @throws `service.unavailable` if too many are waiting. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  load(): Load;
};

/** A queue that runs `atOnce` tasks at a time while at most `mostWaiting` others wait. */
export function createQueue(atOnce: number, mostWaiting: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function takeTurn(): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    if (waiting.length >= mostWaiting) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** The place goes straight to the next one waiting, so that nobody can slip in between. */
  function passOn(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  return {
    async run(task) {
      await takeTurn();
      try {
        return await task();
      } finally {
        passOn();
      }
    },
    load: () => ({ running, waiting: waiting.length }),
  };
}
