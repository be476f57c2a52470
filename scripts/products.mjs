// What the checkout builds: folders that are built again when their sources or tools have changed.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const stampName = '.built-from';

/**
 * Something that is built: `target` from the files below `sources`, and from `files`, all relative to the checkout.
 * @typedef {{ target: string, sources: string[], files: string[] }} Product
 */

/**
 * Returns whether the product was built from the present sources and tools.
 * @param {string} folder the checkout
 * @param {Product} product
 */
export function isCurrent(folder, product) {
  const stamp = join(folder, product.target, stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(folder, product);
}

/**
 * Builds into a separate folder and swaps it in at the end, so that a running service never sees half of it.
 * @param {string} folder the checkout
 * @param {Product} product
 * @param {(fresh: string) => Promise<void>} build fills the folder that it gets
 */
export async function rebuild(folder, product, build) {
  const made = fingerprint(folder, product);
  const fresh = join(folder, 'node_modules', '.cache', `fresh-${process.pid}`);
  try {
    mkdirSync(fresh, { recursive: true });
    await build(fresh);
    writeFileSync(join(fresh, stampName), made);
    swapIn(fresh, join(folder, product.target));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * @param {string} fresh
 * @param {string} target
 */
function swapIn(fresh, target) {
  const old = `${fresh}-old`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
  } catch (error) {
    // node_modules may be on another volume. Files cannot be moved between volumes.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EXDEV') throw error;
    rmSync(target, { recursive: true, force: true });
    cpSync(fresh, target, { recursive: true });
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {Product} product
 */
function fingerprint(folder, { sources, files }) {
  const hash = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json')));
  const all = [...sources.flatMap((source) => filesBelow(folder, source)), ...files];
  for (const file of all) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @param {string} place
 * @returns {string[]}
 */
function filesBelow(folder, place) {
  return readdirSync(join(folder, place), { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'dist')
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${place}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, path) : [path];
    });
}
