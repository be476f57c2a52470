// The capabilities of a service, created in the order of their dependencies. Slices are built from them.
import type { Logger } from 'pino';
import { createAccountFactors } from '../account-factors/index.ts';
import { createAccountStore, createNames, createPhoneNumbers } from '../accounts/index.ts';
import { createAuditRetention } from '../audit/index.ts';
import { createAuthenticationCore } from '../authentication/index.ts';
import { createAuthorization } from '../authorization/index.ts';
import { type Channel, findOfferedMedia } from '../delivery/index.ts';
import type { Additions } from '../extensions/additions.ts';
import { createExternalLoginStore, createExternalLogins } from '../external-logins/index.ts';
import { createFactors, type RelyingParty } from '../factors/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Random } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import { type Trace, untraced } from '../foundation/trace.ts';
import { createUniformTiming } from '../foundation/uniform-timing.ts';
import { createLockoutStore, createLockouts } from '../lockout/index.ts';
import { createPasswords } from '../passwords/index.ts';
import {
  createAuthorizationRequestStore,
  createAuthorizationRequests,
  createProviders,
  createReview,
} from '../providers/index.ts';
import { createMemoryRateLimitStore, createRateLimits, createSqlRateLimitStore } from '../rate-limits/index.ts';
import { createRoleStore, createRoles } from '../roles/index.ts';
import { createSecurityAnswerStore, createSecurityAnswers } from '../security-questions/index.ts';
import { createSettingStore, createSettings } from '../settings/index.ts';
import { createCanSignIn } from '../sign-in-ways/index.ts';
import type { Database } from '../storage/database.ts';
import {
  createKeyRing,
  createKeyStore,
  createRevocations,
  createSessionStore,
  createSessions,
  tokenSettings,
} from '../tokens/index.ts';
import { settingDefinitions } from './catalogue.ts';
import { createForDelivery } from './delivery.ts';
import { createForFrontEnds } from './front-ends.ts';
import { createForOtherServices } from './other-services.ts';
import { createRecords } from './records.ts';

/** The parts that the service is composed from. */
export type ServiceOptions = {
  readonly database: Database;
  readonly secret: string;
  /** The public URL, which is the issuer of tokens. */
  readonly issuer: string;
  /** The domain and the origins of passkeys. */
  readonly relyingParty: RelyingParty;
  /** The number of hashes that may run at the same time. */
  readonly hashThreads: number;
  /** They send messages to people. */
  readonly channels: Readonly<Record<Medium, Channel>>;
  readonly additions: Additions;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Traces the work of a request. Default: no traces. */
  readonly trace?: Trace | undefined;
};

/** The span names of hashing. A span includes the wait for a thread. */
const HASHING = { hash: 'hash', hashRandom: 'hash', verify: 'verify hash' } as const;

