// The SDK: a package of its own inside the package of the service, because applications run on an older Node than the service.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../layout.mjs';
import { describeLicenses } from './licenses.ts';
import { failOnWarning, packagesIn } from './packages.ts';

const manifest = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'));

/** Each entry: its module, and its types if they are those of another file. */
const entries: readonly { name: string; module: string; types?: string }[] = [
  { name: '', module: 'index' },
  { name: '/next', module: 'next/index' },
  { name: '/server', module: 'server/index' },
  { name: '/session', module: 'session/index' },
  { name: '/testing', module: 'testing/index' },
  { name: '/verify', module: 'verify/index' },
  // They declare `request.auth` and `request.signedIn`, which needs the types of the framework.
  { name: '/verify/express', module: 'verify/index', types: 'verify/express' },
  { name: '/verify/fastify', module: 'verify/index', types: 'verify/fastify' },
  { name: '/session/express', module: 'session/index', types: 'session/express' },
  { name: '/session/fastify', module: 'session/index', types: 'session/fastify' },
];

/**
 * Returns what the `exports` of a manifest say of the entries.
 * @param client the name of the entry with the browser client
 * @param folder the folder of the SDK, relative to the manifest
 */
export const describeEntries = (client: string, folder: string): object =>
  Object.fromEntries(
    entries.map(({ name, module, types = module }) => [
      name === '' ? client : `.${name}`,
      { types: `${folder}/${types}.d.ts`, default: `${folder}/${module}.js` },
    ]),
  );

/**
 * Fills the folder `target` with the package of the SDK.
 * @param repository the repository of the project, for the manifest
 * @returns the folders of the npm packages whose code it contains
 */
export async function buildSdk(target: string, repository: unknown): Promise<string[]> {
  const packages: string[] = [];
  for (const module of new Set(entries.map((entry) => entry.module))) {
    const input = `sdk/src/${module}.ts`;
    const bundle = await rolldown({
      cwd: root,
      platform: 'browser',
      input,
      external: /^(next\/|node:)/,
      onLog: failOnWarning,
    });
    const { output } = await bundle.write({ file: join(target, `${module}.js`), format: 'esm' });
    await bundle.close();
    packages.push(...packagesIn(output));
  }
  writeTypes(target);
  cpSync(join(root, 'scripts/bundle/sdk.md'), join(target, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.md'), describeLicenses(packages));
  const { name, version, description, license, type, sideEffects, engines } = manifest;
  const { peerDependencies, peerDependenciesMeta } = manifest;
  const exports = { ...describeEntries('.', '.'), './package.json': './package.json' };
  const peers = { peerDependencies, peerDependenciesMeta };
  const published = { name, version, description, license, repository, type, sideEffects, engines, exports, ...peers };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
  return packages;
}

function writeTypes(target: string) {
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  const folders = ['--project', join(root, 'sdk'), '--rootDir', join(root, 'sdk/src'), '--outDir', target];
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  execFileSync(process.execPath, [compiler, ...folders, ...options], { stdio: 'inherit' });
  cpSync(join(root, 'sdk/types'), target, { recursive: true });
}
