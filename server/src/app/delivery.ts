// What delivers messages: their texts in the brand of a front end, and the dispatcher that hands them to channels.
import type { Logger } from 'pino';
import {
  type Channel,
  createMessageDispatcher,
  createMessageStore,
  createMessages,
  type Means,
} from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { OfferedMeans } from '../foundation/means.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END, type Links } from '../front-ends/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { createForFrontEnds } from './front-ends.ts';

/** Creates both. The dispatcher does not run yet. */
export function createForDelivery(deps: {
  database: Database;
  settings: SettingReader;
  brands: ReturnType<typeof createForFrontEnds>['brands'];
  links: Links;
  roles: Roles;
  channels: Readonly<Record<Means, Channel>>;
  offeredMeans: OfferedMeans;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  log: Logger;
}) {
  const { database, brands, links, roles, log } = deps;
  const store = createMessageStore(database);
  const messages = createMessages({
    ...deps,
    store,
    findBrand: brands.findForMessages,
    standardFrontEnd: DEFAULT_FRONT_END,
    grantPermissions: roles.grantPermissions,
    allowsOrigin: links.allows,
  });
  const messageDispatcher = createMessageDispatcher({
    ...deps,
    store,
    open: messages.open,
    onFailure: (error, context) => log.warn({ err: error, ...context }, 'a message could not be delivered'),
  });
  return { messages, messageDispatcher };
}
