// The SQLite dialect of Kysely: selects outside a transaction go to the reader, all other statements to the writer.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { isSelect, type SqliteFile, type SqliteHandle } from './sqlite-file.ts';
import { createWriter, type Milestone, type WriteTransaction } from './sqlite-writer.ts';

/** `running` is the connection's transaction. Without one, each statement commits alone. */
type Connection = DatabaseConnection & { running: WriteTransaction | undefined };

/** All callers may hold a connection at the same time: the writer runs their transactions one after the other. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

/**
 * Returns the file as a Kysely dialect.
 * @param milestone what the end of a transaction, and of a statement outside one, waits for.
 */
export function createSqliteDialect(
  file: SqliteFile,
  { begin, close } = createWriter(file),
  milestone: Milestone = 'durable',
): Dialect {
  const execute = <Row>(query: CompiledQuery, handle: SqliteHandle): QueryResult<Row> => {
    const { rows, changes } = handle.run(query.sql, query.parameters);
    // Kysely derives `Row` from the query that it has compiled to this text.
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  };

  async function executeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const running = await begin(milestone);
    let result: QueryResult<Row>;
    try {
      result = execute<Row>(query, file.write);
    } catch (error) {
      await running.end('undo');
      throw error;
    }
    await running.end('keep');
    return result;
  }

  function connect(): Connection {
    const connection: Connection = {
      running: undefined,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (connection.running) return execute(query, file.write);
        return isSelect(query.sql) && !file.isInMemory ? execute(query, file.read) : executeAlone(query);
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported.');
      },
    };
    return connection;
  }

  async function end(connection: Connection, outcome: 'keep' | 'undo') {
    const { running } = connection;
    connection.running = undefined;
    await running?.end(outcome);
  }

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connect(),
    async beginTransaction(connection: Connection) {
      connection.running = await begin(milestone);
    },
    commitTransaction: (connection: Connection) => end(connection, 'keep'),
    // After a failed commit no transaction is left to end.
    rollbackTransaction: (connection: Connection) => end(connection, 'undo'),
    releaseConnection: async () => {},
    destroy: close,
  };
  return {
    createAdapter: () => new SharingAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
