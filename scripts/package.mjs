// The package in dist/package: the service as one bundle, its pages and the SDK. Built if its sources have changed.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured } from './child.mjs';
import { pinnedNode, Refusal, say } from './layout.mjs';
import { isCurrent, rebuild } from './products.mjs';

/** @type {import('./products.mjs').Product} */
const product = {
  target: 'dist/package',
  sources: ['server/src', 'sdk/src', 'sdk/types', 'user-files/src', 'scripts/bundle', 'docs', 'deploy'],
  files: [
    'server/package.json',
    'server/extension.d.ts',
    'web/dist/.built-from',
    'sdk/package.json',
    'sdk/tsconfig.json',
    'user-files/package.json',
    'tsconfig.json',
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
  ],
};

/** The names of the modules of a build, without those that it keeps of the build before. */
const ownModules = '.modules.json';

/** @param {string} folder the checkout, whose pages are built */
export const isPackaged = (folder) => isCurrent(folder, product);

/** @param {string} folder the checkout, whose pages are built */
export async function buildPackage(folder) {
  say('Bundling the service …');
  await rebuild(folder, product, async (fresh) => {
    const end = await runCaptured(pinnedNode(folder), ['scripts/bundle/main.ts', fresh], { cwd: folder });
    if (end.code !== 0) throw new Refusal(`${end.output.trimEnd()}\n\nThe service does not bundle: see above.`);
    keepFormerModules(join(folder, product.target, 'server'), join(fresh, 'server'));
  });
}

/**
 * Copies the modules of the former build that the fresh one lacks: a service that runs from the former build loads some of
 * them only when it needs them. Their names have a hash of their content.
 * @param {string} former
 * @param {string} fresh
 */
export function keepFormerModules(former, fresh) {
  const own = readdirSync(fresh);
  const list = join(former, ownModules);
  const kept = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const name of kept) if (!own.includes(name)) cpSync(join(former, name), join(fresh, name));
  writeFileSync(join(fresh, ownModules), JSON.stringify(own));
}
