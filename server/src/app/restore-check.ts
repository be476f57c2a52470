// The restore check: an embedded database that is older than before was restored from a backup. It may hold sessions that
// were signed off since then. So the service ends all sessions before it answers a request.
import { oncePerTurn } from '../foundation/turn.ts';
import { markPathOf, openHighWaterMark } from '../storage/high-water-mark.ts';
import { sessionActions } from '../tokens/index.ts';
import type { Service } from './compose.ts';

/** Ends all sessions, with one audit entry. @returns the number of sessions that were open. */
export function endAllSessions({ database, accounts, sessions, audit }: Service, cause: string): Promise<number> {
  return database.transaction(async (tx) => {
    // Accounts before sessions, like a sign-in: the other order would deadlock with one that has used its challenge.
    await accounts.lockEveryAccount(tx.sql);
    const count = await sessions.endAll(tx);
    await audit.record(tx, { action: sessionActions.allEnded, outcome: 'success', details: { cause, count } });
    return count;
  });
}

/** Updates the high-water mark until it is stopped. */
export type RestoreWatch = { readonly wasRestored: boolean; stop(): Promise<void> };

const nothingToWatch: RestoreWatch = { wasRestored: false, stop: async () => {} };

/**
 * Compares the newest audit entry with the high-water mark beside an embedded database, and ends all sessions if the
 * entry is older. Each sign-off has an audit entry, and refreshes of a session share one for a minute at most. Then updates
 * the mark with each new entry.
 */
export async function watchForRestore(
  service: Service,
  databaseUrl: string,
  onError: (error: unknown) => void,
): Promise<RestoreWatch> {
  if (service.database.engine !== 'sqlite' || databaseUrl === 'sqlite::memory:') return nothingToWatch;
  const mark = openHighWaterMark(markPathOf(databaseUrl));
  const wasRestored = (await readNewest(service)) < mark.before;
  if (wasRestored) await endAllSessions(service, 'the database is older than it was');
  let newest = await readNewest(service);
  let isStopped = false;
  mark.write(newest);
  const raise = async () => {
    if (!isStopped) mark.raise(newest);
  };
  const raiseAfterThisTurn = oncePerTurn(raise, onError);
  // Events are durable. An entry that can be read may not be: after a power cut, its loss would look like a restore.
  service.events.subscribe((_, entry) => {
    newest = Math.max(newest, entry);
    raiseAfterThisTurn();
  });
  return {
    wasRestored,
    async stop() {
      newest = Math.max(newest, await readNewest(service));
      await raise();
      isStopped = true;
      mark.close();
    },
  };
}

/** Returns the newest entry of any process, after it is on disk. */
async function readNewest({ auditStore, database }: Service): Promise<number> {
  const newest = await auditStore.newest();
  await database.transaction(async () => {});
  return newest;
}
