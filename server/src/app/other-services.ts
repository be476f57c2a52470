// What other services use: the feed of revocations, and the keys that they authenticate with.
import type { Logger } from 'pino';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { createRevocationFeed, createRevocationStore } from '../revocation-feed/index.ts';
import { createServiceKeyStore, createServiceKeys } from '../service-keys/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Revocations } from '../tokens/index.ts';

/** Creates both, and loads what they keep in memory. */
export async function createForOtherServices(deps: {
  database: Database;
  revocations: Revocations;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  log: Logger;
}) {
  const { database, log } = deps;
  const feed = createRevocationFeed({
    ...deps,
    store: createRevocationStore(database),
    onError: (error) => log.error({ err: error }, 'the revocation feed cannot be read'),
  });
  const serviceKeys = createServiceKeys({
    ...deps,
    store: createServiceKeyStore(database),
    onError: (error) => log.warn({ err: error }, 'the use of a service key could not be recorded'),
  });
  await feed.load();
  await serviceKeys.load();
  return { feed, serviceKeys };
}
