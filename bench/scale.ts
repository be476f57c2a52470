// Scale: what a call costs with a million accounts and open sessions against a thousand, on two nodes against one, and on
// PostgreSQL against SQLite.
import pg from 'pg';
import { startPostgres } from '../server/test/support/postgres.ts';
import type { Arena } from './arena.ts';
import { cpuSeconds, familyCpuSeconds, type Server } from './children.ts';
import { type Contestant, efficiency, throughput } from './contestants.ts';
import { fill } from './fill.ts';
import { ACCOUNTS, createLatchkey, paths, signIns } from './latchkey.ts';
import { bearers, CONNECTIONS, get, type Load, post, SIGN_IN_CONNECTIONS } from './load.ts';
import { expectRounds, renderFigure, type Section } from './report.ts';
import { countTurns, describeRounds, type Plan, type Turn } from './rounds.ts';
import { type Line, runRounds } from './runner.ts';

/** Valid tokens of each database, in rotation. */
const TOKENS = 10_000;

/** The least that a million may answer, as a share of what a thousand does. */
const GROWTH = { ratio: { atLeast: 0.87 } } as const;
const NODES = { ratio: { atLeast: 0.95 } } as const;
const ENGINES = { cpuRatio: { atLeast: 0.5 } } as const;

/** To write a million accounts and sessions, in seconds. */
const FILLING = 120;

/** One of several servers that share a load. */
type Part = { readonly index: number; readonly servers: number };
const WHOLE: Part = { index: 0, servers: 1 };

/** One call as a load: the part of one server. */
type Ask = {
  readonly name: string;
  readonly rounds: keyof Plan;
  load(server: Server, tokens: readonly string[], turn: Turn, part: Part): Load;
};

const shareOf = <Value>(all: readonly Value[], { index, servers }: Part) =>
  all.slice((index * all.length) / servers, ((index + 1) * all.length) / servers);

function asks({ plan }: Arena): Ask[] {
  const refreshed = countTurns(plan.calls) * CONNECTIONS;
  return [
    {
      name: 'token check',
      rounds: 'calls',
      load: ({ url }, tokens, { seconds }, part) =>
        get(url + paths.currentLogin, bearers(shareOf(tokens.slice(refreshed * part.servers), part)), seconds),
    },
    {
      name: 'refresh',
      rounds: 'calls',
      // Requests of the previous turn are still under way when it ends: the next one begins with other sessions.
      load({ url }, tokens, { number, seconds }, { index, servers }) {
        const calls = bearers(tokens.slice((number * servers + index) * CONNECTIONS).slice(0, CONNECTIONS));
        return { ...post(url + paths.refresh, calls, seconds), follows: 'result.accessToken' };
      },
    },
  ];
}

const signInOver = (connections: number): Ask => ({
  name: 'sign-in',
  rounds: 'hashes',
  load({ url }, _tokens, { seconds }, part) {
    return { ...post(url + paths.authenticate, shareOf(signIns, part), seconds), connections };
  },
});

/** One PostgreSQL that makes commits durable, as in production, and new databases on it. */
export async function openPostgres(arena: Arena) {
  const postgres = arena.keep(await startPostgres({ fsync: 'on' }));
  process.once('exit', () => postgres.process.kill('SIGQUIT'));
  return {
    cpu: () => familyCpuSeconds(postgres.process.pid as number),
    async create(name: string) {
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return postgres.url.replace(/[^/]+$/, name);
    },
  };
}

/** Two sizes of a database: `others` are accounts with a session each that the load does not use. */
export const crowds = [
  { size: '1,000,000', others: 1_000_000 },
  { size: '1,000', others: 0 },
] as const;

type Postgres = Awaited<ReturnType<typeof openPostgres>>;

/** Starts a service on a database of its own, on SQLite if no PostgreSQL is given. */
export async function startAmong(others: number, tokenCount: number, arena: Arena, postgres: Postgres | undefined) {
  const dataDir = arena.newFile();
  const url = postgres ? await postgres.create(`among_${others}`) : `sqlite:${dataDir}/latchkey.db`;
  const latchkey = createLatchkey(dataDir, { LATCHKEY_DATABASE_URL: url });
  const { tokens } = await latchkey.prepare(tokenCount);
  if (others > 0) await fill(url, others);
  return { tokens, server: arena.keep(await latchkey.start()) };
}

async function measureGrowth(engine: 'SQLite' | 'PostgreSQL', arena: Arena): Promise<Line[]> {
  const postgres = engine === 'PostgreSQL' ? await openPostgres(arena) : undefined;
  const sizes: ({ size: string } & Awaited<ReturnType<typeof startAmong>>)[] = [];
  for (const { size, others } of crowds) sizes.push({ size, ...(await startAmong(others, TOKENS, arena, postgres)) });
  const contestants = ({ name, load }: Ask): Contestant[] =>
    sizes.map(({ size, server, tokens }, index) =>
      throughput(`${name}, ${size} accounts and sessions`, {
        server,
        driver: arena.driver,
        load: (turn) => load(server, tokens, turn, WHOLE),
        cpu: () => cpuSeconds(server.pid) + (postgres?.cpu() ?? 0),
        ...(index > 0 && { compared: GROWTH }),
      }),
    );
  return inTurn(asks(arena), contestants, arena);
}

