// The environment in which the pinned Node runs.
import { cpus } from 'node:os';
import { join } from 'node:path';

/**
 * Our own environment, with what must be set before Node starts, unless the operator has set it: a thread pool of one
 * thread for each core, which password hashing fills (more would only delay the event loop), and one for the disk, so
 * that what is to be durable does not wait for a password; a cache of compiled modules, which makes the next start
 * quicker; and one arena of memory for all threads, which keeps the service some ten megabytes lighter (glibc, mallopt(3)).
 * @param {string} folder the checkout
 * @returns {NodeJS.ProcessEnv}
 */
export function pinnedEnvironment(folder) {
  return {
    UV_THREADPOOL_SIZE: String(cpus().length + 1),
    MALLOC_ARENA_MAX: '1',
    NODE_COMPILE_CACHE: join(folder, 'node_modules', '.cache', 'compiled'),
    ...process.env,
  };
}
