// The priority of hash threads: below the main thread's, so that other requests do not wait for hashes.
import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** The name that libuv gives the threads of its pool, as the kernel reports it. */
const POOL_THREAD = 'libuv-worker\n';

/** In steps of nice(2): a thread of the pool gets a third of a core that it shares with the main thread. */
const STEPS = 5;

/**
 * Lowers the priority of the threads that hash passwords, and so of all in Node's thread pool. On Linux, a process can have more
 * hash threads than cores with this, and its main thread still runs as soon as a request arrives. Elsewhere it does nothing: only
 * Linux has priorities of threads, and libuv names its threads since version 1.50.
 * @returns how many threads have the lower priority now.
 */
export async function lowerHashPriority(): Promise<number> {
  const priority = hashPriority();
  try {
    // Reading the folder starts the pool, with all of its threads.
    const threads = await readdir(THREADS);
    const names = await Promise.all(threads.map((thread) => readFile(`${THREADS}/${thread}/comm`, 'utf8')));
    const pool = threads.filter((_, index) => names[index] === POOL_THREAD);
    for (const thread of pool) setPriority(Number(thread), priority);
    return pool.length;
  } catch {
    // Not Linux, or a sandbox that refuses: then hashes and requests share the cores evenly.
    return 0;
  }
}

/** Returns the priority of threads that hash passwords: it yields to the main thread's. */
export const hashPriority = (): number => Math.min(getPriority() + STEPS, constants.priority.PRIORITY_LOW);
