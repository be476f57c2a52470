// The profiles: `npm run bench -- profiles` shows what the service spends CPU time and memory on, beside its limits.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createArena } from '../arena.ts';
import type { Server } from '../children.ts';
import { ACCOUNTS, createLatchkey, paths, signIns } from '../latchkey.ts';
import { bearers, type Call, CONNECTIONS, get, type Load, post, SIGN_IN_CONNECTIONS } from '../load.ts';
import { dateOfRun } from '../report.ts';
import { wholePlan } from '../rounds.ts';
import { crowds, openPostgres, startAmong } from '../scale.ts';
import { readMemory, sumOf } from './memory.ts';
import { type Profiled, renderProfiles, type Table } from './page.ts';
import { partsOf } from './parts.ts';
import { readThreads } from './threads.ts';

const PAGE = join(import.meta.dirname, '../../docs/reference/profiles.md');

const WARM_UP_SECONDS = 10;
const SECONDS = 20;
const LIVE_TOKENS = 10_000;
/** More than the service remembers verdicts for, so that each check verifies a signature. */
const WARM_UP_TOKENS = 30_000;
/** As many as are checked in about `SECONDS`. */
const FRESH_TOKENS = 7000 * SECONDS;
const IDLE_MS = 2000;
const LOOK_MS = 200;

const arena = createArena({ plan: wholePlan, withPeers: false });
const { driver } = arena;
const folder = arena.newFile();

/** The loads of one program; `database` reads the CPU time of another process that works for it, in seconds. */
type Work = { readonly warmUp: Load; readonly load: Load; readonly database?: () => number };

