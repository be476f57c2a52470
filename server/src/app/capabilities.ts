// The capabilities of a service, created in the order of their dependencies. Slices are built from them.
import type { Logger } from 'pino';
import { createAccountFactors } from '../account-factors/index.ts';
import { createAccountCounts, createAccountStore, createNames, createPhoneNumbers } from '../accounts/index.ts';
import { createAuditErasure, createAuditRetention, createErasureStore } from '../audit/index.ts';
import { createAuthenticationCore } from '../authentication/index.ts';
import { createAuthorization, createDeniedCalls, createFindAbove } from '../authorization/index.ts';
import { RELEASED_AT, VERSION } from '../config/version.ts';
import { type Channel, findOfferedMedia } from '../delivery/index.ts';
import type { Additions } from '../extensions/additions.ts';
import { createExternalLoginStore, createExternalLogins } from '../external-logins/index.ts';
import { createFactors, type RelyingParty } from '../factors/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import type { Medium } from '../foundation/medium.ts';
import { requireAll } from '../foundation/permissions.ts';
import type { Random } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import { type Trace, untraced } from '../foundation/trace.ts';
import { createUniformTiming } from '../foundation/uniform-timing.ts';
import { createGuard } from '../http/guard.ts';
import { createLockoutStore, createLockouts } from '../lockout/index.ts';
import { createPasswords, type HashCost } from '../passwords/index.ts';
import type { DrawPin } from '../proofs/index.ts';
import {
  createAuthorizationRequestStore,
  createAuthorizationRequests,
  createProviders,
  createReview,
  type ExternalProviders,
} from '../providers/index.ts';
import { createMemoryRateLimitStore, createRateLimits, createSqlRateLimitStore } from '../rate-limits/index.ts';
import { createRoleStore, createRoles } from '../roles/index.ts';
import { createSecurityAnswerStore, createSecurityAnswers } from '../security-questions/index.ts';
import { createSettingStore, createSettings, type Settings } from '../settings/index.ts';
import { createSignInWays } from '../sign-in-ways/index.ts';
import type { Database } from '../storage/database.ts';
import {
  createApplicationTokens,
  createIdTokens,
  createKeyRings,
  createRevocations,
  createSessionStore,
  createSessions,
  tokenErrors,
  tokenSettings,
} from '../tokens/index.ts';
import { createForApplications } from './applications.ts';
import { errorKinds, registrations, settingDefinitions } from './catalogue.ts';
import { createForDelivery } from './delivery.ts';
import { createForExternalProviders, guardExternalProviders } from './external-providers.ts';
import { createForFrontEnds } from './front-ends.ts';
import { createForOtherServices } from './other-services.ts';
import { createRecords } from './records.ts';

/** The parts that the service is composed from. */
export type ServiceOptions = {
  readonly database: Database;
  readonly secret: string;
  /** The public URL, which is the issuer of tokens. */
  readonly issuer: string;
  /** The origins whose pages may call the service, besides its own and those of applications. */
  readonly corsOrigins: readonly string[];
  /** The domain and the origins of passkeys. */
  readonly relyingParty: RelyingParty;
  /** The number of hashes that may run at the same time. */
  readonly hashThreads: number;
  /** The cost of new hashes. Only tests give another one than `OWASP_HASH_COST`. */
  readonly hashCost?: HashCost | undefined;
  /** Calls addresses that administrators name. */
  readonly egress: Egress;
  /** They send messages to people. */
  readonly channels: Readonly<Record<Medium, Channel>>;
  readonly additions: Additions;
  readonly clock: Clock;
  readonly random: Random;
  /** Draws pins. Only a test server gives it. Default: random ones. */
  readonly drawPin?: DrawPin | undefined;
  readonly log: Logger;
  /** Traces the work of a request. Default: no traces. */
  readonly trace?: Trace | undefined;
};

/** The span names of hashing. A span includes the wait for a thread. */
const HASHING = { hash: 'hash', hashRandom: 'hash', verify: 'verify hash', compare: 'verify hash' } as const;

/** What all others are built on. Loads what they keep in memory. */
async function createBase(options: ServiceOptions) {
  const { database, secret, channels, additions, clock, random, log } = options;
  const secrets = createSecrets(secret, random);
  const records = createRecords({ database, additions, clock, random, log });
  const { record } = records.audit;
  const offeredMedia = findOfferedMedia(channels);
  const accounts = createAccountStore(database, random);
  const roles = createRoles({ database, store: createRoleStore(database), accounts, record, clock });
  const settings: Settings = createSettings({
    definitions: [...settingDefinitions, ...additions.settings].toSorted((a, b) => a.order - b.order),
    database,
    store: createSettingStore(database),
    record,
    requireAll,
    // Front ends are made from settings.
    requireFrontEnd: (tx, appKey) => forFrontEnds.frontEnds.requireIn(tx, appKey),
    readFormerKeys: () => forFrontEnds.frontEnds.readFormerKeys(),
    offeredMedia,
    clock,
    onBadValue: (name, appKey) =>
      log.error({ setting: name, appKey }, 'a stored setting is out of bounds; the last good value stays in force'),
  });
  const forFrontEnds = createForFrontEnds({ ...options, settings, record });
  const revocations = createRevocations();
  const readHeaderType = () => settings.read(tokenSettings).headerType;
  const { keys, idTokenKeys } = createKeyRings({ ...options, revocations, record, secrets, readHeaderType });
  await settings.load();
  additions.useSettings(settings);
  await forFrontEnds.frontEnds.load();
  await roles.load();
  await keys.load();
  await records.counters.load();
  const common = { database, clock, random, secrets, offeredMedia };
  return { ...common, ...records, accounts, roles, settings, ...forFrontEnds, revocations, keys, idTokenKeys };
}

