// The web pages: built if their sources have changed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runCaptured } from './child.mjs';
import { pinnedNode, Refusal, say } from './layout.mjs';
import { isCurrent, rebuild } from './products.mjs';

/** @type {import('./products.mjs').Product} */
const pages = {
  target: 'web/dist',
  sources: ['web', 'sdk', 'user-files', 'docs'],
  files: ['scripts/pages.mjs', 'scripts/bundle/packages.ts'],
};

/** @param {string} folder the checkout */
export const arePagesBuilt = (folder) => isCurrent(folder, pages);

/** @param {string} folder the checkout */
export async function buildPages(folder) {
  say('Building the pages …');
  await rebuild(folder, pages, (fresh) => buildPagesInto(fresh, folder));
}

/**
 * @param {string} target the folder that the pages fill
 * @param {string} folder the checkout
 */
export async function buildPagesInto(target, folder) {
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'];
  // Vite builds what the user's NODE_ENV names.
  const env = { ...process.env, NODE_ENV: 'production' };
  const end = await runCaptured(pinnedNode(folder), args, { cwd: join(folder, 'web'), env });
  if (end.code !== 0) throw new Refusal(`${end.output.trimEnd()}\n\nThe pages in web/ do not build: see above.`);
  compress(join(target, 'assets'));
}

/**
 * Compresses each file once and as small as possible, so that the service does not compress on each request. Fonts are compressed already.
 * @param {string} folder
 */
function compress(folder) {
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.woff2')) continue;
    const text = readFileSync(join(folder, file));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(text, { level: 9 }));
  }
}
