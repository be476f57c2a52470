// SQLite as Kysely sees it: selects outside a transaction go to the reader, all else waits its turn on the writer.
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
import { createWriter, type Milestone, type Turn } from './sqlite-writer.ts';

/** A transaction's connection holds a turn while it runs; without one, each statement stands alone. */
type Connection = DatabaseConnection & { turn: Turn | undefined };

const isSelect = ({ sql }: CompiledQuery) => /^\s*select\b/i.test(sql);

/** Each may have a connection at once: turns are taken on the writer, where those that wait share the next commit. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

/**
 * Kysely's view of the file: selects outside a transaction go to the reader, all else waits its turn on the writer.
 * @param milestone what is waited for at the end of a transaction, and of a statement that stands alone.
 */
export function createSqliteDialect(
  file: SqliteFile,
  { takeTurn, close } = createWriter(file),
  milestone: Milestone = 'durable',
): Dialect {
  const execute = <Row>(query: CompiledQuery, handle: SqliteHandle): QueryResult<Row> => {
    const { rows, changes } = handle.run(query.sql, query.parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  };

  async function executeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const turn = await takeTurn(milestone);
    let result: QueryResult<Row>;
    try {
      result = execute<Row>(query, file.write);
    } catch (error) {
      await turn.end('undo');
      throw error;
    }
    await turn.end('keep');
    return result;
  }

  function connect(): Connection {
    const connection: Connection = {
      turn: undefined,
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (connection.turn) return execute(query, file.write);
        return isSelect(query) && !file.isInMemory ? execute(query, file.read) : executeAlone(query);
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported.');
      },
    };
    return connection;
  }

  async function end(connection: Connection, outcome: 'keep' | 'undo') {
    const { turn } = connection;
    connection.turn = undefined;
    await turn?.end(outcome);
  }

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connect(),
    async beginTransaction(connection) {
      (connection as Connection).turn = await takeTurn(milestone);
    },
    commitTransaction: (connection) => end(connection as Connection, 'keep'),
    // After a commit that failed there is no turn left to end.
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
