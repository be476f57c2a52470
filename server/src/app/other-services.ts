// What other services use: the feed of revocations, the keys that they authenticate with, events, and sign-ins.
import type { Logger } from 'pino';
import { createApplicationStore, createApplications } from '../applications/index.ts';
import type { AuditTrail, ChainStore } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { DEFAULT_FRONT_END, type FrontEnds } from '../front-ends/index.ts';
import { createRevocationFeed, createRevocationStore } from '../revocation-feed/index.ts';
import type { Roles } from '../roles/index.ts';
import { createServiceKeyStore, createServiceKeys } from '../service-keys/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Revocations, tokenSettings } from '../tokens/index.ts';
import { createDeliveries, createWebhookStore, createWebhooks } from '../webhooks/index.ts';
import { actions } from './catalogue.ts';

/** Creates all, and loads what they keep in memory. */
export async function createForOtherServices(deps: {
  database: Database;
  revocations: Revocations;
  audit: AuditTrail;
  chainStore: ChainStore;
  roles: Roles;
  frontEnds: FrontEnds;
  settings: Settings;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  egress: Egress;
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
  const store = createWebhookStore(database);
  const webhooks = createWebhooks({ ...deps, store, actions });
  const deliveries = createDeliveries({
    ...deps,
    store,
    webhooks,
    onFailure: (error) => log.error({ err: error }, 'events could not be delivered; they are kept'),
  });
  const applications = createApplications({
    ...deps,
    store: createApplicationStore(database),
    frontEnds: { requireIn: deps.frontEnds.requireIn, standard: DEFAULT_FRONT_END },
    readOwnAudience: async (tx) => (await deps.settings.readIn(tx, tokenSettings)).audience,
  });
  deps.frontEnds.whenKeyChanges((tx, from, to) => applications.moveFrontEnd(tx, from, to ?? DEFAULT_FRONT_END));
  await feed.load();
  await serviceKeys.load();
  await webhooks.load();
  await applications.load();
  return { feed, serviceKeys, webhooks, deliveries, applications };
}