type Base = Awaited<ReturnType<typeof createBase>>;

/** What tells who a person is, and keeps what they have proven. */
function createForSignIn(
  parts: ServiceOptions & Base & { record: Base['audit']['record']; externalProviders: ExternalProviders },
) {
  const { database, settings, accounts, secrets, clock, random, additions, counters, log, trace = untraced } = parts;
  const phoneNumbers = createPhoneNumbers(settings);
  const hashing = { random, cost: parts.hashCost, clock };
  const passwords = trace(createPasswords({ ...hashing, threads: parts.hashThreads }), HASHING);
  // A separate thread: answers to security questions, also for unknown names, must not delay sign-ins.
  const answerHashing = trace(createPasswords({ ...hashing, threads: 1 }), HASHING);
  const answerStore = createSecurityAnswerStore(database);
  const onLock = (of: string) => counters.count('lockout', of);
  const rateLimitStore =
    database.engine === 'postgres' ? createSqlRateLimitStore(database.sql) : createMemoryRateLimitStore();
  const providers = trace(
    createProviders({ ...parts, registered: additions.providers, rows: parts.externalProviders }),
    { identify: 'ask provider', redeem: 'ask provider' },
    'outgoing',
  );
  const requestStore = createAuthorizationRequestStore(database);
  return {
    phoneNumbers,
    names: createNames({ database, accounts, phoneNumbers, secrets }),
    passwords,
    answerHashing,
    answers: createSecurityAnswers({ store: answerStore, passwords: answerHashing, settings, secrets, clock }),
    lockouts: createLockouts({ database, store: createLockoutStore(database), clock, random, onLock }),
    sessions: createSessions({ ...parts, store: createSessionStore(database) }),
    idTokens: createIdTokens(parts),
    applicationTokens: createApplicationTokens(parts),
    rateLimits: createRateLimits({ store: rateLimitStore, settings, clock }),
    providers,
    authorizationRequests: createAuthorizationRequests({ ...parts, store: requestStore, providers }),
    review: createReview({ reviewers: additions.reviewers, clock }),
    ...createFactors({
      ...parts,
      onUnopened: (accountId) =>
        log.warn({ accountId }, 'the secret of an authenticator app does not open with this LATCHKEY_SECRET: reset it'),
    }),
  };
}

/** Creates all capabilities, and loads what they keep in memory. */
export async function createCapabilities(options: ServiceOptions) {
  const base = await createBase(options);
  const parts = { ...options, ...base, record: base.audit.record };
  const { clock, random, relyingParty } = parts;
  const externalLoginStore = createExternalLoginStore(random);
  const externalProviders = await createForExternalProviders({ ...parts, externalLoginStore });
  const forSignIn = createForSignIn({ ...parts, externalProviders });
  base.frontEnds.whenKeyChanges(forSignIn.trustedDevices.moveFrontEnd);
  const forOtherServices = await createForOtherServices(parts);
  const delivery = createForDelivery({ ...parts, ...forSignIn });
  const externalLogins = createExternalLogins({ ...base, ...forSignIn, ...delivery, store: externalLoginStore });
  const external = { externalProviders, externalLoginStore, externalLogins };
  const all = { ...base, ...forSignIn, ...forOtherServices, ...delivery, ...external };
  const { canSignIn, readSignInWays } = createSignInWays(all);
  guardExternalProviders({ ...all, canSignIn });
  const core = createAuthenticationCore(all);
  const forApplications = createForApplications({ ...parts, ...all });
  const authorization = createAuthorization(all);
  const guard = createGuard({ ...all, authorization, missingToken: tokenErrors.missing });
  return {
    ...all,
    ...core,
    ...forApplications,
    auditRetention: createAuditRetention({ ...all, store: all.auditStore }),
    auditErasure: createAuditErasure({ ...all, store: createErasureStore(all.database) }),
    canSignIn,
    readSignInWays,
    passkeyOrigins: relyingParty.origins,
    accountFactors: createAccountFactors({ ...all, ...core }),
    authorization,
    deniedCalls: createDeniedCalls(all),
    guard,
    requireMaintainer: (token: string | undefined) => guard.authorize({ access: 'pages:maintenance' }, token),
    issuer: options.issuer,
    corsOrigins: options.corsOrigins,
    release: { version: VERSION, date: RELEASED_AT },
    mailChannel: options.channels.email.name,
    findAbove: createFindAbove(all),
    countAccounts: createAccountCounts(all.database),
    counted: { registrations, reasons: errorKinds.map(({ reason }) => reason) },
    withUniformTiming: createUniformTiming(clock),
  };
}
