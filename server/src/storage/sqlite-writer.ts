// Writing to SQLite: one transaction after the other, and one commit, forced to disk, for all of an event-loop turn.
import { serviceErrors } from '../foundation/errors.ts';
import { oncePerTurn } from '../foundation/turn.ts';
import { translateFailure } from './failures.ts';
import type { SqliteFile } from './sqlite-file.ts';

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

/** What a transaction waits for: that others see what it wrote, or that it is on disk as well. */
export type Milestone = 'committed' | 'durable';

/** Transactions that are committed together, how far that has come, and whether one of them waits for the disk. */
type Group = Record<Milestone, PromiseWithResolvers<void>> & { mustLast: boolean };

function createGroup(): Group {
  const group = { committed: Promise.withResolvers<void>(), durable: Promise.withResolvers<void>(), mustLast: false };
  // Nobody may be waiting for one of them.
  group.committed.promise.catch(() => {});
  group.durable.promise.catch(() => {});
  return group;
}

const outage = (what: string) => serviceErrors.unavailable({ retryAfterSeconds: 1, cause: new Error(what) });

/** Those who write: see `createWriter`. */
export interface Writer {
  takeTurn(milestone: Milestone): Promise<Turn>;
  /** Closes the file when whoever has the turn is done. */
  close(): Promise<void>;
}

/** One transaction's place on the writer. */
export interface Turn {
  /** Ends it, keeping or undoing what it wrote; resolves when the group it ran in has come as far as was asked for. */
  end(outcome: 'keep' | 'undo'): Promise<void>;
}

/**
 * Lets transactions write one after the other, and commits all of one event-loop turn at once; those that are to be durable
 * are acknowledged when that is on disk. Those that come meanwhile wait: the slower the disk, the more share the next commit. Every transaction
 * is a savepoint in it, undone alone when it fails. Those that were refused wait for the commit too: what they saw is
 * true only if it succeeds.
 */
export function createWriter({ write, endSnapshot, flush, close }: SqliteFile): Writer {
  const takePlace = createMutex();
  let group: Group | undefined;
  /** Whether something is committed that may not be on disk: whatever came after it would not be safe either. */
  let isUnsafe = false;
  /** Why no transaction could begin in this turn. */
  let hindrance: unknown;
  const forgetAfterThisTurn = oncePerTurn(
    async () => {
      hindrance = undefined;
    },
    () => {},
  );

  async function commit() {
    const release = await takePlace();
    const finished = group;
    group = undefined;
    try {
      requireTransaction();
      endSnapshot();
      write.run('commit', []);
      finished?.committed.resolve();
      if (!finished?.mustLast) return;
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

  /** A disk that is full or fails makes SQLite undo the whole transaction by itself. */
  function requireTransaction() {
    if (!write.isInTransaction()) throw outage('SQLite has undone the transaction');
  }

  /** After a disk that failed: writes what is in the log to the database itself, and forces that to disk. */
  function saveLog() {
    endSnapshot();
    const [ended] = write.run('pragma wal_checkpoint(truncate)', []).rows;
    if (ended?.busy !== 0) throw outage('the log of SQLite cannot be saved');
    isUnsafe = false;
  }

  function openGroup(): Group {
    if (group && write.isInTransaction()) return group;
    // The one before was undone while it ran: its commit, which is due, must not take this one's for its own.
    if (group) abandon(group, outage('SQLite has undone the transaction'));
    begin();
    return createGroup();
  }

  /** Where one had to wait for another process in vain, nobody else of the turn waits as long again. */
  function begin() {
    if (hindrance !== undefined) throw hindrance;
    try {
      if (isUnsafe) saveLog();
      write.run('begin immediate', []);
    } catch (error) {
      hindrance = error;
      forgetAfterThisTurn();
      throw error;
    }
  }

  async function takeTurn(milestone: Milestone): Promise<Turn> {
    const release = await takePlace();
    try {
      group = openGroup();
      commitAfterThisTurn();
      write.run('savepoint turn', []);
    } catch (error) {
      release();
      throw error;
    }
    const mine = group;
    mine.mustLast ||= milestone === 'durable';
    return {
      async end(outcome) {
        try {
          if (write.isInTransaction()) {
            if (outcome === 'undo') write.run('rollback to turn', []);
            write.run('release turn', []);
          }
        } catch (error) {
          // What cannot be undone alone takes the rest of its group along.
          abandon(mine, error);
        } finally {
          release();
        }
        await mine[milestone].promise;
      },
    };
  }

  return {
    takeTurn,
    async close() {
      const release = await takePlace();
      try {
        close();
      } finally {
        release();
      }
    },
  };
}
