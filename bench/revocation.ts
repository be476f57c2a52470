// Revocation: how soon verifiers in other services refuse a token, what a verification costs them, and how many can follow.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { cpuSeconds, residentMemory, type Server, startHashing, startProgram, stop } from './children.ts';
import { type Contestant, hashing } from './contestants.ts';
import type { Following, Started, Verifying } from './following.ts';
import { createLatchkey, environmentOf, paths, serve } from './latchkey.ts';
import { bearers, CONNECTIONS, type Seen } from './load.ts';
import { format, renderFigure, renderSection, type Section } from './report.ts';
import { runRounds } from './runner.ts';
import { openPostgres } from './scale.ts';

const PROGRAM = join(import.meta.dirname, 'following.ts');
const ISSUER = environmentOf('').LATCHKEY_PUBLIC_URL;
const SIGN_OFFS = 10_000;
const LISTENERS = 10_000;
const MILLION = 1_000_000;

/** Tokens that the load refreshes, in slices of as many as it has connections. */
const REFRESHED = 4000;
const LOAD_SECONDS = 2;

/** The published bound, in milliseconds: of one node, and of a node that reads what another has written. */
const BOUND_MS = { one: 20, other: 250 };

/** A service on a database: its nodes, valid tokens, and a key that follows the feed. */
type Followed = { readonly nodes: readonly Server[]; readonly tokens: readonly string[]; readonly serviceKey: string };

async function open(
  arena: Arena,
  { url, nodes, tokens }: { url?: string; nodes: number; tokens: number },
): Promise<Followed> {
  const dataDir = arena.newFile();
  const more = url === undefined ? {} : { LATCHKEY_DATABASE_URL: url };
  const prepared = await createLatchkey(dataDir, more).prepare(tokens);
  const variables = environmentOf(dataDir, more);
  const started: Server[] = [];
  while (started.length < nodes) started.push(arena.keep(await serve(variables)));
  return { nodes: started, tokens: prepared.tokens, serviceKey: createKey(variables) };
}

function createKey(variables: Readonly<Record<string, string>>): string {
  const words = ['service-keys', 'create', 'bench', '--permissions', 'introspect,revocations'];
  const main = join(import.meta.dirname, '../dist/package/server/main.js');
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...words], { env: variables, encoding: 'utf8' });
  return /lks_\S+/.exec(stdout)?.[0] ?? fail(stderr);
}

const fail = (message: string): never => {
  throw new Error(message);
};

const follow = <Result>(following: Following) => startProgram<Result>(PROGRAM, following);

/** Signs tokens off at the first node, while a verifier follows the last one. */
async function measureRefusals(
  arena: Arena,
  { nodes, tokens, serviceKey }: Followed,
  isLoaded: boolean,
): Promise<Seen> {
  const [first, last] = [nodes[0] ?? fail('no node'), nodes.at(-1) ?? fail('no node')];
  let isOver = false;
  async function load() {
    for (let from = 0; isLoaded && !isOver; from += CONNECTIONS) {
      const calls = bearers(tokens.slice(from, from + CONNECTIONS));
      const common = { connections: CONNECTIONS, seconds: LOAD_SECONDS, method: 'POST', follows: 'bearer' } as const;
      await arena.driver.drive({ ...common, url: first.url + paths.refresh, calls });
    }
  }
  const loading = load();
  const { child, ready } = await follow<Seen>({
    does: 'refuse',
    issuer: ISSUER,
    serviceUrl: last.url,
    signOffUrl: `${first.url}/api/TokenAuth/SignOff`,
    serviceKey,
    tokens: tokens.slice(REFRESHED),
  });
  isOver = true;
  await Promise.all([loading, stop(child)]);
  return ready;
}

const refusals: Section = {
  name: 'revocation',
  title: 'From a sign-off to the refusal in another service (ms)',
  async measure(arena) {
    const postgres = await openPostgres(arena);
    const lines: string[][] = [];
    let databases = 0;
    for (const [name, engine, nodes, bound] of [
      ['SQLite', 'sqlite', 1, BOUND_MS.one],
      ['PostgreSQL, one node', 'postgres', 1, BOUND_MS.one],
      ['PostgreSQL, the other one of two nodes', 'postgres', 2, BOUND_MS.other],
    ] as const) {
      for (const isLoaded of [false, true]) {
        databases += 1;
        const url = engine === 'sqlite' ? {} : { url: await postgres.create(`revocation${databases}`) };
        const followed = await open(arena, { ...url, nodes, tokens: REFRESHED + SIGN_OFFS });
        const { p50, p99, max, requests, seconds } = await measureRefusals(arena, followed, isLoaded);
        for (const node of followed.nodes) await node.stop();
        const row = [p50, p99, max, requests / seconds].map(format);
        lines.push([`${name}${isLoaded ? ', under load' : ''}`, ...row, `≤ ${bound}`, p99 <= bound ? 'met' : 'missed']);
      }
    }
    const about = `${format(SIGN_OFFS)} sign-offs of one process, four at a time: from the answer of the sign-off until \`latchkey/verify\`, which follows the feed in the same process, refuses the token. The load refreshes tokens over ${CONNECTIONS} connections as fast as it can, on the same ${'cores'}. The target is for p99 without it.`;
    return renderSection({ title: refusals.title, about }, [
      ['', 'p50', 'p99', 'max', 'sign-offs/s', 'target', ''],
      ...lines,
    ]);
  },
};

