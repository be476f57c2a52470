// The scripts that packages run when npm installs them: only packages in `allowScripts` of package.json may have one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from '../layout.mjs';

type Locked = { link?: boolean; hasInstallScript?: boolean };

const LIFECYCLE = ['preinstall', 'install', 'postinstall'];

/**
 * Returns how the list differs from the packages: those of the lock file, for every platform, and those on the disk.
 * @param folder the checkout
 * @returns one sentence for each difference
 */
export function checkInstallScripts(folder: string): string[] {
  const allowed = Object.keys(read(folder, 'package.json').allowScripts);
  const locked: [string, Locked][] = Object.entries(read(folder, 'package-lock.json').packages);
  const running = locked.filter(([path, { link, hasInstallScript }]) => {
    if (link || !path.includes('node_modules/')) return false;
    return hasInstallScript || runsScript(join(folder, path));
  });
  const names = [...new Set(running.map(([path]) => path.replace(/^.*node_modules\//, '')))];
  const added = names.filter((name) => !allowed.includes(name));
  const gone = allowed.filter((name) => !names.includes(name));
  return [
    ...added.map((name) => `${name} runs a script at install: read it, then list it in allowScripts of package.json.`),
    ...gone.map((name) => `${name} runs no script at install: remove it from allowScripts of package.json.`),
  ];
}

/** Returns whether an installed package runs a script; one for another platform is not installed. */
function runsScript(folder: string): boolean {
  if (!existsSync(join(folder, 'package.json'))) return false;
  const { scripts = {} } = read(folder, 'package.json');
  // npm compiles a package with this file even if its manifest names no script.
  return LIFECYCLE.some((name) => name in scripts) || existsSync(join(folder, 'binding.gyp'));
}

function read(folder: string, name: string) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

if (import.meta.main) {
  const complaints = checkInstallScripts(root);
  for (const complaint of complaints) say(complaint);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
