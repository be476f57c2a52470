// The environment in which the pinned Node runs.
import { cpus } from 'node:os';
import { join } from 'node:path';

/**
 * Our own environment, with two things that must be set before Node starts, unless the operator has set them:
 * a thread pool as large as the cores, since password hashing fills it and more threads only delay the event loop;
 * and a cache of compiled modules, which makes the next start quicker.
 * @param {string} folder the checkout
 * @returns {NodeJS.ProcessEnv}
 */
export function pinnedEnvironment(folder) {
  return {
    UV_THREADPOOL_SIZE: String(cpus().length),
    NODE_COMPILE_CACHE: join(folder, 'node_modules', '.cache', 'compiled'),
    ...process.env,
  };
}