async function measureNodes(arena: Arena): Promise<Line[]> {
  const url = await (await openPostgres(arena)).create('nodes');
  const latchkey = createLatchkey(arena.newFile(), { LATCHKEY_DATABASE_URL: url });
  const { tokens } = await latchkey.prepare(TOKENS);
  const nodes = [arena.keep(await latchkey.start()), arena.keep(await latchkey.start())];
  const contestants = ({ name, load }: Ask): Contestant[] =>
    [nodes, nodes.slice(0, 1)].map((servers, which) =>
      efficiency(`${name}, ${servers.length === 1 ? 'one node' : 'two nodes'}`, {
        servers,
        driver: arena.driver,
        // Each has its own sessions to refresh.
        load: (server, turn, index) =>
          load(server, shareOf(tokens, { index: which, servers: 2 }), turn, { index, servers: servers.length }),
        ...(which > 0 && { compared: NODES }),
      }),
    );
  return inTurn([...asks(arena), signInOver(SIGN_IN_CONNECTIONS)], contestants, arena);
}

/** The same load on both engines: CPU is that of the service and of PostgreSQL. */
async function measureEngines(arena: Arena): Promise<Line[]> {
  const postgres = await openPostgres(arena);
  const engines = [
    { engine: 'PostgreSQL', more: { LATCHKEY_DATABASE_URL: await postgres.create('engines') }, database: postgres.cpu },
    { engine: 'SQLite', more: {}, database: () => 0 },
  ];
  const started: ((typeof engines)[number] & { server: Server; tokens: readonly string[] })[] = [];
  for (const engine of engines) {
    const latchkey = createLatchkey(arena.newFile(), engine.more);
    const { tokens } = await latchkey.prepare(TOKENS);
    started.push({ ...engine, tokens, server: arena.keep(await latchkey.start()) });
  }
  const contestants = ({ name, load }: Ask): Contestant[] =>
    started.map(({ engine, database, server, tokens }, index) =>
      throughput(`${name}, ${engine}`, {
        server,
        driver: arena.driver,
        load: (turn) => load(server, tokens, turn, WHOLE),
        cpu: () => cpuSeconds(server.pid) + database(),
        ...(index > 0 && { compared: name === 'refresh' ? ENGINES : 'shown' }),
      }),
    );
  return inTurn([...asks(arena), signInOver(CONNECTIONS)], contestants, arena);
}

async function inTurn(all: readonly Ask[], contestants: (ask: Ask) => Contestant[], { plan }: Arena) {
  const lines: Line[] = [];
  for (const ask of all) lines.push(...(await runRounds(contestants(ask), plan[ask.rounds])));
  return lines;
}

const describeBoth = ({ calls, hashes }: Plan) => `${describeRounds(calls)} For sign-in ${describeRounds(hashes)}`;
const expectAll = ({ calls, hashes }: Plan) => expectRounds(calls, 4) + expectRounds(hashes, 2, 0);

const growth = (['SQLite', 'PostgreSQL'] as const).map((engine): Section => {
  const title = `Growth on ${engine}`;
  const about = `${TOKENS} live tokens in rotation, ${CONNECTIONS} connections; ${ACCOUNTS} accounts and these sessions, or a million more of each.${engine === 'PostgreSQL' ? ' CPU is that of the service and of PostgreSQL together.' : ''}`;
  return {
    name: `growth-${engine.toLowerCase()}`,
    title,
    expect: ({ calls }) => expectRounds(calls, 4, FILLING),
    async measure(arena) {
      const rounds = describeRounds(arena.plan.calls);
      const lines = await measureGrowth(engine, arena);
      return renderFigure({ title, unit: 'per second', about: `${about} ${rounds}` }, lines);
    },
  };
});

const nodes: Section = {
  name: 'nodes',
  title: 'Two nodes on one PostgreSQL against one',
  expect: expectAll,
  async measure(arena) {
    const about = `${CONNECTIONS} connections to each node, ${SIGN_IN_CONNECTIONS} for sign-in; requests per CPU second of the nodes. On as few cores as these, two nodes, PostgreSQL and driver share what one node has to itself: what they answer a second says nothing. ${describeBoth(arena.plan)}`;
    return renderFigure({ title: nodes.title, unit: 'per CPU second', about }, await measureNodes(arena));
  },
};

const engines: Section = {
  name: 'postgres',
  title: 'PostgreSQL against SQLite',
  expect: expectAll,
  async measure(arena) {
    const about = `${TOKENS} live tokens in rotation, ${CONNECTIONS} connections. CPU is that of the service and of PostgreSQL together. SQLite runs within the service; PostgreSQL has processes of its own, which talk to the service over loopback. Both commit durably. ${describeBoth(arena.plan)}`;
    return renderFigure({ title: engines.title, unit: 'per second', about }, await measureEngines(arena));
  },
};

/** `npm run bench -- growth-sqlite`, `growth-postgresql`, `nodes`, `postgres`. */
export const scale: readonly Section[] = [...growth, nodes, engines];
