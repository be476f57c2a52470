// The environment in which the pinned Node runs.
import os from 'node:os';
import { join } from 'node:path';

/**
 * Returns this process's environment with defaults for variables that must be set before Node starts:
 * - a thread pool with one thread per core and a spare one for password hashing, and one for the disk, so that commits do not
 *   wait for a password;
 * - a cache of compiled modules, so that the next start is faster;
 * - one memory arena for all threads, which saves about ten megabytes (glibc, mallopt(3)).
 * @param {string} folder the checkout
 * @returns {NodeJS.ProcessEnv}
 */
export function pinnedEnvironment(folder) {
  return {
    UV_THREADPOOL_SIZE: String((os.availableParallelism ? os.availableParallelism() : os.cpus().length) + 2),
    MALLOC_ARENA_MAX: '1',
    NODE_COMPILE_CACHE: join(folder, 'node_modules', '.cache', 'compiled'),
    ...process.env,
  };
}