/** Creates all capabilities, and loads what they keep in memory. */
export async function createCapabilities(options: ServiceOptions) {
  const { database, secret, issuer, relyingParty, hashThreads, channels, additions } = options;
  const { clock, random, log, trace = untraced } = options;
  const secrets = createSecrets(secret, random);
  const { events, auditStore, audit, counters } = createRecords({ database, additions, clock, log });
  const { record } = audit;
  const offeredMedia = findOfferedMedia(channels);

  const accounts = createAccountStore(database, random);
  const roles = createRoles({ database, store: createRoleStore(database), accounts, record, clock });
  const settings = createSettings({
    definitions: [...settingDefinitions, ...additions.settings].toSorted((a, b) => a.order - b.order),
    database,
    store: createSettingStore(database),
    record,
    requireAll: roles.requireAll,
    offeredMedia,
    clock,
    onBadValue: (name, appKey) =>
      log.error({ setting: name, appKey }, 'a stored setting is out of bounds; the last good value stays in force'),
  });
  const { frontEnds, links, brands } = createForFrontEnds({ ...options, settings, record });
  const revocations = createRevocations();
  const keys = createKeyRing({
    database,
    store: createKeyStore(),
    revocations,
    record,
    secrets,
    clock,
    random,
    readHeaderType: () => settings.read(tokenSettings).headerType,
  });
  await settings.load();
  additions.useSettings(settings);
  await frontEnds.load();
  await roles.load();
  await keys.load();
  await counters.load();

  const auditRetention = createAuditRetention({ store: auditStore, settings, clock });
  const phoneNumbers = createPhoneNumbers(settings);
  const passwords = trace(createPasswords({ random, threads: hashThreads, clock }), HASHING);
  // A separate thread: answers to security questions, also for unknown names, must not delay sign-ins.
  const answerHashing = trace(createPasswords({ random, threads: 1, clock }), HASHING);
  const onLock = (of: string) => counters.count('lockout', of);
  const lockouts = createLockouts({ database, store: createLockoutStore(database), clock, random, onLock });
  const sessions = createSessions({
    store: createSessionStore(database),
    keys,
    revocations,
    settings,
    issuer,
    clock,
    random,
  });
  const { feed, serviceKeys } = await createForOtherServices({
    database,
    revocations,
    record,
    secrets,
    clock,
    random,
    log,
  });
  const rateLimitStore =
    database.engine === 'postgres' ? createSqlRateLimitStore(database.sql) : createMemoryRateLimitStore();
  const rateLimits = createRateLimits({ store: rateLimitStore, settings, clock });
  const delivery = createForDelivery({
    ...options,
    settings,
    accounts,
    phoneNumbers,
    brands,
    links,
    roles,
    offeredMedia,
    record,
    secrets,
  });
  const { verifiedAddresses, notifyOwner } = delivery;

  const names = createNames({ database, accounts, phoneNumbers, secrets });
  const answerStore = createSecurityAnswerStore(database);
  const answers = createSecurityAnswers({ store: answerStore, passwords: answerHashing, settings, secrets, clock });
  const providers = trace(
    createProviders({ registered: additions.providers, clock }),
    { identify: 'ask provider', redeem: 'ask provider' },
    'outgoing',
  );
  const authorizationRequests = createAuthorizationRequests({
    database,
    store: createAuthorizationRequestStore(database),
    providers,
    secrets,
    clock,
    random,
  });
  const review = createReview({ reviewers: additions.reviewers, clock });
  const externalLoginStore = createExternalLoginStore(random);
  const externalLogins = createExternalLogins({ store: externalLoginStore, sessions, notifyOwner, clock });

  const factors = createFactors({ database, settings, relyingParty, secrets, clock, random });

  const core = createAuthenticationCore({
    ...factors,
    database,
    settings,
    accounts,
    roles,
    passwords,
    lockouts,
    sessions,
    revocations,
    audit,
    secrets,
    clock,
    random,
  });

  const shared = { frontEnds, roles, lockouts, sessions, notifyOwner, settings };
  return {
    database,
    clock,
    random,
    secrets,
    events,
    auditStore,
    audit,
    counters,
    auditRetention,
    settings,
    frontEnds,
    links,
    brands,
    keys,
    revocations,
    feed,
    serviceKeys,
    accounts,
    roles,
    names,
    phoneNumbers,
    passwords,
    answerHashing,
    answers,
    lockouts,
    sessions,
    rateLimits,
    ...delivery,
    offeredMedia,
    providers,
    authorizationRequests,
    review,
    externalLoginStore,
    externalLogins,
    canSignIn: createCanSignIn({ ...factors, accounts, verifiedAddresses, externalLogins, providers, settings }),
    ...factors,
    passkeyOrigins: relyingParty.origins,
    ...core,
    accountFactors: createAccountFactors({ ...factors, ...core, ...delivery, ...shared }),
    authorization: createAuthorization({ accounts, roles, sessions }),
    withUniformTiming: createUniformTiming(clock),
  };
}
