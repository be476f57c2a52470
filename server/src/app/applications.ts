// What signs people in to applications: their grants, and how they prove who they are.
import type { Logger } from 'pino';
import type { AccountStore } from '../accounts/index.ts';
import { type Application, type Applications, admits } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { createGrantStore, createGrants, createRefreshTokens, type Grants } from '../grants/index.ts';
import { createAssertionStore, createClientAuthentication, createVerifyAssertion } from '../oauth/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { RateLimits } from '../rate-limits/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Settings } from '../settings/index.ts';
import { createSignOutDeliveries, createSignOutStore, createSignOuts } from '../sign-outs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type IdTokens, type Revocations, type Sessions, tokenSettings } from '../tokens/index.ts';

/** Where applications authenticate. */
const ENDPOINTS = ['token', 'par', 'device-authorization', 'introspect', 'revoke'];

export function createForApplications(deps: {
  database: Database;
  applications: Applications;
  settings: Pick<Settings, 'whenChanged'>;
  accounts: AccountStore;
  roles: Roles;
  sessions: Sessions;
  idTokens: IdTokens;
  revocations: Revocations;
  rateLimits: RateLimits;
  audit: AuditTrail;
  notifyOwner: NotifyOwner;
  egress: Egress;
  issuer: string;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  log: Logger;
}) {
  const { database, applications, settings, roles, issuer, log } = deps;
  const grants = createGrants({ ...deps, store: createGrantStore(database), refreshTokens: createRefreshTokens(deps) });
  const store = createSignOutStore(database);
  const endDisallowed = createEndDisallowed({ ...deps, grants });
  roles.whenReassigned((tx, accountIds) => endDisallowed(tx, { accountIds }));
  applications.whenEnding(async (tx, application, what) => {
    const { id: applicationId } = application;
    if (what === 'all' || what === 'deleted') await grants.end(tx, { applicationId });
    // After the end of its grants, which the application would be told.
    if (what === 'deleted') await store.abandon(tx.sql, applicationId);
    if (what === 'roles') await endDisallowed(tx, { applicationId });
    if (what === 'own') await grants.end(tx, { applicationId, isOwn: true });
  });
  settings.whenChanged(tokenSettings, (tx, { audience }) => applications.requireFree(tx, audience));
  const assertionStore = createAssertionStore(database);
  const clientAuthentication = createClientAuthentication({
    ...deps,
    store: assertionStore,
    verifyAssertion: createVerifyAssertion({
      ...deps,
      onFailure: (clientId, error) =>
        log.warn({ clientId, err: error }, 'the keys of an application cannot be fetched'),
    }),
    audiences: [issuer, ...ENDPOINTS.map((name) => `${issuer}/oauth/${name}`)],
  });
  const signOuts = createSignOuts({ ...deps, store, grants });
  const signOutDeliveries = createSignOutDeliveries({
    ...deps,
    store,
    onFailure: (error) => log.error({ err: error }, 'applications could not be told of sign-outs; they will be'),
    onRefusal: (clientId, { message }) =>
      log.warn({ clientId, reason: message }, 'an application cannot be told of sign-outs'),
  });
  return { grants, assertionStore, clientAuthentication, signOuts, signOutDeliveries };
}

/**
 * Returns a function that ends the grants of accounts that may no longer sign in to their applications. The transaction holds each
 * application, so that of a change of the account's roles and one of the application's, the later sees both.
 */
function createEndDisallowed(deps: {
  accounts: AccountStore;
  applications: Applications;
  roles: Roles;
  grants: Grants;
}) {
  const { accounts, applications, roles, grants } = deps;
  return async (tx: Tx, whose: Parameters<Grants['listOpen']>[1]) => {
    const open = await grants.listOpen(tx, whose);
    if (open.length === 0) return;
    const held = new Map<string, Application | undefined>();
    // Sorted: a front end that gets another key locks several as well.
    for (const id of [...new Set(open.map(({ applicationId }) => applicationId))].toSorted()) {
      held.set(id, await applications.findForUpdate(tx, id));
    }
    const people = await accounts.findAllIn(tx.sql, [...new Set(open.map(({ accountId }) => accountId))]);
    const roleNames = new Map(people.map((account) => [account.id, account.roleNames]));
    const over = open.filter(({ accountId, applicationId }) => {
      const application = held.get(applicationId);
      const signsPeopleIn = application !== undefined && application.kind !== 'machine';
      return !signsPeopleIn || !admits(application, roleNames.get(accountId) ?? [], roles.isIn);
    });
    await grants.end(tx, { ids: over.map(({ id }) => id) });
  };
}
