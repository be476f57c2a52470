// PostgreSQL through `pg`: a pool that prepares statements, limits their time, and closes broken connections.
import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { systemClock } from '../foundation/clock.ts';
import { sharesConnections, splitAddresses } from './addresses.ts';
import { breaksConnection, isStalePlan, runAgainIfStale, StalePlan, toOutage, translateFailure } from './failures.ts';
import { type ConnectionCount, type Connections, connectToPrimary, countConnections } from './primary.ts';
import { isTlsRefusal, nameTlsFault, readReach } from './server-tls.ts';

/** How long a call waits for a connection, and how long a statement may take. */
export type TimeLimits = {
  readonly connectMs: number;
  readonly statementMs: number;
  /** Whether each transaction sets the limit: a pooler may drop what a connection asks for, and the role may have a shorter one. */
  readonly isPerTransaction?: boolean;
};

/**
 * If the database is gone or hangs, the service answers a call within their sum, and 0.3 s more if it comes in a group: about
 * two seconds.
 */
const TIME_LIMITS: TimeLimits = { connectMs: 800, statementMs: 1100 };

const CONNECTIONS = 10;

/** The most statements prepared on each connection. Further texts run unprepared. */
const MAX_PREPARED = 500;

/** Runs statements on the only server, or on the primary of several servers. */
export interface PostgresPool {
  /** The commands that begin a transaction. */
  readonly begin: string;
  /** Whether a statement outside of a transaction gets one of its own: a time limit that a transaction sets ends with it. */
  readonly wrapsStatements: boolean;
  connect(): Promise<pg.PoolClient>;
  count(): ConnectionCount;
  /** Runs commands without values in one round trip. */
  command(client: pg.PoolClient, commands: string): Promise<void>;
  query(client: pg.PoolClient, sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult>;
  /** Runs one statement on any connection. */
  queryAlone(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult>;
  end(): Promise<void>;
}

/** Opens a pool of at most `max` connections, which connects on first use. Columns of type `bigint` are read as JavaScript numbers. */
export function openPostgresPool(
  url: string,
  onError: (error: Error) => void,
  limits: Partial<TimeLimits> = {},
  max = CONNECTIONS,
): PostgresPool {
  const allowed = { ...TIME_LIMITS, ...limits };
  const { statementMs, isPerTransaction = false } = allowed;
  const connections = openConnections(url, onError, allowed, max);
  const maxPrepared = sharesConnections(url) ? 0 : MAX_PREPARED;
  const names = new Map<string, string>();
  /** Ends each text. It grows when a plan is stale: another text is prepared anew, on every connection and by every pooler. */
  let ending = '';

  /** Derives the name from the text. So a pooler that shares connections among nodes never confuses two statements. */
  function nameOf(sql: string): string | undefined {
    const known = names.get(sql);
    if (known || names.size >= maxPrepared) return known;
    const name = `latchkey_${createHash('sha256').update(sql).digest('base64url')}`;
    names.set(sql, name);
    return name;
  }
  const fail = (error: unknown) => {
    const failure = translateFailure(error);
    if (breaksConnection(failure)) connections.lose();
    throw failure;
  };
  const pool: PostgresPool = {
    begin: isPerTransaction ? `begin; set local statement_timeout = ${statementMs}` : 'begin',
    wrapsStatements: isPerTransaction,
    // A server that cannot be asked is an outage, whatever its reason: login, database, TLS, limits, network.
    connect: () => connections.connect().catch((error) => fail(toOutage(nameTlsFault(error)))),
    count: connections.count,
    async command(client, commands) {
      await client.query(commands).catch(fail);
    },
    query(client, sql, parameters) {
      const text = sql + ending;
      const name = nameOf(text);
      return client.query({ text, values: [...parameters], ...(name && { name }) }).catch((error) => {
        if (!isStalePlan(error)) return fail(error);
        if (text === sql + ending) {
          ending += ' ';
          names.clear();
        }
        throw new StalePlan(error);
      });
    },
    async queryAlone(sql, parameters) {
      const client = await pool.connect();
      let isBroken = false;
      try {
        return await runAgainIfStale(() => pool.query(client, sql, parameters));
      } catch (error) {
        isBroken = breaksConnection(error);
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
    end: connections.end,
  };
  return pool;
}

function openConnections(
  url: string,
  onError: (error: Error) => void,
  { connectMs, statementMs }: TimeLimits,
  max: number,
): Connections {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const servers = splitAddresses(url);
  const configs = servers.map(readReach).map(({ address, attempts }) =>
    attempts.map((ssl) => ({
      connectionString: address,
      ssl,
      types,
      max,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs,
      // Poolers refuse settings of one connection.
      ...(!sharesConnections(url) && { statement_timeout: statementMs }),
      keepAlive: true,
      application_name: 'latchkey',
    })),
  );
  const open = (config: pg.PoolConfig) => openPool(config, onError);
  if (servers.length > 1) return connectToPrimary(configs, open, connectMs, systemClock);
  return connectToOne(configs.flat().map(open));
}

/** Connects to one server, with TLS or without, as it did last. If the server wants the other, it tries that one. */
function connectToOne(pools: readonly pg.Pool[]): Connections {
  let [preferred] = pools;
  async function connect(): Promise<pg.PoolClient> {
    const first = preferred;
    if (!first) throw new Error('There is no server to connect to.');
    try {
      return await first.connect();
    } catch (failure) {
      const other = pools.find((pool) => pool !== first);
      if (!other || !isTlsRefusal(failure)) throw failure;
      const client = await other.connect();
      preferred = other;
      return client;
    }
  }
  return {
    connect,
    lose: () => {},
    count: () => countConnections(pools),
    end: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  };
}

function openPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  // The pool's own error refers to the whole connection, which must not reach the log.
  pool.on('error', ({ message }) => onError(new Error(message)));
  // If a connection breaks between two statements of a transaction, the second statement rejects.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

type Connection = DatabaseConnection & { readonly client: pg.PoolClient; broken: boolean; isInTransaction: boolean };

/** Returns the pool as a Kysely dialect. @param setUp the commands with which each transaction goes on after it has begun. */
export const createPostgresDialect = (pool: PostgresPool, setUp?: string): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => createDriver(pool, setUp === undefined ? pool.begin : `${pool.begin}; ${setUp}`),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

function createDriver(pool: PostgresPool, begin: string): Driver {
  async function connect(): Promise<Connection> {
    const client = await pool.connect();
    const connection: Connection = {
      client,
      broken: false,
      isInTransaction: false,
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const run = () => pool.query(client, sql, parameters);
        const runAlone = () => (pool.wrapsStatements ? wrap(connection, run) : run());
        // A failed statement ends its transaction, which as a whole runs again.
        const result = await track(connection, connection.isInTransaction ? run() : runAgainIfStale(runAlone));
        return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported.');
      },
    };
    return connection;
  }
  /** Notes whether the connection has broken. */
  async function track<Result>(connection: Connection, running: Promise<Result>): Promise<Result> {
    try {
      return await running;
    } catch (error) {
      connection.broken ||= breaksConnection(error);
      throw error;
    }
  }
  const command = (connection: Connection, commands: string) =>
    track(connection, pool.command(connection.client, commands));
  const rollback = async (connection: Connection) => {
    // A broken connection is closed on release, which ends its transaction. A rollback on it would only wait.
    if (!connection.broken) await command(connection, 'rollback');
  };
  /** Runs a statement in a transaction of its own. */
  async function wrap<Result>(connection: Connection, run: () => Promise<Result>): Promise<Result> {
    await command(connection, begin);
    try {
      const result = await track(connection, run());
      await command(connection, 'commit');
      return result;
    } catch (error) {
      await rollback(connection);
      throw error;
    }
  }
  return {
    init: async () => {},
    acquireConnection: connect,
    async beginTransaction(connection: Connection) {
      await command(connection, begin);
      connection.isInTransaction = true;
    },
    commitTransaction: (connection: Connection) => command(connection, 'commit'),
    rollbackTransaction: rollback,
    releaseConnection: async ({ client, broken }: Connection) => client.release(broken),
    destroy: () => pool.end(),
  };
}
