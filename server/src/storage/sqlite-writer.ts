// The writer of SQLite: transactions run one after the other, and those of one event-loop turn share one commit and one fsync.
import { serviceErrors } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';
import { translateFailure } from './failures.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** A mutex: `acquire` resolves with the `release` to call. */
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

/** What a transaction waits for: `committed` is visible to other readers, `durable` is also on disk. */
export type Milestone = 'committed' | 'durable';

/** The transactions of one event-loop turn, which commit together. */
type Group = Record<Milestone, PromiseWithResolvers<void>> & { requiresFsync: boolean };

function createGroup(): Group {
  const group = {
    committed: Promise.withResolvers<void>(),
    durable: Promise.withResolvers<void>(),
    requiresFsync: false,
  };
  // A rejection that no transaction awaits must not end the process.
  group.committed.promise.catch(() => {});
  group.durable.promise.catch(() => {});
  return group;
}

const outage = (message: string) => serviceErrors.unavailable({ retryAfterSeconds: 1, cause: new Error(message) });

/** The one writer of a database: see `createWriter`. */
export interface Writer {
  begin(milestone: Milestone): Promise<WriteTransaction>;
  /** Moves the log into the database, and empties it. @returns false if another connection reads an older state. */
  emptyLog(): Promise<boolean>;
  /** Closes the file after the running transaction. */
  close(): Promise<void>;
}

/** A running transaction. */
export interface WriteTransaction {
  /** Keeps or rolls back the transaction. Resolves when the commit of its group has reached the milestone. */
  end(outcome: 'keep' | 'undo'): Promise<void>;
}

/**
 * Runs transactions one after the other, and commits all of one event-loop turn together. Durable ones are acknowledged
 * when the commit is on disk. Transactions that arrive during a commit wait for it, so groups grow with a slower disk.
 * Each transaction is a savepoint that can be rolled back alone. A transaction that is rolled back waits for the commit
 * too, because what it has read is true only if the commit succeeds.
 */
export function createWriter({ write, endSnapshot, flush, close }: SqliteFile): Writer {
  const acquire = createMutex();
  let group: Group | undefined;
  /** Whether a commit may be missing on disk. No later commit would be safe then. */
  let isUnsafe = false;
  /** The error that stopped a group from beginning in this event-loop turn. */
  let beginError: unknown;
  const forgetAfterThisTurn = oncePerTurn(
    async () => {
      beginError = undefined;
    },
    () => {},
  );

  async function commit() {
    const release = await acquire();
    const finished = group;
    group = undefined;
    try {
      requireTransaction();
      endSnapshot();
      write.run('commit', []);
      finished?.committed.resolve();
      if (!finished?.requiresFsync) return;
      isUnsafe = true;
      await flush();
      isUnsafe = false;
      finished.durable.resolve();
    } catch (error) {
      abandon(finished, translateFailure(error));
    } finally {
      release();
    }
  }
  const commitAfterThisTurn = oncePerTurn(commit, () => {});

  function abandon(broken: Group | undefined, error: unknown) {
    broken?.committed.reject(error);
    broken?.durable.reject(error);
    if (write.isInTransaction()) write.run('rollback', []);
  }

  /** SQLite rolls back the whole transaction itself if the disk is full or fails. */
  function requireTransaction() {
    if (!write.isInTransaction()) throw outage('SQLite has undone the transaction');
  }

  /** Checkpoints the log into the database, and flushes the database. @returns false if another connection prevents it. */
  function saveLog(): boolean {
    endSnapshot();
    const [ended] = write.run('pragma wal_checkpoint(truncate)', []).rows;
    if (ended?.busy !== 0) return false;
    isUnsafe = false;
    return true;
  }

  /** Does the same without waiting for another connection: the whole service would stand still while a backup reads. */
  function saveLogAtOnce(): boolean {
    const [{ timeout } = {}] = write.run('pragma busy_timeout', []).rows;
    write.run('pragma busy_timeout = 0', []);
    try {
      return saveLog();
    } finally {
      write.run(`pragma busy_timeout = ${timeout}`, []);
    }
  }

  function openGroup(): Group {
    if (group && write.isInTransaction()) return group;
    // SQLite has rolled back the previous group. Its pending commit must not commit this group.
    if (group) abandon(group, outage('SQLite has undone the transaction'));
    beginGroup();
    return createGroup();
  }

  /** If one transaction has timed out waiting for another process, the others of the turn fail at once. */
  function beginGroup() {
    if (beginError !== undefined) throw beginError;
    try {
      // After a disk failure.
      if (isUnsafe && !saveLog()) throw outage('the log of SQLite cannot be saved');
      write.run('begin immediate', []);
    } catch (error) {
      beginError = error;
      forgetAfterThisTurn();
      throw error;
    }
  }

  async function begin(milestone: Milestone): Promise<WriteTransaction> {
    const release = await acquire();
    try {
      group = openGroup();
      commitAfterThisTurn();
      write.run('savepoint tx', []);
    } catch (error) {
      release();
      throw error;
    }
    const mine = group;
    mine.requiresFsync ||= milestone === 'durable';
    return {
      async end(outcome) {
        try {
          if (write.isInTransaction()) {
            if (outcome === 'undo') write.run('rollback to tx', []);
            write.run('release tx', []);
          }
        } catch (error) {
          // A savepoint that cannot be rolled back fails its whole group.
          abandon(mine, error);
        } finally {
          release();
        }
        await mine[milestone].promise;
      },
    };
  }

  return {
    begin,
    async emptyLog() {
      // Not within a transaction.
      await group?.committed.promise.catch(() => {});
      const release = await acquire();
      try {
        return !write.isInTransaction() && saveLogAtOnce();
      } finally {
        release();
      }
    },
    async close() {
      const release = await acquire();
      try {
        close();
      } finally {
        release();
      }
    },
  };
}
