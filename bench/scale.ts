// Scale: what a call costs with a million accounts and open sessions against a thousand, and on two nodes against one.
import pg from 'pg';
import { startPostgres } from '../server/test/support/postgres.ts';
import type { Arena } from './arena.ts';
import { cpuSeconds, familyCpuSeconds, type Server } from './children.ts';
import { type Contestant, efficiency, throughput } from './contestants.ts';
import { fill } from './fill.ts';
import { ACCOUNTS, createLatchkey, paths, signInOf } from './latchkey.ts';
import { bearers, CONNECTIONS, type Load, posts } from './load.ts';
import { renderFigure, type Section } from './report.ts';
import { type Line, runRounds } from './runner.ts';

const MILLION = 1_000_000;

/** Valid tokens of each database, in rotation. */
const TOKENS = 10_000;

/** The least that a million may answer, as a share of what a thousand does. */
const GROWTH = { atLeast: 0.83 } as const;
const NODES = { atLeast: 0.9 } as const;

/** One call as a load: the part for server `index` of `servers`. */
type Ask = {
  readonly name: string;
  load(server: Server, tokens: readonly string[], round: number, part: { index: number; servers: number }): Load;
};

function asks({ rounds, seconds }: Arena): Ask[] {
  const share = (all: readonly string[], { index, servers }: { index: number; servers: number }) =>
    all.slice((index * all.length) / servers, ((index + 1) * all.length) / servers);
  const common = { connections: CONNECTIONS, seconds };
  return [
    {
      name: 'token check',
      load: ({ url }, tokens, _round, part) => ({
        ...common,
        url: url + paths.currentLogin,
        method: 'GET',
        calls: bearers(share(tokens.slice((rounds + 1) * part.servers * CONNECTIONS), part)),
      }),
    },
    {
      name: 'refresh',
      // Requests of the previous round are still under way when it ends: the next one begins with other sessions.
      load: ({ url }, tokens, round, { index, servers }) => ({
        ...common,
        url: url + paths.refresh,
        method: 'POST',
        calls: bearers(tokens.slice((round * servers + index) * CONNECTIONS).slice(0, CONNECTIONS)),
        follows: 'bearer',
      }),
    },
  ];
}

const signIn: Ask = {
  name: 'sign-in',
  load: ({ url }, _tokens, _round, { index, servers }) => {
    const numbers = Array.from({ length: ACCOUNTS / servers }, (_, n) => n + (index * ACCOUNTS) / servers);
    return {
      url: url + paths.authenticate,
      method: 'POST',
      calls: posts(numbers.map(signInOf)),
      connections: CONNECTIONS,
      amount: 400,
    };
  },
};

/** One PostgreSQL, and new databases on it. */
export async function openPostgres(arena: Arena) {
  const postgres = arena.keep(await startPostgres());
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

async function measureGrowth(engine: 'SQLite' | 'PostgreSQL', arena: Arena): Promise<Line[]> {
  const postgres = engine === 'PostgreSQL' ? await openPostgres(arena) : undefined;
  async function start(name: string, filler: number) {
    const dataDir = arena.newFile();
    const url = postgres ? await postgres.create(name) : `sqlite:${dataDir}/latchkey.db`;
    const latchkey = createLatchkey(dataDir, { LATCHKEY_DATABASE_URL: url });
    const { tokens } = await latchkey.prepare(TOKENS);
    if (filler > 0) await fill(url, filler);
    return { tokens, server: arena.keep(await latchkey.start()) };
  }
  const sizes = [
    { size: '1,000,000', ...(await start('million', MILLION)) },
    { size: '1,000', ...(await start('thousand', 0)) },
  ];
  const contestants = ({ name, load }: Ask): Contestant[] =>
    sizes.map(({ size, server, tokens }, index) =>
      throughput(`${name}, ${size} accounts and sessions`, {
        server,
        driver: arena.driver,
        load: (round) => load(server, tokens, round, { index: 0, servers: 1 }),
        cpu: () => cpuSeconds(server.pid) + (postgres?.cpu() ?? 0),
        ...(index > 0 && { ratio: GROWTH }),
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
    [nodes, nodes.slice(0, 1)].map((servers, turn) =>
      efficiency(`${name}, ${servers.length === 1 ? 'one node' : 'two nodes'}`, {
        servers,
        driver: arena.driver,
        // Each has its own sessions to refresh.
        load: (server, round, index) =>
          load(server, tokens.slice((turn * TOKENS) / 2, ((turn + 1) * TOKENS) / 2), round, {
            index,
            servers: servers.length,
          }),
        ...(turn > 0 && { ratio: NODES }),
      }),
    );
  return inTurn([...asks(arena), signIn], contestants, arena);
}

async function inTurn(all: readonly Ask[], contestants: (ask: Ask) => Contestant[], { rounds }: Arena) {
  const lines: Line[] = [];
  for (const ask of all) lines.push(...(await runRounds(contestants(ask), rounds)));
  return lines;
}

const growth = (['SQLite', 'PostgreSQL'] as const).map((engine): Section => {
  const title = `Growth on ${engine}`;
  const about = `${TOKENS} live tokens in rotation, ${CONNECTIONS} connections; ${ACCOUNTS} accounts and these sessions, or a million more of each.${engine === 'PostgreSQL' ? ' CPU is that of the service and of PostgreSQL together.' : ''}`;
  return {
    name: `growth-${engine.toLowerCase()}`,
    title,
    measure: async (arena) => renderFigure({ title, unit: 'per second', about }, await measureGrowth(engine, arena)),
  };
});

const nodes: Section = {
  name: 'nodes',
  title: 'Two nodes on one PostgreSQL against one',
  async measure(arena) {
    const about = `${CONNECTIONS} connections to each node; requests per CPU second of the nodes. On as few cores as these, two nodes, PostgreSQL and driver share what one node has to itself: what they answer a second says nothing.`;
    return renderFigure({ title: nodes.title, unit: 'per CPU second', about }, await measureNodes(arena));
  },
};

/** `npm run bench -- growth-sqlite`, `growth-postgresql`, `nodes`. */
export const scale: readonly Section[] = [...growth, nodes];
