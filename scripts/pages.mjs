// The web pages: built if their sources have changed.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runCaptured } from './child.mjs';
import { pinnedNode, Refusal, say } from './layout.mjs';

const stampName = '.built-from';

/**
 * Returns whether the pages were built from the present sources and tools.
 * @param {string} folder the checkout
 */
export function isBuilt(folder) {
  const stamp = join(folder, 'web', 'dist', stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(folder);
}

/**
 * Builds into a separate folder and swaps it in at the end, so that a running service never sees half of the pages.
 * @param {string} folder the checkout
 */
export async function buildPages(folder) {
  say('Building the pages …');
  const made = fingerprint(folder);
  const cache = join(folder, 'node_modules', '.cache');
  const fresh = join(cache, `pages-${process.pid}`);
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
  mkdirSync(cache, { recursive: true });
  try {
    const end = await runCaptured(pinnedNode(folder), args, { cwd: join(folder, 'web') });
    if (end.code !== 0) throw new Refusal(`${end.output.trimEnd()}\n\nThe pages in web/ do not build: see above.`);
    compress(join(fresh, 'assets'));
    writeFileSync(join(fresh, stampName), made);
    swapIn(fresh, join(folder, 'web', 'dist'));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Compresses each file once and as small as possible, so that the service does not compress on each request.
 * @param {string} folder
 */
function compress(folder) {
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(text, { level: 9 }));
  }
}

/**
 * @param {string} fresh
 * @param {string} target
 */
function swapIn(fresh, target) {
  const old = `${fresh}-old`;
  try {
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

/** @param {string} folder */
function fingerprint(folder) {
  const hash = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json')));
  const sources = ['web', 'sdk'].flatMap((workspace) => sourcesBelow(join(folder, workspace)));
  for (const file of [...sources, fileURLToPath(import.meta.url)]) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'dist')
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sourcesBelow(path) : [path];
    });
}
