// Directus: a peer with its own folder, because it is large and its SQLite binding must be compiled.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installExactly } from '../server/test/support/own-packages.ts';
import { freePort, runCommand, type Server, startCommand } from './children.ts';
import { PASSWORD } from './latchkey.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'bench/peers/directus');
const modules = join(folder, 'node_modules');
/** The program that the command `directus` runs after it has checked a server for updates. */
const cli = join(modules, '@directus/api/dist/cli/run.js');
const sqlite = join(modules, 'sqlite3');

const EMAIL = 'admin@example.com';

/**
 * Installs what its lock file names, once, with one exception to Directus's own list: an isolated-vm that exists for
 * the pinned Node. It runs scripts of flows and extensions, which the benchmark does not have.
 * @returns false, with a message, when that fails (offline, no compiler).
 */
export function installDirectus(): boolean {
  if (isDirectusInstalled()) return true;
  process.stderr.write('\nInstalling Directus, which takes some minutes …\n');
  const isInstalled = installExactly(folder) && compileBinding();
  if (!isInstalled) process.stderr.write('Directus could not be installed: the figure goes on without it.\n');
  return isInstalled;
}

export const isDirectusInstalled = () => existsSync(join(sqlite, 'build/Release/node_sqlite3.node'));

/** The measured version. */
export function directusVersion(): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies.directus;
}

/** Compiles the binding from the source in its package: only content that the lock file verifies is fetched. */
function compileBinding(): boolean {
  const args = [join(modules, 'node-gyp/bin/node-gyp.js'), 'rebuild', '--jobs=max', '--loglevel=error'];
  // The pinned Node, with its headers.
  const pinned = join(root, 'node_modules/node/node_modules', `node-${process.platform}-${process.arch}`);
  const env = { ...process.env, npm_config_nodedir: pinned, CFLAGS: '-w' };
  return spawnSync(process.execPath, args, { cwd: sqlite, env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/**
 * Starts a Directus as its documentation sets it up, on SQLite, rate limits off.
 * @param dataDir a folder that does not exist yet.
 * @returns also the refresh tokens of this many sessions, all of the administrator.
 */
export async function startDirectus(
  dataDir: string,
  sessions: number,
): Promise<{ server: Server; refreshTokens: string[] }> {
  mkdirSync(dataDir);
  const port = await freePort();
  // None of the caller's own variables: they may name a real database.
  const env = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: 'not a secret: this database lives as long as the benchmark',
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(dataDir, 'data.db'),
    // Sessions are opened without the cost of hashing; a refresh hashes nothing.
    HASH_MEMORY_COST: '1024',
    RATE_LIMITER_ENABLED: 'false',
    // It would reject requests while the event loop is full, which is what this figure measures.
    PRESSURE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  };
  await runCommand([cli, 'bootstrap'], { cwd: dataDir, env });
  const server = await startCommand([cli, 'start'], { cwd: dataDir, env, port, path: '/server/ping' });
  const refreshTokens: string[] = [];
  while (refreshTokens.length < sessions) refreshTokens.push(await signIn(server));
  return { server, refreshTokens };
}

/** The path of its refresh. */
export const DIRECTUS_REFRESH = '/auth/refresh';

async function signIn({ url }: Server): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD, mode: 'json' }),
  });
  if (!answer.ok) throw new Error(`Directus answered a sign-in with ${answer.status}: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { refresh_token: string } };
  return data.refresh_token;
}
