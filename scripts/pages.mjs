// The web pages: built if their sources have changed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runCaptured } from './child.mjs';
import { pinnedNode, Refusal, say } from './layout.mjs';
import { isCurrent, rebuild } from './products.mjs';

/** @type {import('./products.mjs').Product} */
const pages = { target: 'web/dist', sources: ['web', 'sdk'], files: ['scripts/pages.mjs'] };

/** @param {string} folder the checkout */
export const arePagesBuilt = (folder) => isCurrent(folder, pages);

/** @param {string} folder the checkout */
export async function buildPages(folder) {
  say('Building the pages …');
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  await rebuild(folder, pages, async (fresh) => {
    const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
    const end = await runCaptured(pinnedNode(folder), args, { cwd: join(folder, 'web') });
    if (end.code !== 0) throw new Refusal(`${end.output.trimEnd()}\n\nThe pages in web/ do not build: see above.`);
    compress(join(fresh, 'assets'));
  });
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