/** Sends the loads, stops the program, and reads the profile that it has written. */
async function profile(name: string, server: Server, { warmUp, load, database }: Work): Promise<Profiled> {
  await driver.drive(warmUp);
  const look = () => ({ ...readThreads(server.pid), database: database?.() ?? 0 });
  const before = look();
  const { requests, seconds, failures } = await driver.drive(load);
  const after = look();
  await server.stop();
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed.`);
  const [file = ''] = globSync(`*.${server.pid}.*.cpuprofile`, { cwd: folder });
  const parts = partsOf(JSON.parse(readFileSync(join(folder, file), 'utf8')), seconds);
  process.stderr.write('.');
  return { name, requests, before, after, parts };
}

/** One call over and over. */
const repeat = (load: (seconds: number) => Load): Work => ({ warmUp: load(WARM_UP_SECONDS), load: load(SECONDS) });

const latchkey = createLatchkey(arena.newFile());
const prepared = await latchkey.prepare(LIVE_TOKENS + WARM_UP_TOKENS + FRESH_TOKENS + 2 * CONNECTIONS);
const calls = bearers(prepared.tokens);
const take = (count: number) => calls.splice(0, count);

/** A call of the service, and what bare Fastify does under a path of its own with an answer of the service. */
type Pair = { readonly path: string; readonly limit: string; readonly limitPath: string };

async function profileBoth(
  title: string,
  { path, limit, limitPath }: Pair,
  work: (url: string) => Work,
): Promise<Table> {
  const server = arena.keep(await latchkey.start());
  const fastify = await arena.startFastify(server, prepared);
  return {
    title,
    profiled: [
      await profile('Latchkey', server, work(server.url + path)),
      await profile(limit, fastify, work(fastify.url + limitPath)),
    ],
  };
}

async function profileTokenCheck(): Promise<Table> {
  const live = take(LIVE_TOKENS);
  const pair = { path: paths.currentLogin, limit: 'bare Fastify', limitPath: '/constant' };
  return profileBoth('Token check', pair, (url) => repeat((seconds) => get(url, live, seconds)));
}

async function profileFirstCheck(): Promise<Table> {
  const [warm, fresh] = [take(WARM_UP_TOKENS), take(FRESH_TOKENS)];
  const pair = { path: paths.currentLogin, limit: 'Fastify, one verification', limitPath: '/verified' };
  return profileBoth('Token check, every token for the first time', pair, (url) => ({
    warmUp: get(url, warm, WARM_UP_SECONDS),
    load: { ...get(url, fresh, SECONDS), amount: FRESH_TOKENS },
  }));
}

const refreshes = (url: string, own: () => Call[]): Work =>
  repeat((seconds) => ({ ...post(url, own(), seconds), follows: 'result.accessToken' }));

async function profileRefresh(): Promise<Table> {
  const server = arena.keep(await latchkey.start());
  const limit = await arena.startRefreshLimit(prepared.tokens[0] ?? '');
  const postgres = await openPostgres(arena);
  const elsewhere = createLatchkey(arena.newFile(), { LATCHKEY_DATABASE_URL: await postgres.create('profiles') });
  const others = bearers((await elsewhere.prepare(2 * CONNECTIONS)).tokens);
  const node = arena.keep(await elsewhere.start());
  return {
    title: 'Refresh',
    profiled: [
      await profile(
        'Latchkey',
        server,
        refreshes(server.url + paths.refresh, () => take(CONNECTIONS)),
      ),
      await profile(
        'Fastify, verification, signature, commit',
        limit,
        refreshes(`${limit.url}/refresh`, () => []),
      ),
      await profile('Latchkey on PostgreSQL', node, {
        ...refreshes(node.url + paths.refresh, () => others.splice(0, CONNECTIONS)),
        database: postgres.cpu,
      }),
    ],
  };
}

async function profileGrowth(engine: 'SQLite' | 'PostgreSQL'): Promise<Table> {
  const profiled: Profiled[] = [];
  for (const { size, others } of crowds) {
    const postgres = engine === 'PostgreSQL' ? await openPostgres(arena) : undefined;
    const { server, tokens } = await startAmong(others, 2 * CONNECTIONS, arena, postgres);
    const own = bearers(tokens);
    const work = refreshes(server.url + paths.refresh, () => own.splice(0, CONNECTIONS));
    profiled.push(await profile(size, server, { ...work, ...(postgres && { database: postgres.cpu }) }));
  }
  return { title: `Refresh on ${engine}, by the number of accounts and sessions`, profiled };
}

async function profileSignIn(): Promise<Table> {
  const pair = { path: paths.authenticate, limit: 'Fastify and one hash', limitPath: '/hash' };
  return profileBoth('Sign-in', pair, (url) => repeat((seconds) => post(url, signIns, seconds)));
}

/** CPU time of the nodes without PostgreSQL's. Unlike the benchmark, it measures one node first, then two. */
async function profileNodes(): Promise<Table> {
  const LATCHKEY_DATABASE_URL = await (await openPostgres(arena)).create('nodes');
  const service = createLatchkey(arena.newFile(), { LATCHKEY_DATABASE_URL });
  await service.prepare(0);
  const start = async () => arena.keep(await service.start());
  const profileNode = (name: string, node: Server, own: readonly Call[]) => {
    const signIn = (seconds: number) => post(node.url + paths.authenticate, own, seconds);
    const work = repeat((seconds) => ({ ...signIn(seconds), connections: SIGN_IN_CONNECTIONS }));
    return profile(name, node, work);
  };
  const alone = await profileNode('one node', await start(), signIns);
  const [first, second] = [await start(), await start()];
  const both = await Promise.all([
    profileNode('first of two', first, signIns.slice(0, ACCOUNTS / 2)),
    profileNode('second of two', second, signIns.slice(ACCOUNTS / 2)),
  ]);
  return { title: 'Sign-in on PostgreSQL, by the number of nodes', profiled: [alone, ...both] };
}

/** Memory two seconds after the start, and at its most while people sign in. */
async function profileMemory() {
  const server = await latchkey.start();
  await sleep(IDLE_MS);
  const idle = readMemory(server.pid);
  let most = idle;
  const timer = setInterval(() => {
    const now = readMemory(server.pid);
    if (sumOf(now) > sumOf(most)) most = now;
  }, LOOK_MS);
  await driver.drive(post(server.url + paths.authenticate, signIns, WARM_UP_SECONDS));
  clearInterval(timer);
  await server.stop();
  return { idle, 'signing in': most };
}

/** Programs that start from now on write a profile when they end. The driver has started before. */
function profileWhatStarts() {
  const end = '--import=data:text/javascript,process.once(`SIGTERM`,()=>process.exit())';
  process.env.NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${folder} ${end}`;
}

try {
  const memory = await profileMemory();
  profileWhatStarts();
  const tables: Table[] = [];
  for (const measure of [
    profileTokenCheck,
    profileFirstCheck,
    profileRefresh,
    () => profileGrowth('SQLite'),
    () => profileGrowth('PostgreSQL'),
    profileSignIn,
    profileNodes,
  ])
    tables.push(await measure());
  const page = renderProfiles({ date: dateOfRun(), seconds: SECONDS, tables, memory });
  writeFileSync(PAGE, page);
  process.stdout.write(`\n${page}\nWritten to docs/reference/profiles.md.\n`);
} finally {
  await arena.close();
}
