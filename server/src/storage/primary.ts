// The primary: the PostgreSQL server, of several, that takes writes. It is searched again after each lost connection.
import pg from 'pg';
import type { Clock } from '../foundation/clock.ts';
import { errorCodeOf, errorMessageOf } from '../foundation/errors.ts';
import { within } from '../foundation/time-limit.ts';
import { isTlsRefusal, nameTlsFault } from './server-tls.ts';

/**
 * The shares of a caller's wait for a connection that each server has to accept one, and to name its timeline. A search among all
 * servers, in parallel, and a connection to the one found take no longer than one caller waits.
 */
const CONNECT_SHARE = 5 / 8;
const TIMELINE_SHARE = 3 / 8;

/** After a search without result, so that the searches do not slow down the promotion of a standby. */
const PAUSE_MS = 200;

/** The number of busy and idle connections, and of callers that wait for one. */
export type ConnectionCount = { busy: number; idle: number; waiting: number };

export function countConnections(pools: readonly pg.Pool[]): ConnectionCount {
  const sum = (read: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + read(pool), 0);
  return {
    busy: sum(({ totalCount, idleCount }) => totalCount - idleCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  };
}

/** A source of connections. */
export interface Connections {
  /** @throws Error the driver's, or `TimeLimitError`. */
  connect(): Promise<pg.PoolClient>;
  /** Reports that a connection has failed. */
  lose(): void;
  count(): ConnectionCount;
  end(): Promise<void>;
}

/** Only a primary knows its WAL file. The first 8 of the 24 digits of the file's name are the timeline. */
const TIMELINE = `select current_setting('transaction_read_only') as read_only,
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as file`;

/** An error with the SQLSTATE of a refused write, read_only_sql_transaction. */
const notPrimary = (message: string) => Object.assign(new Error(message), { code: '25006' });

/** Returns the number of a server's timeline, which grows with each promotion. Rejects if the server takes no writes. */
async function readTimeline(client: pg.ClientBase, limitMs: number): Promise<number> {
  const query = { text: TIMELINE, query_timeout: limitMs };
  const { rows } = await client.query<{ read_only: string; file: string | null }>(query);
  const { read_only: readOnly, file } = rows[0] ?? {};
  if (readOnly !== 'off' || !file) throw notPrimary('it takes no writes');
  return Number.parseInt(file.slice(0, 8), 16);
}

async function readServerTimeline(config: pg.ClientConfig, limitMs: number): Promise<number> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    return await readTimeline(client, limitMs);
  } finally {
    void client.end();
  }
}

type Attempt = { readonly config: pg.ClientConfig; readonly pool: pg.Pool };

/** Reads a server's timeline in the first way in which the server may be reached. */
async function readServer(
  [first, ...others]: readonly Attempt[],
  limitMs: number,
): Promise<{ timeline: number; pool: pg.Pool }> {
  if (!first) throw new Error('There is no way to reach the server.');
  try {
    return { timeline: await readServerTimeline(first.config, limitMs), pool: first.pool };
  } catch (error) {
    if (others.length === 0 || !isTlsRefusal(error)) throw error;
    return readServer(others, limitMs);
  }
}

/**
 * Connects only to the primary: of the servers that take writes, the one on the highest timeline. A server on a lower
 * timeline than one seen before is an old primary that missed the failover. It never gets a statement, not even a read.
 * @param attempts for each server, in order of preference: how to reach it, with TLS or without, in order.
 * @param waitMs how long a caller waits for a connection.
 */
export function connectToPrimary(
  attempts: readonly (readonly pg.ClientConfig[])[],
  openPool: (config: pg.PoolConfig) => pg.Pool,
  waitMs: number,
  clock: Clock,
): Connections {
  const timelineMs = waitMs * TIMELINE_SHARE;
  let newest = 0;
  let primary: pg.Pool | undefined;
  let isLost = true;
  let search: Promise<pg.Pool> | undefined;
  const lose = () => {
    isLost = true;
  };

  /** Checks each new connection of a pool: its server may have become a standby meanwhile. */
  async function requireNewest(client: pg.ClientBase) {
    const timeline = await readTimeline(client, timelineMs);
    if (timeline < newest) throw notPrimary('it is on an older timeline');
    newest = timeline;
  }
  const servers = attempts.map((configs) =>
    configs.map((one) => {
      const config = { ...one, connectionTimeoutMillis: waitMs * CONNECT_SHARE };
      return { config, pool: openPool({ ...config, onConnect: requireNewest }).on('error', lose) };
    }),
  );
  const pools = servers.flatMap((server) => server.map(({ pool }) => pool));

  async function searchPrimary(): Promise<pg.Pool> {
    const answers = await Promise.allSettled(servers.map((server) => readServer(server, timelineMs)));
    const answered = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const highest = Math.max(0, ...answered.map(({ timeline }) => timeline));
    const found = answered.filter(({ timeline }) => timeline === highest).map(({ pool }) => pool);
    const [preferred] = found;
    if (highest === 0 || highest < newest || !preferred) {
      throw notPrimary(`no server is the primary: ${explain(answers)}`);
    }
    newest = highest;
    if (!primary || !found.includes(primary)) primary = preferred;
    isLost = false;
    return primary;
  }

  /** Runs one search at a time. All callers share its result. */
  function find(): Promise<pg.Pool> {
    const end = () => {
      search = undefined;
    };
    search ??= searchPrimary().then(
      (pool) => {
        end();
        return pool;
      },
      (error) => {
        void clock.sleep(PAUSE_MS).then(end);
        throw error;
      },
    );
    return search;
  }

  const connectTo = (pool: pg.Pool) =>
    pool.connect().catch((error) => {
      // A full pool only means that all connections are busy.
      if (pool.totalCount < pool.options.max) lose();
      throw error;
    });

  async function connectAnew(signal: AbortSignal) {
    const client = await connectTo(await find());
    if (signal.aborted) client.release();
    return client;
  }

  return {
    connect: () => (isLost || !primary ? within(waitMs / 1000, clock, connectAnew) : connectTo(primary)),
    lose,
    count: () => countConnections(pools),
    end: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  };
}

/** Lists the reasons in the order of the addresses. */
function explain(answers: readonly PromiseSettledResult<unknown>[]): string {
  const reasons = answers.map((answer) => {
    if (answer.status === 'fulfilled') return 'it is on an older timeline';
    return errorMessageOf(nameTlsFault(answer.reason)) || errorCodeOf(answer.reason);
  });
  return reasons.map((reason, index) => `${index + 1}: ${reason}`).join('; ');
}
