// PostgreSQL through `pg`: a pool whose statements are prepared, bounded in time, and whose broken connections are dropped.
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
import { AuthError } from '../foundation/errors.ts';
import { translateFailure } from './failures.ts';

/** Together below the 2 s in which a call must be answered when the database is gone or hangs. */
const CONNECT_TIMEOUT_MS = 800;
const STATEMENT_TIMEOUT_MS = 1100;

/** Statements prepared on the server for each connection; a text past it goes unprepared. */
const MAX_PREPARED = 500;

/** Runs one statement on any connection of a pool. */
export interface PostgresPool {
  readonly pool: pg.Pool;
  query(client: pg.Pool | pg.PoolClient, sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult>;
}

/** Opens a pool; connections are made when first needed. Whole numbers of 8 bytes come as JavaScript numbers. */
export function openPostgresPool(
  url: string,
  onError: (error: Error) => void,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): PostgresPool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    application_name: 'latchkey',
  });
  // An idle connection that is lost; the client, which `pg` hands over with the error, is not for logs.
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client;
    onError(error);
  });
  // One in use has nobody who listens between two statements, which would end the process: its next statement fails anyhow.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const names = new Map<string, string>();
  return {
    pool,
    async query(client, sql, parameters) {
      let name = names.get(sql);
      if (!name && names.size < MAX_PREPARED) {
        name = `latchkey_${names.size}`;
        names.set(sql, name);
      }
      try {
        return await client.query({ text: sql, values: [...parameters], ...(name && { name }) });
      } catch (error) {
        throw translateFailure(error);
      }
    },
  };
}

type Connection = DatabaseConnection & { readonly client: pg.PoolClient; broken: boolean };

/** Kysely's view of the pool. */
export function createPostgresDialect({ pool, query }: PostgresPool): Dialect {
  async function connect(): Promise<Connection> {
    const client = await pool.connect().catch((error) => {
      throw translateFailure(error);
    });
    const connection: Connection = {
      client,
      broken: false,
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        try {
          const result = await query(client, sql, parameters);
          return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
        } catch (error) {
          connection.broken ||= error instanceof AuthError;
          throw error;
        }
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported.');
      },
    };
    return connection;
  }
  const command = (connection: DatabaseConnection, sql: string) => {
    const { executeQuery } = connection as Connection;
    return executeQuery({ sql, parameters: [] } as unknown as CompiledQuery).then(() => {});
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: connect,
    beginTransaction: (connection) => command(connection, 'begin'),
    commitTransaction: (connection) => command(connection, 'commit'),
    // A connection that failed is dropped below, and its transaction with it: asking it again would only wait.
    rollbackTransaction: async (connection) => {
      if (!(connection as Connection).broken) await command(connection, 'rollback');
    },
    releaseConnection: async (connection) =>
      (connection as Connection).client.release((connection as Connection).broken),
    destroy: () => pool.end(),
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
