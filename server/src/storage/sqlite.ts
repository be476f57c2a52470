// SQLite as Kysely sees it: selects outside a transaction go to the reader, everything else to the writer.
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
import type { SqliteFile, SqliteHandle } from './sqlite-file.ts';
import { createWriter, type Milestone, type WriteTransaction } from './sqlite-writer.ts';

/** `running` is the transaction of this connection; without one, each statement commits alone. */
type Connection = DatabaseConnection & { running: WriteTransaction | undefined };

const isSelect = ({ sql }: CompiledQuery) => /^\s*select\b/i.test(sql);

/** Every caller may have a connection at once: the writer runs their transactions one after the other. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

/**
 * Kysely's view of the file: selects outside a transaction go to the reader, everything else to the writer.
 * @param milestone what is waited for at the end of a transaction, and of a statement that stands alone.
 */
export function createSqliteDialect(
  file: SqliteFile,
  { begin, close } = createWriter(file),
  milestone: Milestone = 'durable',
): Dialect {
  const execute = <Row>(query: CompiledQuery, handle: SqliteHandle): QueryResult<Row> => {
    const { rows, changes } = handle.run(query.sql, query.parameters);
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
        return isSelect(query) && !file.isInMemory ? execute(query, file.read) : executeAlone(query);
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
    async beginTransaction(connection) {
      (connection as Connection).running = await begin(milestone);
    },
    commitTransaction: (connection) => end(connection as Connection, 'keep'),
    // After a commit that failed there is no transaction left to end.
    rollbackTransaction: (connection) => end(connection as Connection, 'undo'),
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
