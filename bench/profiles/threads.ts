// The threads of a process: how much CPU time they used, and how long the main one waited for a core.
import { readdirSync, readFileSync } from 'node:fs';

/** In seconds, since the threads started. */
export type ThreadTimes = {
  readonly main: number;
  /** Node's thread pool: password hashes, commits, signatures. */
  readonly pool: number;
  /** Garbage collection and compilation beside the main thread. */
  readonly engine: number;
  /** While the main thread could run, and no core was free. */
  readonly waiting: number;
};

/** Reads /proc (Linux). */
export function readThreads(pid: number): ThreadTimes {
  const times = { main: 0, pool: 0, engine: 0, waiting: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const read = (name: string) => readFileSync(`/proc/${pid}/task/${thread}/${name}`, 'utf8');
    const [ran = 0, waited = 0] = read('schedstat')
      .split(' ')
      .map((nanoseconds) => Number(nanoseconds) / 1e9);
    if (Number(thread) === pid) Object.assign(times, { main: ran, waiting: waited });
    else if (read('comm').startsWith('libuv-worker')) times.pool += ran;
    else times.engine += ran;
  }
  return times;
}
