// Workers: two of them on one machine against one process, on the same PostgreSQL.
import type { Arena } from './arena.ts';
import { cpuSeconds, familyCpuSeconds } from './children.ts';
import { type Contestant, throughput } from './contestants.ts';
import { createLatchkey, paths, signIns } from './latchkey.ts';
import { bearers, CONNECTIONS, get, type Load, post, SIGN_IN_CONNECTIONS } from './load.ts';
import { expectRounds, renderFigure, type Section } from './report.ts';
import { describeRounds, type Plan } from './rounds.ts';
import { type Line, runRounds } from './runner.ts';
import { openPostgres } from './scale.ts';

const TOKENS = 10_000;

/** Few enough that each worker soon knows the signatures of all. */
const CHECKED_TOKENS = 1000;

/** The least that two workers may answer in a second of CPU, as a share of what one process does. */
const EFFICIENCY = { cpuRatio: { atLeast: 0.9 } } as const;

/** One call as a load of this many seconds. Connections are those for each process. */
type Ask = {
  readonly name: string;
  readonly rounds: keyof Plan;
  readonly connections: number;
  load(base: string, connections: number, seconds: number): Load;
};

async function measure(arena: Arena): Promise<Line[]> {
  const postgres = await openPostgres(arena);
  const url = await postgres.create('workers');
  const dataDir = arena.newFile();
  const create = (workers: number) =>
    createLatchkey(dataDir, { LATCHKEY_DATABASE_URL: url, LATCHKEY_WORKERS: String(workers) });
  const { tokens } = await create(1).prepare(TOKENS);
  const nodes = [
    { node: 'two workers', processes: 2, server: arena.keep(await create(2).start()) },
    { node: 'one process', processes: 1, server: arena.keep(await create(1).start()) },
  ];
  const checked = bearers(tokens.slice(0, CHECKED_TOKENS));
  const refreshed = bearers(tokens.slice(CHECKED_TOKENS));
  const asks: Ask[] = [
    {
      name: 'token check',
      rounds: 'calls',
      connections: CONNECTIONS,
      load: (base, _connections, seconds) => get(base + paths.currentLogin, checked, seconds),
    },
    {
      name: 'refresh',
      rounds: 'calls',
      connections: CONNECTIONS,
      // Requests of the previous turn are still under way when it ends: the next one begins with other sessions.
      load: (base, connections, seconds) => ({
        ...post(base + paths.refresh, refreshed.splice(0, connections), seconds),
        follows: 'result.accessToken',
      }),
    },
    {
      name: 'sign-in',
      rounds: 'hashes',
      connections: SIGN_IN_CONNECTIONS,
      load: (base, _connections, seconds) => post(base + paths.authenticate, signIns, seconds),
    },
  ];
  const lines: Line[] = [];
  for (const { name, rounds, connections: each, load } of asks) {
    const contestants = nodes.map(({ node, processes, server }, index): Contestant => {
      const connections = each * processes;
      const cpuOf = processes > 1 ? familyCpuSeconds : cpuSeconds;
      return throughput(`${name}, ${node}`, {
        server,
        driver: arena.driver,
        load: ({ seconds }) => ({ ...load(server.url, connections, seconds), connections }),
        cpu: () => cpuOf(server.pid) + postgres.cpu(),
        ...(index > 0 && { compared: EFFICIENCY }),
      });
    });
    lines.push(...(await runRounds(contestants, arena.plan[rounds])));
  }
  return lines;
}

/** `npm run bench -- workers`. */
export const workers: Section = {
  name: 'workers',
  title: 'Two workers against one process',
  expect: ({ calls, hashes }) => expectRounds(calls, 4) + expectRounds(hashes, 2, 0),
  async measure(arena) {
    const { calls, hashes } = arena.plan;
    const rounds = `${describeRounds(calls)} For sign-in ${describeRounds(hashes)}`;
    const about = `\`LATCHKEY_WORKERS=2\` and 1 on the same PostgreSQL, ${CONNECTIONS} connections for each process, ${SIGN_IN_CONNECTIONS} for sign-in. CPU is that of the service, its supervisor included, and of PostgreSQL. What they answer a second depends on the cores that driver and database leave. ${rounds}`;
    return renderFigure({ title: workers.title, unit: 'per second', about }, await measure(arena));
  },
};
