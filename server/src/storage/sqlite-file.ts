// An open SQLite file: one connection writes, one reads, so that no look-up waits for or sees an open transaction.
import { closeSync, fdatasync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { createTurnEnd } from '../foundation/turn.ts';
import { translateFailure } from './failures.ts';

/** Statements kept prepared for each connection; past it (never, in practice) they are prepared afresh. */
const MAX_PREPARED = 500;

export type SqliteRow = Record<string, unknown>;

/** Reads the row that has this key. */
export type SqliteRowReader<Result> = (key: string | number) => Result;

/** Pages that were read are kept up to this size, as long as nobody writes. */
const READ_CACHE_KIB = 65_536;

/** What a statement came to. */
export type SqliteRows = { readonly rows: SqliteRow[]; readonly changes: number | bigint };

/** One connection to the file. */
export interface SqliteHandle {
  /** The rows that a statement gives, or for one that gives none, how many it changed. */
  run(sql: string, parameters: readonly unknown[]): SqliteRows;
  /** Prepares a statement that has one parameter and gives at most one row, of these columns in their order. */
  prepareRow(sql: string, columns: readonly string[]): SqliteRowReader<SqliteRow | undefined>;
  isInTransaction(): boolean;
}

/** An open SQLite file: `write` and `read` are one and the same for `:memory:`. */
export interface SqliteFile {
  readonly write: SqliteHandle;
  readonly read: SqliteHandle;
  /** One connection for all, which also sees what is not committed. */
  readonly isInMemory: boolean;
  /** As `prepareRow`; reads at the end of the event-loop turn, in one transaction with all others who do. */
  prepareKeyed(sql: string, columns: readonly string[]): SqliteRowReader<Promise<SqliteRow | undefined>>;
  /** What is read from now on is not older than this moment: before every commit. */
  endSnapshot(): void;
  /** Forces all that was committed so far to disk, beside the event loop. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Opens the file in WAL mode. SQLite itself does not wait for the disk when it commits (`synchronous=NORMAL`): whoever
 * acknowledges a commit calls `flush` before, which is what `FULL` would do, but off the main thread.
 * @param busyTimeoutMs how long to wait for another process that writes to the same file.
 */
export function openSqliteFile(path: string, busyTimeoutMs = 1500): SqliteFile {
  const writer = new DatabaseSync(path, { timeout: busyTimeoutMs });
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  const write = createHandle(writer);
  if (path === ':memory:') return { ...withoutSnapshots(write), isInMemory: true, close: () => writer.close() };
  const reader = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  reader.exec(`PRAGMA cache_size = -${READ_CACHE_KIB}`);
  const log = createLogFlush(`${path}-wal`);
  return {
    write,
    isInMemory: false,
    ...createSnapshots(createHandle(reader)),
    flush: log.flush,
    close() {
      log.close();
      reader.close();
      writer.close();
    },
  };
}

/** Opens a file to look at it and nothing else; it may be in use. */
export function openSqliteReadOnly(path: string, busyTimeoutMs = 1500): SqliteFile {
  const reader = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  const read = createHandle(reader);
  return { ...withoutSnapshots(read), isInMemory: false, close: () => reader.close() };
}

/** One connection for all. */
function withoutSnapshots(handle: SqliteHandle): Omit<SqliteFile, 'close' | 'isInMemory'> {
  return {
    write: handle,
    read: handle,
    prepareKeyed(sql, columns) {
      const readRow = handle.prepareRow(sql, columns);
      return async (key) => readRow(key);
    },
    endSnapshot: () => {},
    flush: async () => {},
  };
}

/**
 * Lets what is read at the end of an event-loop turn share a transaction: taking the file's lock costs more than a read by
 * key, and answers that leave together wake whoever waits for them once. It ends when all that these reads have set off
 * at once has run, and before every commit, so that it never hides what this process has written.
 */
function createSnapshots(handle: SqliteHandle): Pick<SqliteFile, 'read' | 'prepareKeyed' | 'endSnapshot'> {
  const endOfTurn = createTurnEnd();
  function endSnapshot() {
    if (!handle.isInTransaction()) return;
    try {
      handle.run('commit', []);
    } catch {
      // After a page that is damaged: whoever asked for it has been told.
      if (handle.isInTransaction()) handle.run('rollback', []);
    }
  }
  function beginSnapshot() {
    if (handle.isInTransaction()) return;
    handle.run('begin', []);
    process.nextTick(endSnapshot);
  }
  return {
    read: {
      ...handle,
      run(sql, parameters) {
        beginSnapshot();
        return handle.run(sql, parameters);
      },
    },
    prepareKeyed(sql, columns) {
      const readRow = handle.prepareRow(sql, columns);
      return async (key) => {
        if (!handle.isInTransaction()) await endOfTurn();
        beginSnapshot();
        return readRow(key);
      };
    },
    endSnapshot,
  };
}

const forceToDisk = promisify(fdatasync);

/** Forces the write-ahead log to disk. */
function createLogFlush(path: string) {
  let descriptor: number | undefined;
  return {
    async flush() {
      // The log lives as long as a connection is open, so the file that was opened once stays the right one.
      descriptor ??= openSync(path, 'r+');
      await forceToDisk(descriptor);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

type Prepared = { readonly statement: StatementSync; readonly givesRows: boolean };

/** The objects that `node:sqlite` makes itself are of no shape that the engine knows: reading their members is slow. */
function toObject(columns: readonly string[], values: readonly unknown[]): SqliteRow {
  const row: SqliteRow = {};
  for (const [index, name] of columns.entries()) row[name] = values[index];
  return row;
}

function createHandle(database: DatabaseSync): SqliteHandle {
  const prepared = new Map<string, Prepared>();
  function prepare(sql: string): Prepared {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const fresh = { statement, givesRows: statement.columns().length > 0 };
    if (prepared.size < MAX_PREPARED) prepared.set(sql, fresh);
    return fresh;
  }
  return {
    isInTransaction: () => database.isOpen && database.isTransaction,
    run(sql, parameters) {
      try {
        const { statement, givesRows } = prepare(sql);
        const values = parameters as SQLInputValue[];
        if (!givesRows) return { rows: [], changes: statement.run(...values).changes };
        return { rows: statement.all(...values) as SqliteRow[], changes: 0 };
      } catch (error) {
        throw translateFailure(error);
      }
    },
    prepareRow(sql, columns) {
      let statement: StatementSync | undefined;
      return (key) => {
        try {
          if (!statement) {
            statement = database.prepare(sql);
            statement.setReturnArrays(true);
          }
          const values = statement.get(key) as unknown as unknown[] | undefined;
          return values && toObject(columns, values);
        } catch (error) {
          throw translateFailure(error);
        }
      };
    },
  };
}
