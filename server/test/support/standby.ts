// A PostgreSQL primary with a synchronous standby: real servers, of which a test kills one and promotes the other.
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

/** Two servers, of which one is the primary; `rejoin` makes a standby of the other, as the guide says. */
export interface StandbyPair {
  /** Addresses of both, as in `postgres://USER@ADDRESSES/DATABASE`. */
  readonly addresses: string;
  /** The address of one. */
  readonly primary: () => string;
  readonly standby: () => string;
  /** From now on nothing that the primary writes gets to its standby, and neither is told. */
  cut(): void;
  /** Ends every process of the primary by SIGKILL. */
  kill(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Makes a copy of the primary where the other server was, and waits until it is a synchronous standby. */
  rejoin(): Promise<void>;
  /** Stops every process of the primary where it stands: to all who ask it, it hangs. */
  suspend(): Promise<void>;
  /** Lets what was suspended go on: an old primary by now, that nobody has told. */
  resume(): void;
  /** Runs statements on the primary. */
  query(text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** What goes from a server to its standby goes through here. */
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

/** The ids of all processes of a server, the first of which is suspended: it makes no more of them. */
async function suspendPostmaster({ process: postmaster, ...server }: Server): Promise<number[]> {
  if (!postmaster?.pid) return [];
  const pids = await onServer(server, async (client) => {
    postmaster.kill('SIGSTOP');
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    return rows.map(({ pid }) => pid);
  });
  return [postmaster.pid, ...pids];
}

/** Sends a signal to those that there still are. */
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

/** A base backup of a running server by the low-level API, which needs no program, set up to follow it. */
async function copyServer({ user }: PostgresSite, from: Server, to: Server, link: Link) {
  rmSync(to.data, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    const path = join(to.data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
  };
  await onServer(from, async (client) => {
    await client.query("select pg_backup_start('standby', fast => true)");
    // Files that go away meanwhile are no loss: what was done to them stands in the write-ahead log.
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

/** Starts both; whoever calls this stops them. */
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
