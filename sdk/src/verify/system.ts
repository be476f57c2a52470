// Time, randomness and the network as the verifier uses them. Only this file reads the clock or waits.

export interface System {
  /** Milliseconds since 1970, by the machine's clock. It can be set back or forth. */
  now(): number;
  /** Milliseconds since a fixed moment, by a clock that is never set. It may stand still while the machine is suspended. */
  elapsed(): number;
  /** Runs `task` once, after `milliseconds`. @returns a function that cancels it. */
  after(milliseconds: number, task: () => void): () => void;
  /** Returns a number from 0 to 1, 1 excluded. */
  random(): number;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** The machine's own. */
export const machine: System = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, task) {
    const timer = setTimeout(task, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  fetch: (url, init) => fetch(url, init),
};

/** Returns the result of `work`. After `milliseconds` it throws, and the work goes on. @param who does the work. */
export const within = <Result>(
  system: System,
  milliseconds: number,
  who: 'service' | 'store',
  work: Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const cancel = system.after(milliseconds, () => reject(new Error(`The ${who} does not answer in time.`)));
    work.then(resolve, reject).finally(cancel);
  });

/** Resolves after `milliseconds`, or when the signal aborts. */
export function sleep(system: System, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const wake = () => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = system.after(milliseconds, wake);
    signal.addEventListener('abort', wake);
  });
}
