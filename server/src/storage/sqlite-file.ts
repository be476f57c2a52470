// An open SQLite file: one connection writes, one reads. So no look-up waits for an open transaction, or sees its changes.
import { closeSync, fdatasync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { systemClock } from '../foundation/clock.ts';
import { errorCodeOf } from '../foundation/errors.ts';
import { createTurnEnd } from '../foundation/turn.ts';
import { translateFailure } from './failures.ts';

/** The most prepared statements kept for each connection. Further ones are prepared each time; in practice there are none. */
const MAX_PREPARED = 500;

/** The result code of a file that another process has locked. */
const SQLITE_BUSY = 5;

/** Whether a statement only reads. */
export const isSelect = (sql: string): boolean => /^\s*select\b/i.test(sql);

export type SqliteRow = Record<string, unknown>;

/** Reads the row with this key. */
export type SqliteRowReader<Result> = (key: string | number) => Result;

/** The size of the reader's page cache, which SQLite empties after a write. */
const READ_CACHE_KIB = 65_536;

/** The result of a statement. */
export type SqliteRows = { readonly rows: SqliteRow[]; readonly changes: number | bigint };

/** One connection to the file. */
export interface SqliteHandle {
  /** Returns the rows of a statement. For a statement without rows, returns how many rows it changed. */
  run(sql: string, parameters: readonly unknown[]): SqliteRows;
  /** Prepares a statement that has one parameter and returns at most one row, of these columns in this order. */
  prepareRow(sql: string, columns: readonly string[]): SqliteRowReader<SqliteRow | undefined>;
  isInTransaction(): boolean;
}

/** An open SQLite file. For `:memory:`, `write` and `read` are the same connection. */
export interface SqliteFile {
  readonly write: SqliteHandle;
  readonly read: SqliteHandle;
  /** One connection writes and reads, so reads also see uncommitted changes. */
  readonly isInMemory: boolean;
  /** As `prepareRow`, but reads at the end of the event-loop turn, in one transaction with the turn's other reads. */
  prepareKeyed(sql: string, columns: readonly string[]): SqliteRowReader<Promise<SqliteRow | undefined>>;
  /** Ends the readers' transaction, so that later reads see the present state. Called before every commit. */
  endSnapshot(): void;
  /** Flushes all commits so far to disk, outside the event loop. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Opens the file in WAL mode. SQLite does not wait for the disk when it commits (`synchronous=NORMAL`). Call `flush`
 * before you acknowledge a commit: that does what `FULL` would do, but off the main thread.
 * @param busyTimeoutMs how long to wait while another process writes to the same file.
 * @param content what `DatabaseSync.serialize` returned of the database as whose copy one in memory begins.
 */
export function openSqliteFile(path: string, busyTimeoutMs = 1500, content?: Uint8Array): SqliteFile {
  const writer = new DatabaseSync(path, { timeout: busyTimeoutMs });
  if (content) writer.deserialize(content);
  switchToWal(writer, busyTimeoutMs);
  writer.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  // Overwrites what is deleted, so that a person who was erased is not in the file.
  writer.exec('PRAGMA secure_delete = ON');
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

const PAUSE_MS = 5;

/**
 * Switches a new file to WAL mode. SQLite does not wait if another process does so at the same time, because each would wait
 * for the other.
 */
function switchToWal(writer: DatabaseSync, busyTimeoutMs: number): void {
  const startedAt = systemClock.elapsed();
  for (;;) {
    try {
      writer.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (!isBusy || systemClock.elapsed() - startedAt >= busyTimeoutMs) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Opens a file for reading only. The file may be in use. */
export function openSqliteReadOnly(path: string, busyTimeoutMs = 1500): SqliteFile {
  const reader = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  const read = createHandle(reader);
  return { ...withoutSnapshots(read), isInMemory: false, close: () => reader.close() };
}

/**
 * Opens an existing file so that no other process can open it, and none has.
 * @throws AuthError `service.unavailable` if one has.
 */
export function openSqliteAlone(path: string): SqliteFile {
  const only = new DatabaseSync(path);
  const handle = createHandle(only);
  try {
    for (const statement of ['pragma locking_mode = exclusive', 'begin exclusive', 'commit']) handle.run(statement, []);
  } catch (error) {
    only.close();
    throw error;
  }
  return { ...withoutSnapshots(handle), isInMemory: true, close: () => only.close() };
}

/** Uses one connection for writes and reads. */
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
 * Lets the reads at the end of an event-loop turn share a transaction. Locking the file costs more than a read by key,
 * and answers that leave together wake their clients once. The transaction ends when the immediate work of these reads
 * has run, and before every commit, so that it never hides what this process has written.
 */
function createSnapshots(handle: SqliteHandle): Pick<SqliteFile, 'read' | 'prepareKeyed' | 'endSnapshot'> {
  const endOfTurn = createTurnEnd();
  function endSnapshot() {
    if (!handle.isInTransaction()) return;
    try {
      handle.run('commit', []);
    } catch {
      // A damaged page makes the commit fail. The read of that page has already thrown.
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

/** Flushes the write-ahead log to disk. */
function createLogFlush(path: string) {
  let descriptor: number | undefined;
  return {
    async flush() {
      // The log exists as long as a connection is open, so its descriptor stays valid.
      descriptor ??= openSync(path, 'r+');
      await forceToDisk(descriptor);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

type Prepared = { readonly statement: StatementSync; readonly columns: readonly string[] };

/** Builds a plain object. The objects of `node:sqlite` have no stable shape in V8, so reading their members is slow. */
function toObject(columns: readonly string[], values: readonly unknown[]): SqliteRow {
  const row: SqliteRow = {};
  columns.forEach((name, index) => {
    row[name] = values[index];
  });
  return row;
}

function readAll(statement: StatementSync, sql: string, values: readonly SQLInputValue[]): unknown[][] {
  const read = () => {
    const rows: unknown = statement.all(...values);
    // `prepare` makes the statement return arrays.
    return rows as unknown[][];
  };
  try {
    return read();
  } catch (error) {
    // Somebody has stored a number beyond those of JavaScript. It must not hide the other rows: read it rounded, as on PostgreSQL.
    if (errorCodeOf(error) !== 'ERR_OUT_OF_RANGE' || !isSelect(sql)) throw error;
    statement.setReadBigInts(true);
    return read().map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));
  } finally {
    statement.setReadBigInts(false);
  }
}

function createHandle(database: DatabaseSync): SqliteHandle {
  const prepared = new Map<string, Prepared>();
  function prepare(sql: string): Prepared {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    const fresh = { statement, columns: statement.columns().map(({ name }) => name) };
    statement.setReturnArrays(true);
    if (prepared.size < MAX_PREPARED) prepared.set(sql, fresh);
    return fresh;
  }
  return {
    isInTransaction: () => database.isOpen && database.isTransaction,
    run(sql, parameters) {
      try {
        const { statement, columns } = prepare(sql);
        // SQLite itself refuses a value that it cannot bind.
        const values = parameters as SQLInputValue[];
        if (columns.length === 0) return { rows: [], changes: statement.run(...values).changes };
        const rows = readAll(statement, sql, values);
        return { rows: rows.map((row) => toObject(columns, row)), changes: 0 };
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
          const values: unknown = statement.get(key);
          return Array.isArray(values) ? toObject(columns, values) : undefined;
        } catch (error) {
          throw translateFailure(error);
        }
      };
    },
  };
}
