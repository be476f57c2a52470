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

/** Transactions that are made durable together. */
type Group = { readonly done: Promise<void>; settle(error?: unknown): void };

/** One transaction's place on the writer. */
export interface Turn {
  /** Ends it, keeping or undoing what it wrote; resolves when the group it ran in is durable. */
  end(outcome: 'keep' | 'undo'): Promise<void>;
}

/**
 * Lets transactions write one after the other, and commits all of one event-loop turn at once; they are acknowledged when
 * that is on disk. Those that come meanwhile wait: the slower the disk, the more share the next commit. Every transaction
 * is a savepoint in it, undone alone when it fails. Those that were refused wait for the commit too: what they saw is
 * true only if it succeeds.
 */
export function createWriter({ write, endSnapshot, flush }: SqliteFile): () => Promise<Turn> {
  const takeTurn = createMutex();
  let group: Group | undefined;

  async function commit() {
    const release = await takeTurn();
    const finished = group;
    group = undefined;
    try {
      requireTransaction();
      endSnapshot();
      write.run('commit', []);
      await flush();
      finished?.settle();
    } catch (error) {
      abandon(finished, translateFailure(error));
    } finally {
      release();
    }
  }
  const commitAfterThisTurn = oncePerTurn(commit, () => {});

  function abandon(broken: Group | undefined, error: unknown) {
    broken?.settle(error);
    if (write.isInTransaction()) write.run('rollback', []);
  }

  /** A disk that is full or fails makes SQLite undo the whole transaction by itself. */
  function requireTransaction() {
    if (!write.isInTransaction()) throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
  }

  function openGroup(): Group {
    if (group && write.isInTransaction()) return group;
    // The one before was undone while it ran: its commit, which is due, must not take this one's for its own.
    if (group) abandon(group, serviceErrors.unavailable({ retryAfterSeconds: 1 }));
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
