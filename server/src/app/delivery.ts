// Messages to people: their texts in the brand of a front end, their budgets, the pins and links in them, the notices to account owners,
// and the dispatcher that hands them to channels.
import type { Logger } from 'pino';
import { type AccountStore, createVerifiedAddresses, type PhoneNumbers } from '../accounts/index.ts';
import { createBudgetStore, createBudgets, createCountChange } from '../budgets/index.ts';
import { type Channel, createMessageDispatcher, createMessageStore, createMessages } from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Medium, OfferedMedia } from '../foundation/medium.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Links } from '../front-ends/index.ts';
import { createNoticeStore, createOwnerNotices } from '../owner-notices/index.ts';
import { createProofs, type DrawPin } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { createForFrontEnds } from './front-ends.ts';

/** Creates all of them. The dispatcher does not run yet. */
export function createForDelivery(deps: {
  database: Database;
  settings: SettingReader;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  brands: ReturnType<typeof createForFrontEnds>['brands'];
  links: Links;
  roles: Roles;
  channels: Readonly<Record<Medium, Channel>>;
  offeredMedia: OfferedMedia;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  drawPin?: DrawPin | undefined;
  log: Logger;
}) {
  const { database, brands, links, roles, phoneNumbers, offeredMedia, clock, log } = deps;
  const store = createMessageStore(database);
  const messages = createMessages({
    ...deps,
    store,
    findBrand: brands.findForMessages,
    grantPermissions: roles.grantPermissions,
    allowsOrigin: links.allows,
  });
  const messageDispatcher = createMessageDispatcher({
    ...deps,
    store,
    open: messages.open,
    onFailure: (error, context) => log.warn({ err: error, ...context }, 'a message could not be delivered'),
  });
  const budgets = createBudgets({ store: createBudgetStore(database), clock });
  const verifiedAddresses = createVerifiedAddresses(phoneNumbers, offeredMedia);
  const noticeStore = createNoticeStore(database);
  const ownerNotices = createOwnerNotices({ ...deps, store: noticeStore, verifiedAddresses, messages, budgets });
  return {
    messages,
    messageDispatcher,
    budgets,
    countChange: createCountChange({ budgets, clock }),
    ...createProofs({ ...deps, messages, budgets }),
    verifiedAddresses,
    ownerNotices,
    notifyOwner: ownerNotices.notifyOwner,
  };
}
