// The composition: the only place where the parts of the service are put together, top to bottom.

import type { Logger } from 'pino';
import { accountAdministrationRoutes, createAccountAdministration } from './account-administration/index.ts';
import { createAccountStore, permissionsOf } from './accounts/index.ts';
import { auditRoutes, createAuditStore, createAuditTrail } from './audit/index.ts';
import { settingDefinitions } from './catalogue.ts';
import type { Clock } from './foundation/clock.ts';
import { createEvents } from './foundation/events.ts';
import type { Random } from './foundation/random.ts';
import { createSecrets } from './foundation/secrets.ts';
import { createFrontEndStore, createFrontEnds, frontEndRoutes } from './front-ends/index.ts';
import { createGuard } from './http/guard.ts';
import { createLockoutStore, createLockouts } from './lockout/index.ts';
import { createMyAccount, myAccountRoutes } from './my-account/index.ts';
import { createPasswords, passwordErrors } from './passwords/index.ts';
import { createMemoryRateLimitStore, createRateLimits, createSqlRateLimitStore } from './rate-limits/index.ts';
import { createSettingStore, createSettings, settingRoutes } from './settings/index.ts';
import { createPasswordProof, createSignIn, signInRoutes } from './sign-in/index.ts';
import type { Database } from './storage/database.ts';
import { createKeyRing, createKeyStore, createSessionStore, createSessions, tokenErrors } from './tokens/index.ts';

/** What the service is made from. */
export type Ingredients = {
  readonly database: Database;
  readonly secret: string;
  /** The public URL: whom tokens are issued by. */
  readonly issuer: string;
  /** How many hashes may run at once. */
  readonly hashThreads: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
};

/** The running parts: for the server, the command line and tests. */
export type Service = Awaited<ReturnType<typeof composeService>>;

/** Puts the service together and loads what it keeps in memory; listens to nobody yet. */
export async function composeService({ database, secret, issuer, hashThreads, clock, random, log }: Ingredients) {
  const secrets = createSecrets(secret, random);
  const events = createEvents((error) => log.error({ err: error }, 'a subscriber to events failed'));
  const auditStore = createAuditStore(database);
  const audit = createAuditTrail({ database, store: auditStore, events, clock });
  const { record } = audit;

  const settings = createSettings({
    definitions: settingDefinitions,
    database,
    store: createSettingStore(database),
    record,
    clock,
    onBadValue: (name, appKey) =>
      log.error({ setting: name, appKey }, 'a stored setting is out of bounds; the last good value stays in force'),
  });
  const frontEnds = createFrontEnds({
    database,
    store: createFrontEndStore(database),
    record,
    onKeyChange: settings.moveFrontEnd,
    clock,
    random,
  });
  const keys = createKeyRing({ database, store: createKeyStore(), record, secrets, clock, random });
  await settings.load();
  await frontEnds.load();
  await keys.load();

  const accounts = createAccountStore(database);
  const passwords = createPasswords({ random, threads: hashThreads });
  const lockouts = createLockouts({ database, store: createLockoutStore(database), clock });
  const sessions = createSessions({ store: createSessionStore(database), keys, settings, issuer, clock, random });
  const rateLimitStore =
    database.engine === 'postgres' ? createSqlRateLimitStore(database.sql) : createMemoryRateLimitStore();
  const rateLimits = createRateLimits({ store: rateLimitStore, settings, clock });

  const proof = createPasswordProof({ database, passwords, lockouts, settings, audit, clock });
  const signIn = createSignIn({ database, accounts, proof, sessions, audit, secrets, clock });
  const prove = proof.prove;
  const myAccount = createMyAccount({ database, accounts, passwords, prove, sessions, settings, audit, clock });
  const administration = createAccountAdministration({ database, accounts, lockouts, sessions, audit, clock, random });

  const guard = createGuard({
    checkToken: sessions.check,
    async findPermissions(accountId) {
      const account = await accounts.find(accountId);
      if (!account?.isActive) return undefined;
      const { roleNames } = account;
      return { actor: { id: account.id, name: account.userName }, roleNames, permissions: permissionsOf(roleNames) };
    },
    missingToken: tokenErrors.missing,
    revokedToken: tokenErrors.revoked,
    passwordChangeRequired: passwordErrors.changeRequired,
  });
  const requireMaintainer = (token: string | undefined) => guard.admit({ access: 'pages:maintenance' }, token);

  const routes = [
    ...signInRoutes(signIn),
    ...myAccountRoutes(myAccount),
    ...accountAdministrationRoutes({ administration, passwords, settings }),
    ...settingRoutes({ settings, requireFrontEnd: frontEnds.require, requireMaintainer }),
    ...frontEndRoutes(frontEnds),
    ...auditRoutes(audit),
  ];

  return {
    routes,
    guard,
    signIn,
    requireMaintainer,
    database,
    settings,
    frontEnds,
    keys,
    accounts,
    passwords,
    lockouts,
    sessions,
    rateLimits,
    administration,
    auditStore,
    audit,
    events,
  };
}