const ways: Record<Verifying, string> = {
  first: 'latchkey/verify, every token for the first time',
  again: 'latchkey/verify, tokens seen before',
  jose: 'jose alone: the signature and the claims',
  introspection: 'introspection for each request',
};

const verification: Section = {
  name: 'verification',
  title: 'Verification in another service (per second)',
  async measure(arena) {
    const { nodes, tokens, serviceKey } = await open(arena, { nodes: 1, tokens: 1000 });
    const [node = fail('no node')] = nodes;
    const contestants: Contestant[] = [];
    for (const how of ['first', 'jose', 'again', 'introspection'] as const) {
      const options: Following = { does: 'verify', how, issuer: ISSUER, serviceUrl: node.url, serviceKey, tokens };
      const program = arena.keep(await startHashing(PROGRAM, options));
      contestants.push(hashing(ways[how], program, arena.seconds, how === 'jose' ? { atLeast: 0.9 } : 'shown'));
    }
    const about = `1000 tokens in rotation, ${CONNECTIONS} at once, in one process; *ratio* compares with the first line.`;
    const lines = await runRounds(contestants, arena.rounds);
    return renderFigure({ title: 'Verification in another service', unit: 'per second', about }, lines);
  },
};

const listeners: Section = {
  name: 'listeners',
  title: 'Listeners of the revocation feed',
  async measure(arena) {
    const { nodes, tokens, serviceKey } = await open(arena, { nodes: 1, tokens: 10 });
    const [node = fail('no node')] = nodes;
    const before = residentMemory(node.pid);
    const { child } = await follow<unknown>({
      does: 'listen',
      issuer: ISSUER,
      serviceUrl: node.url,
      serviceKey,
      listeners: LISTENERS,
    });
    const seconds = 10;
    const idle = cpuSeconds(node.pid);
    await sleep(seconds * 1000);
    const beats = (cpuSeconds(node.pid) - idle) / seconds;
    const seen: Seen[] = [];
    for (const token of tokens) {
      const answer = once(child, 'message');
      child.send(token);
      seen.push((await answer)[0] as Seen);
    }
    const memory = residentMemory(node.pid);
    await stop(child);
    const worst = (pick: (one: Seen) => number) => format(Math.max(...seen.map(pick)));
    const about = `${format(LISTENERS)} streams to one node on SQLite. Times are from the answer of a sign-off until a listener has its event; of ${tokens.length} sign-offs, the slowest counts.`;
    return renderSection({ title: listeners.title, about }, [
      ['', 'value'],
      ['memory of the node before, MB', format(before)],
      ['memory with all listeners, MB', format(memory)],
      ['CPU of their beats, cores', format(beats)],
      ['p50 of the listeners, ms', worst(({ p50 }) => p50)],
      ['last listener, ms', worst(({ max }) => max)],
    ]);
  },
};

const start: Section = {
  name: 'verifier-start',
  title: 'The start of a verifier',
  async measure(arena) {
    const dataDir = arena.newFile();
    await createLatchkey(dataDir).prepare(1);
    const database = new DatabaseSync(join(dataDir, 'latchkey.db'));
    database.exec(`
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${MILLION})
      insert into revocation (transaction_id, number, at, session_id, generation, expires_at)
      select number, number, ${Date.now()}, lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)),
        substr(hex(randomblob(2)), 2), substr(hex(randomblob(2)), 2), hex(randomblob(6)))), 1, ${Date.now() + 86_400_000}
      from numbers`);
    database.close();
    const variables = environmentOf(dataDir);
    const node = arena.keep(await serve(variables));
    const used = cpuSeconds(node.pid);
    const { child, ready } = await follow<Started>({
      does: 'start',
      issuer: ISSUER,
      serviceUrl: node.url,
      serviceKey: createKey(variables),
    });
    await stop(child);
    const about = `From an empty memory until \`latchkey/verify\` is ready, with a million entries in the feed of a node on SQLite.`;
    return renderSection({ title: start.title, about }, [
      ['', 'value'],
      ['time, s', format(ready.seconds)],
      ['CPU of the service, s', format(cpuSeconds(node.pid) - used)],
      ['entries', format(ready.sessions)],
      ['memory of the entries, MB', format(ready.bytes / 1_000_000)],
    ]);
  },
};

/** `npm run bench -- revocation`, `verification`, `listeners`, `verifier-start`. */
export const revocation: readonly Section[] = [refusals, verification, listeners, start];
