// Revocation: how soon verifiers in other services refuse a token, what a verification costs them, and how many can follow.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.ts';
import { cpuSeconds, residentMemory, type Server, startHashing, startProgram, stop } from './children.ts';
import { type Contestant, hashing } from './contestants.ts';
import { fillRevocations } from './fill.ts';
import type { Following, Started, Verifying } from './following.ts';
import { createLatchkey, environmentOf, paths, serve } from './latchkey.ts';
import { bearers, CONNECTIONS, type Seen } from './load.ts';
import { expectRounds, format, renderFigure, renderSection, type Section } from './report.ts';
import { describeRounds } from './rounds.ts';
import { runRounds } from './runner.ts';
import { openPostgres } from './scale.ts';

const PROGRAM = join(import.meta.dirname, 'following.ts');
const ISSUER = environmentOf('').LATCHKEY_PUBLIC_URL;
const SIGN_OFFS = 5000;

/** Evenly spaced, or fewer if the service takes longer. */
const SIGN_OFFS_PER_SECOND = 200;
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
      const common = {
        connections: CONNECTIONS,
        seconds: LOAD_SECONDS,
        method: 'POST',
        follows: 'result.accessToken',
      } as const;
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
    perSecond: SIGN_OFFS_PER_SECOND,
    tokens: tokens.slice(REFRESHED),
  });
  isOver = true;
  await Promise.all([loading, stop(child)]);
  return ready;
}

const refusals: Section = {
  name: 'revocation',
  title: 'From a sign-off to the refusal in another service (ms)',
  expect: () => 6 * (SIGN_OFFS / SIGN_OFFS_PER_SECOND + 10),
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
        if (isLoaded) lines.push([`${name}, under load`, ...row, '', '']);
        else lines.push([name, ...row, `≤ ${bound}`, p99 <= bound ? 'met' : 'missed']);
      }
    }
    const about = `${format(SIGN_OFFS)} sign-offs, evenly spaced: from the answer of the sign-off until \`latchkey/verify\`, which follows the feed in the same process, refuses the token. The load refreshes tokens over ${CONNECTIONS} connections as fast as it can. Service, PostgreSQL, load and verifier share the cores. The process looks every millisecond. The target is for p99 without load.`;
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
  expect: ({ calls }) => expectRounds(calls, 4),
  async measure(arena) {
    const { nodes, tokens, serviceKey } = await open(arena, { nodes: 1, tokens: 1000 });
    const [node = fail('no node')] = nodes;
    const contestants: Contestant[] = [];
    for (const how of ['first', 'jose', 'again', 'introspection'] as const) {
      const options: Following = { does: 'verify', how, issuer: ISSUER, serviceUrl: node.url, serviceKey, tokens };
      const program = arena.keep(await startHashing(PROGRAM, options));
      contestants.push(hashing(ways[how], program, how === 'jose' ? { ratio: { atLeast: 0.9 } } : 'shown'));
    }
    const about = `1000 tokens in rotation, ${CONNECTIONS} at once, in one process. CPU is that of this process: introspection also takes that of the service. *ratio* compares the first line. ${describeRounds(arena.plan.calls)}`;
    const lines = await runRounds(contestants, arena.plan.calls);
    return renderFigure({ title: 'Verification in another service', unit: 'per second', about }, lines);
  },
};

const listeners: Section = {
  name: 'listeners',
  title: 'Listeners of the revocation feed',
  expect: () => 40,
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

/** The start of a verifier, from an empty memory. */
async function measureStart(url: string, dataDir: string): Promise<readonly number[]> {
  const variables = environmentOf(dataDir, { LATCHKEY_DATABASE_URL: url });
  await createLatchkey(dataDir, variables).prepare(1);
  await fillRevocations(url, MILLION);
  const node = await serve(variables);
  const serviceKey = createKey(variables);
  const used = cpuSeconds(node.pid);
  const { child, ready } = await follow<Started>({ does: 'start', issuer: ISSUER, serviceUrl: node.url, serviceKey });
  const service = cpuSeconds(node.pid) - used;
  await stop(child);
  await node.stop();
  return [ready.seconds, service, ready.sessions, ready.bytes / 1_000_000];
}

const start: Section = {
  name: 'verifier-start',
  title: 'The start of a verifier',
  expect: () => 90,
  async measure(arena) {
    const dataDir = arena.newFile();
    const sqlite = await measureStart(`sqlite:${dataDir}/latchkey.db`, dataDir);
    const postgres = await measureStart(await (await openPostgres(arena)).create('start'), arena.newFile());
    const about = `From an empty memory until \`latchkey/verify\` is ready, with a million entries in the feed of a node.`;
    const row = (name: string, index: number) => [name, format(sqlite[index]), format(postgres[index])];
    return renderSection({ title: start.title, about }, [
      ['', 'SQLite', 'PostgreSQL'],
      row('time, s', 0),
      row('CPU of the node, s', 1),
      row('entries', 2),
      row('memory of the entries, MB', 3),
    ]);
  },
};

/** `npm run bench -- revocation`, `verification`, `listeners`, `verifier-start`. */
export const revocation: readonly Section[] = [refusals, verification, listeners, start];
