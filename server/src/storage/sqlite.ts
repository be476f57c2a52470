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
import { serviceErrors } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';
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
  isInTransaction(): boolean;
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
    isInTransaction: () => database.isTransaction,
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

/** Transactions that are made durable together. */
type Group = { readonly done: Promise<void>; settle(error?: unknown): void };

/** One transaction's place on the writer. */
interface Turn {
  /** Ends it, keeping or undoing what it wrote; resolves when the group it ran in is durable. */
  end(outcome: 'keep' | 'undo'): Promise<void>;
}

/**
 * Lets transactions write one after the other, and makes all of one event-loop turn durable with a single commit: the
 * forced write to disk is the dearest step of each. Every transaction is a savepoint in it, undone alone when it fails.
 * Those that were refused wait for the commit too: what they saw is true only if it succeeds.
 */
function createWriter(write: SqliteHandle): () => Promise<Turn> {
  const takeTurn = createMutex();
  let group: Group | undefined;

  async function commit() {
    const release = await takeTurn();
    const finished = group;
    group = undefined;
    try {
      write.run('commit', []);
      finished?.settle();
    } catch (error) {
      abandon(finished, error);
    } finally {
      release();
    }
  }
  const commitAfterThisTurn = oncePerTurn(commit, () => {});

  function abandon(broken: Group | undefined, error: unknown) {
    broken?.settle(error);
    if (write.isInTransaction()) write.run('rollback', []);
  }

  function openGroup(): Group {
    // A full disk or a failing one makes SQLite undo the whole transaction by itself.
    if (group && !write.isInTransaction()) {
      abandon(group, serviceErrors.unavailable({ retryAfterSeconds: 1 }));
      group = undefined;
    }
    if (group) return group;
    write.run('begin immediate', []);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    return { done: promise, settle: (error) => (error === undefined ? resolve() : reject(error)) };
  }

  return async () => {
    const release = await takeTurn();
    try {
      group = openGroup();
      commitAfterThisTurn();
      write.run('savepoint turn', []);
    } catch (error) {
      release();
      throw error;
    }
    const { done } = group;
    return {
      async end(outcome) {
        try {
          if (write.isInTransaction()) {
            if (outcome === 'undo') write.run('rollback to turn', []);
            write.run('release turn', []);
          }
        } finally {
          release();
        }
        await done;
      },
    };
  };
}

/** A transaction's connection holds a turn while it runs; without one, each statement stands alone. */
type Connection = DatabaseConnection & { turn: Turn | undefined };

/** Kysely's view of the file: selects outside a transaction go to the reader, all else waits its turn on the writer. */
export function createSqliteDialect(file: SqliteFile): Dialect {
  const takeTurn = createWriter(file.write);

  const execute = <Row>({ sql, parameters, query }: CompiledQuery, handle: SqliteHandle): QueryResult<Row> => {
    const rows = handle.run(sql, parameters) as Row[];
    if (query.kind === 'SelectQueryNode' || rows.length > 0) return { rows };
    const changes = handle.run('select changes() as changes', [])[0]?.changes;
    return { rows, numAffectedRows: BigInt(changes as number) };
  };

  async function executeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const turn = await takeTurn();
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
        return query.query.kind === 'SelectQueryNode' ? execute(query, file.read) : executeAlone(query);
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
      (connection as Connection).turn = await takeTurn();
    },
    commitTransaction: (connection) => end(connection as Connection, 'keep'),
    // After a commit that failed there is no turn left to end.
    rollbackTransaction: (connection) => end(connection as Connection, 'undo'),
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
