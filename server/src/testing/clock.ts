// The clock of a test server: it runs like the machine's own, and tests move it forward.
import { addSeconds, type Clock, systemClock } from '../foundation/clock.ts';

export interface TestClock extends Clock {
  /** Moves time forward. Resolves when what became due meanwhile has run once: it runs as after a sleep of the machine. */
  advance(seconds: number): Promise<void>;
}

/** What waits for a time. `dueAt` is on the clock of `elapsed`. */
type Waiting = { dueAt: number; run(): Promise<unknown> };

export function createTestClock(): TestClock {
  let ahead = 0;
  const waiting = new Set<Waiting>();
  const elapsed = () => systemClock.elapsed() + ahead * 1000;

  function every(milliseconds: number, task: () => unknown) {
    let running: Promise<unknown> | undefined;
    const one: Waiting = {
      dueAt: elapsed() + milliseconds,
      run() {
        running ??= Promise.try(task).finally(() => {
          running = undefined;
          one.dueAt = elapsed() + milliseconds;
        });
        return running;
      },
    };
    waiting.add(one);
    const stop = systemClock.every(milliseconds, one.run);
    return () => {
      waiting.delete(one);
      stop();
    };
  }

  return {
    now: () => addSeconds(systemClock.now(), ahead),
    elapsed,
    every,
    async sleep(milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = every(milliseconds, () => resolve());
      await promise;
      stop();
    },
    async advance(seconds) {
      ahead += seconds;
      const due = [...waiting].filter(({ dueAt }) => dueAt <= elapsed());
      await Promise.all(due.map(({ run }) => run()));
    },
  };
}
