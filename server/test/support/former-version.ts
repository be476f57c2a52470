// The version before this one, built from the commit that `scripts/former-version.json` names.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

export type FormerVersion = {
  /** Its command line. */
  readonly program: string;
  remove(): void;
};

/** Builds the former version in a folder of its own, with its own dependencies. */
export function buildFormerVersion(): FormerVersion {
  const { commit } = JSON.parse(readFileSync(join(root, 'scripts/former-version.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-former-'));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder], { stdio: 'inherit' });
  run('git', 'checkout', '--quiet', commit);
  // A command that needs the built program: it installs and builds first.
  run('npm', 'run', '--silent', 'latchkey', '--', '--version');
  return {
    program: join(folder, 'dist/package/server/main.js'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
