// Where things lie in the checkout: the paths that the scripts share.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The Node that the lock file pins; it need not exist before the first install.
 * @param {string} folder the checkout
 */
export function pinnedNode(folder) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', 'node', 'bin', name);
}

/**
 * Where the bootstrap keeps what it needs while it works: outside node_modules, which an install empties.
 * @param {string} folder the checkout
 */
export function workFolder(folder) {
  return join(folder, '.prepare');
}

/** An end that its reader can do something about: printed as it is, without a stack. */
export class Refusal extends Error {}

/**
 * One line to whoever waits at the terminal. It goes to standard error: standard output belongs to the command.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
