// Programs in folders of their own, with lock files of their own: too large for the packages of the project.
import { spawnSync } from 'node:child_process';

/** Runs `npm ci` in a folder; packages run no scripts. @returns whether all packages are there. */
export function installExactly(cwd: string): boolean {
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const script = process.env.npm_execpath;
  const [npm, args] = script ? [process.execPath, [script, ...flags]] : ['npm', flags];
  return spawnSync(npm, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
