// The layout of the checkout: the paths that the scripts share.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Returns the path of the Node that the lock file pins. It may not exist before the first install.
 * @param {string} folder the checkout
 */
export function pinnedNode(folder) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', 'node', 'bin', name);
}

/**
 * Returns the folder for the bootstrap's temporary files. It is outside node_modules, which an install empties.
 * @param {string} folder the checkout
 */
export function workFolder(folder) {
  return join(folder, '.prepare');
}

/** A failure that the reader can correct. Its message is printed without a stack. */
export class Refusal extends Error {}

/**
 * Prints one line on standard error, because standard output belongs to the command.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
