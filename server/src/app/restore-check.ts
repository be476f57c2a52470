// The restore check: an embedded database that is older than it was has come back from a backup, and with it sessions
// that were signed off since. All of them are ended before anybody is answered.

import { oncePerTurn } from '../foundation/turn.ts';
import { openHighWaterMark } from '../storage/high-water-mark.ts';
import { sessionActions } from '../tokens/index.ts';
import type { Service } from './compose.ts';

/** Ends every session, with one entry in the trail. @returns how many were open. */
export function endAllSessions({ database, sessions, audit }: Service, cause: string): Promise<number> {
  return database.transaction(async (tx) => {
    const count = await sessions.endAll(tx);
    await audit.record(tx, { action: sessionActions.allEnded, outcome: 'success', details: { cause, count } });
    return count;
  });
}

/** A watch that keeps the mark up until it is stopped. */
export type RestoreWatch = { readonly wasRestored: boolean; stop(): Promise<void> };

const nothingToWatch: RestoreWatch = { wasRestored: false, stop: async () => {} };

/**
 * Compares the audit trail's newest entry (each refresh and sign-off has one) with the mark kept beside an embedded
 * database, and keeps the mark up from here on.
 */
export async function watchForRestore(
  service: Service,
  databaseUrl: string,
  onError: (error: unknown) => void,
): Promise<RestoreWatch> {
  const path = databaseUrl.replace(/^sqlite:/, '');
  if (service.database.engine !== 'sqlite' || path === ':memory:') return nothingToWatch;
  // Not named after the database's own files, which are removed and copied together (`latchkey.db*`).
  const mark = openHighWaterMark(`${path.replace(/\.db$/, '')}.mark`);
  const wasRestored = (await readNewest(service)) < mark.before;
  if (wasRestored) await endAllSessions(service, 'the database is older than it was');
  let newest = await readNewest(service);
  let isStopped = false;
  mark.write(newest);
  const raise = async () => {
    if (!isStopped) mark.raise(newest);
  };
  const raiseAfterThisTurn = oncePerTurn(raise, onError);
  // It is told of what is durable; what can be read may not be, and after a power cut would look like a restore.
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

/** The newest entry, once it is on disk, whichever process has written it. */
async function readNewest({ auditStore, database }: Service): Promise<number> {
  const newest = await auditStore.newest();
  await database.transaction(async () => {});
  return newest;
}
