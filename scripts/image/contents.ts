// The contents of the image: Node with the libraries that it loads, and the package with its native dependencies.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { TarEntry } from 'modern-tar';
import { root } from '../layout.mjs';
import { librariesOfDebian } from './debian.ts';
import { directory, file, filesBelow, symlink } from './layer.ts';

/** The user that runs the service. It owns /data. */
export const USER_ID = 10_001;

const NODE = '/usr/bin/node';
const PACKAGE = '/usr/lib/node_modules/latchkey';

const require = createRequire(join(root, 'server/package.json'));

/**
 * Returns the entries of the two layers: `runtime` changes with Node and Debian, `service` with Latchkey.
 * @param folder the built package.
 * @throws Refusal if this system is not made from Debian.
 */
export function readContents(folder: string): { runtime: TarEntry[]; service: TarEntry[] } {
  const native = Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies);
  const { libraries, addons } = loadObjects(native);
  return { runtime: runtimeEntries(libraries), service: serviceEntries(folder, [...native.map(folderOf), ...addons]) };
}

/** Loads the packages. Returns the shared libraries in this process, and the folders of native addons. */
function loadObjects(packages: readonly string[]): { libraries: string[]; addons: string[] } {
  for (const name of packages) require(name);
  const report = process.report.getReport() as { sharedObjects: string[] };
  const paths = report.sharedObjects.filter((path) => path.startsWith('/')).sort();
  return {
    libraries: paths.filter((path) => !path.endsWith('.node')),
    addons: paths.filter((path) => path.endsWith('.node')).map(dirname),
  };
}

const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));

function runtimeEntries(libraries: readonly string[]): TarEntry[] {
  return [
    file(NODE, readFileSync(process.execPath), 0o755),
    file('/usr/share/doc/node/LICENSE', readFileSync(join(import.meta.dirname, 'node-license.txt'))),
    ...librariesOfDebian(libraries),
    file('/etc/passwd', `root:x:0:0::/:/sbin/nologin\nlatchkey:x:${USER_ID}:${USER_ID}::/data:/sbin/nologin\n`),
    file('/etc/group', `root:x:0:\nlatchkey:x:${USER_ID}:\n`),
    // Without this file, glibc asks DNS before it reads /etc/hosts.
    file('/etc/nsswitch.conf', 'hosts: files dns\n'),
    directory('/data', { mode: 0o700, owner: { uid: USER_ID, gid: USER_ID } }),
    directory('/tmp', { mode: 0o1777 }),
  ];
}

/** @param dependencies folders in node_modules. */
function serviceEntries(folder: string, dependencies: readonly string[]): TarEntry[] {
  const launcher = readFileSync(join(folder, 'latchkey.mjs'), 'utf8');
  return [
    ...filesBelow(folder, PACKAGE),
    ...dependencies.flatMap((from) => filesBelow(from, `${PACKAGE}/${relative(root, from)}`)),
    // The image has no /usr/bin/env.
    file(`${PACKAGE}/latchkey.mjs`, launcher.replace(/^#!.*/, `#!${NODE}`), 0o755),
    symlink('/usr/bin/latchkey', '../lib/node_modules/latchkey/latchkey.mjs'),
  ];
}
