// The primary: the one of several PostgreSQL servers that takes writes, looked for anew whenever a connection was lost.
import pg from 'pg';
import type { Clock } from '../foundation/clock.ts';
import { within } from '../foundation/time-limit.ts';

/** For one server: together no longer than a single one may take, so that callers are answered in 2 s here as well. */
const CONNECT_TIMEOUT_MS = 500;
const ASK_TIMEOUT_MS = 300;

/** For a look at all of them, at the same time, and a connection to the one that was found. */
const FIND_TIMEOUT_SECONDS = 0.8;

/** After a look in vain: a standby that is about to be promoted has better things to do than to say that it was not yet. */
const PAUSE_MS = 200;

/** Connections by what they are doing, and callers that wait for one. */
export type ConnectionCount = { busy: number; idle: number; waiting: number };

export function countConnections(pools: readonly pg.Pool[]): ConnectionCount {
  const sum = (read: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + read(pool), 0);
  return {
    busy: sum(({ totalCount, idleCount }) => totalCount - idleCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  };
}

/** Where connections come from. */
export interface Connections {
  /** Rejects with the driver's error, or `TimeLimitError`. */
  connect(): Promise<pg.PoolClient>;
  /** Says that a connection has failed. */
  lose(): void;
  count(): ConnectionCount;
  end(): Promise<void>;
}

/** A standby cannot say by which file it writes. The first 8 of its 24 digits are the timeline's. */
const question = {
  text: `select current_setting('transaction_read_only') as read_only,
    case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as file`,
  query_timeout: ASK_TIMEOUT_MS,
};

/** The same SQLSTATE that a write would have ended in: read_only_sql_transaction. */
const refusal = (message: string) => Object.assign(new Error(message), { code: '25006' });

/** The number of a server's timeline, which grows with each promotion. Rejects when it takes no writes. */
async function askTimeline(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ read_only: string; file: string | null }>(question);
  const { read_only: readOnly, file } = rows[0] ?? {};
  if (readOnly !== 'off' || !file) throw refusal('it takes no writes');
  return Number.parseInt(file.slice(0, 8), 16);
}

async function askServer(config: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  try {
    await client.connect();
    return await askTimeline(client);
  } finally {
    void client.end();
  }
}

/**
 * Connects to the primary alone: the server on the highest timeline of those that take writes. One on a lower timeline
 * than was seen before is an old primary that was not told; it never gets a statement, not even one that reads.
 * @param configs one for each server, in order of preference.
 * @param openPool opens a pool of such connections.
 */
export function connectToPrimary(
  configs: readonly pg.ClientConfig[],
  openPool: (config: pg.PoolConfig) => pg.Pool,
  clock: Clock,
): Connections {
  let newest = 0;
  let primary: pg.Pool | undefined;
  let isLost = true;
  let looking: Promise<pg.Pool> | undefined;
  const lose = () => {
    isLost = true;
  };

  /** A pool goes on making connections: to a server that has become a standby meanwhile, for all it knows. */
  async function requireNewest(client: pg.ClientBase) {
    const timeline = await askTimeline(client);
    if (timeline < newest) throw refusal('it is on an older timeline');
    newest = timeline;
  }
  const servers = configs.map((config) => ({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }));
  const pools = servers.map((server) => openPool({ ...server, onConnect: requireNewest }).on('error', lose));

  async function look(): Promise<pg.Pool> {
    const answers = await Promise.allSettled(servers.map(askServer));
    const timelines = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 0));
    const highest = Math.max(...timelines);
    if (highest === 0 || highest < newest) throw refusal(`no server is the primary: ${explain(answers)}`);
    newest = highest;
    const found = pools.filter((_, index) => timelines[index] === highest);
    if (!primary || !found.includes(primary)) primary = found[0] as pg.Pool;
    isLost = false;
    return primary;
  }

  /** One look at a time, for all who wait for it. */
  function find(): Promise<pg.Pool> {
    const end = () => {
      looking = undefined;
    };
    looking ??= look().then(
      (pool) => {
        end();
        return pool;
      },
      (error) => {
        void clock.sleep(PAUSE_MS).then(end);
        throw error;
      },
    );
    return looking;
  }

  const connectTo = (pool: pg.Pool) =>
    pool.connect().catch((error) => {
      // Where all connections are busy, there is only no other one.
      if (pool.totalCount < pool.options.max) lose();
      throw error;
    });

  async function connectAnew(signal: AbortSignal) {
    const client = await connectTo(await find());
    if (signal.aborted) client.release();
    return client;
  }

  return {
    connect: () => (isLost || !primary ? within(FIND_TIMEOUT_SECONDS, clock, connectAnew) : connectTo(primary)),
    lose,
    count: () => countConnections(pools),
    end: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  };
}

/** In the order of the address. */
function explain(answers: readonly PromiseSettledResult<number>[]): string {
  const reasons = answers.map((answer) => {
    if (answer.status === 'fulfilled') return 'it is on an older timeline';
    const { message, code } = answer.reason as Error & { code?: string };
    return message || code;
  });
  return reasons.map((reason, index) => `${index + 1}: ${reason}`).join('; ');
}
