// SQLite through `node:sqlite`: one connection writes, one reads, so that no look-up waits for or sees an open transaction.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
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
import { translateFailure } from './failures.ts';

/** Statements kept prepared for each connection; past it (never, in practice) they are prepared afresh. */
const MAX_PREPARED = 500;

/** An open SQLite file: `write` and `read` are one and the same for `:memory:`. */
export interface SqliteFile {
  readonly write: SqliteHandle;
  readonly read: SqliteHandle;
  close(): void;
}

interface SqliteHandle {
  run(sql: string, parameters: readonly unknown[]): Record<string, unknown>[];
}

/**
 * Opens the file in WAL mode. `synchronous=FULL`: a commit that was acknowledged survives a power cut.
 * @param busyTimeoutMs how long to wait for another process that writes to the same file.
 */
export function openSqliteFile(path: string, busyTimeoutMs = 1500): SqliteFile {
  const writer = new DatabaseSync(path, { timeout: busyTimeoutMs });
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  const write = createHandle(writer);
  if (path === ':memory:') return { write, read: write, close: () => writer.close() };
  const reader = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  return {
    write,
    read: createHandle(reader),
    close() {
      reader.close();
      writer.close();
    },
  };
}

/** Opens a file to look at it and nothing else; it may be in use. */
export function openSqliteReadOnly(path: string, busyTimeoutMs = 1500): SqliteFile {
  const reader = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  const read = createHandle(reader);
  return { write: read, read, close: () => reader.close() };
}

function createHandle(database: DatabaseSync): SqliteHandle {
  const prepared = new Map<string, StatementSync>();
  return {
    run(sql, parameters) {
      try {
        let statement = prepared.get(sql);
        if (!statement) {
          statement = database.prepare(sql);
          if (prepared.size < MAX_PREPARED) prepared.set(sql, statement);
        }
        return statement.all(...(parameters as SQLInputValue[])) as Record<string, unknown>[];
      } catch (error) {
        throw translateFailure(error);
      }
    },
  };
}

/** One after the other: each waits until the one before has called the `release` it got. */
function createMutex(): () => Promise<() => void> {
  let tail = Promise.resolve();
  return async () => {
    const before = tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    tail = promise;
    await before;
    return resolve;
  };
}

type Connection = DatabaseConnection & { begin(): Promise<void>; end(command: 'commit' | 'rollback'): void };

/** Kysely's view of the file: selects outside a transaction go to the reader, all else waits its turn on the writer. */
export function createSqliteDialect(file: SqliteFile): Dialect {
  const turn = createMutex();

  function connect(): Connection {
    let release: (() => void) | undefined;
    const execute = (query: CompiledQuery, handle: SqliteHandle): QueryResult<never> => {
      const rows = handle.run(query.sql, query.parameters) as never[];
      if (query.query.kind === 'SelectQueryNode' || rows.length > 0) return { rows };
      const changes = handle.run('select changes() as changes', [])[0]?.changes;
      return { rows, numAffectedRows: BigInt(changes as number) };
    };
    return {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (release) return execute(query, file.write);
        if (query.query.kind === 'SelectQueryNode') return execute(query, file.read);
        const done = await turn();
        try {
          return execute(query, file.write);
        } finally {
          done();
        }
      },
      streamQuery: () => {
        throw new Error('Streaming is not supported.');
      },
      async begin() {
        const done = await turn();
        try {
          file.write.run('begin immediate', []);
          release = done;
        } catch (error) {
          done();
          throw error;
        }
      },
      end(command) {
        const done = release;
        try {
          file.write.run(command, []);
        } catch (error) {
          // A commit that failed leaves the transaction open, unless SQLite has rolled it back already.
          if (command === 'commit') throw error;
        }
        release = undefined;
        done?.();
      },
    };
  }

  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connect(),
    beginTransaction: (connection) => (connection as Connection).begin(),
    commitTransaction: async (connection) => (connection as Connection).end('commit'),
    rollbackTransaction: async (connection) => (connection as Connection).end('rollback'),
    releaseConnection: async () => {},
    destroy: async () => file.close(),
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
