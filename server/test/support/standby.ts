// A PostgreSQL primary with a synchronous standby: real servers; tests kill one and promote the other.
import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './ports.ts';
import { createPostgresSite, initPostgres, type PostgresSite, runPostgres } from './postgres.ts';

const LOOK_MS = 50;

type Server = { readonly data: string; readonly port: number; process?: ChildProcess | undefined };

/** Two servers, one of them the primary; `rejoin` makes the other its standby, as the guide says. */
export interface StandbyPair {
  /** Addresses of both, as in `postgres://USER@ADDRESSES/DATABASE`. */
  readonly addresses: string;
  /** The address of one server. */
  readonly primary: () => string;
  readonly standby: () => string;
  /** From now on the primary's writes do not reach its standby, and neither server is told. */
  cut(): void;
  /** Kills every process of the primary with SIGKILL. */
  kill(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  /** Copies the primary to the other server's folder, and waits until the copy is a synchronous standby. */
  rejoin(): Promise<void>;
  /** Suspends every process of the primary: its clients see it hang. */
  suspend(): Promise<void>;
  /** Resumes the suspended server, which by now is an old primary and does not know it. */
  resume(): void;
  /** Runs statements on the primary. */
  query(text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** Carries all traffic from a server to its standby. */
type Link = { readonly port: number; cut(): void; close(): void };

async function openLink(to: number): Promise<Link> {
  const sockets: Socket[] = [];
  let isCut = false;
  const join = (from: Socket, into: Socket) => {
    sockets.push(from);
    from.on('error', () => {});
    from.on('close', () => into.destroy());
    from.on('data', (chunk) => void (isCut || into.write(chunk)));
  };
  const server = createServer((socket) => {
    const upstream = connect(to, '127.0.0.1');
    join(socket, upstream);
    join(upstream, socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      isCut = true;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const addressOf = ({ port }: Server) => `127.0.0.1:${port}`;

async function onServer<Result>(server: Server, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(`postgres://postgres@${addressOf(server)}/postgres`);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    void client.end();
  }
}

/** The ids of all processes of a server. The first is suspended before, so that it starts no more of them. */
async function suspendPostmaster({ process: postmaster, ...server }: Server): Promise<number[]> {
  if (!postmaster?.pid) return [];
  const pids = await onServer(server, async (client) => {
    postmaster.kill('SIGSTOP');
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    return rows.map(({ pid }) => pid);
  });
  return [postmaster.pid, ...pids];
}

/** Sends a signal to the processes that still exist. */
function signalAll(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function killAll(server: Server) {
  if (!server.process) return;
  const exited = once(server.process, 'exit');
  signalAll(await suspendPostmaster(server), 'SIGKILL');
  await exited;
  server.process = undefined;
}

/** A base backup of a running server by the low-level API, which needs no program, configured to follow it. */
async function copyServer({ user }: PostgresSite, from: Server, to: Server, link: Link) {
  rmSync(to.data, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    const path = join(to.data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
  };
  await onServer(from, async (client) => {
    await client.query("select pg_backup_start('standby', fast => true)");
    // Files that disappear meanwhile are no loss: the write-ahead log holds their changes.
    spawnSync('cp', ['-R', from.data, to.data], user);
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    write('backup_label', rows[0].labelfile);
  });
  rmSync(join(to.data, 'postmaster.pid'), { force: true });
  write('standby.signal', '');
  write('postgresql.auto.conf', `primary_conninfo = 'host=127.0.0.1 port=${link.port} user=postgres'\n`);
}

async function until(what: string, server: Server, query: string) {
  await onServer(server, async (client) => {
    for (let looks = 0; (await client.query(query)).rowCount === 0; looks += 1) {
      if (looks > 1000) throw new Error(`In vain: ${what}.`);
      await sleep(LOOK_MS);
    }
  });
}

/** Starts both; the caller stops them. */
export async function startStandbyPair(): Promise<StandbyPair> {
  const site = await createPostgresSite();
  const makeServer = async (name: string): Promise<Server> => ({
    data: join(site.folder, name),
    port: await findFreePort(),
  });
  let primary = await makeServer('a');
  let other = await makeServer('b');
  const servers = [primary, other];
  let link: Link | undefined;
  let suspended: number[] = [];
  const run = async (server: Server) => {
    server.process = await runPostgres(site, server.data, server.port);
  };

  const pair: StandbyPair = {
    addresses: servers.map(addressOf).join(','),
    primary: () => addressOf(primary),
    standby: () => addressOf(other),
    cut: () => link?.cut(),
    kill: () => killAll(primary),
    async promote() {
      await onServer(other, (client) => client.query('select pg_promote()'));
      [primary, other] = [other, primary];
    },
    async rejoin() {
      await killAll(other);
      link?.close();
      link = await openLink(primary.port);
      await copyServer(site, primary, other, link);
      await run(other);
      await onServer(primary, async (client) => {
        await client.query("alter system set synchronous_standby_names = '*'");
        await client.query('select pg_reload_conf()');
      });
      await until('a synchronous standby', primary, "select 1 from pg_stat_replication where sync_state = 'sync'");
    },
    async suspend() {
      suspended = await suspendPostmaster(primary);
      signalAll(suspended, 'SIGSTOP');
    },
    resume() {
      signalAll(suspended, 'SIGCONT');
      suspended = [];
    },
    query: (text) => onServer(primary, async (client) => (await client.query(text)).rows),
    async stop() {
      link?.close();
      for (const { process: postmaster } of servers) {
        if (!postmaster || postmaster.exitCode !== null) continue;
        postmaster.kill('SIGQUIT');
        await once(postmaster, 'exit');
      }
      rmSync(site.folder, { recursive: true, force: true });
    },
  };
  initPostgres(site, primary.data);
  await run(primary);
  await pair.rejoin();
  return pair;
}
