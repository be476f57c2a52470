// What signs people in to applications: their grants, and how they prove who they are.
import type { Logger } from 'pino';
import type { AccountStore } from '../accounts/index.ts';
import type { Applications } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { createGrantStore, createGrants, createRefreshTokens } from '../grants/index.ts';
import { createAssertionStore, createClientAuthentication, createVerifyAssertion } from '../oauth/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { RateLimits } from '../rate-limits/index.ts';
import { createSignOutDeliveries, createSignOutStore, createSignOuts } from '../sign-outs/index.ts';
import type { Database } from '../storage/database.ts';
import type { IdTokens, Revocations, Sessions } from '../tokens/index.ts';

export function createForApplications(deps: {
  database: Database;
  applications: Applications;
  accounts: AccountStore;
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
  const { database, applications, issuer, log } = deps;
  const grants = createGrants({ ...deps, store: createGrantStore(database), refreshTokens: createRefreshTokens(deps) });
  applications.whenEnding(async (tx, application, what) => {
    const { id: applicationId } = application;
    if (what === 'all') await grants.end(tx, { applicationId });
    if (what === 'machine') await grants.end(tx, { applicationId, isOwn: true });
  });
  const assertionStore = createAssertionStore(database);
  const clientAuthentication = createClientAuthentication({
    ...deps,
    store: assertionStore,
    verifyAssertion: createVerifyAssertion(deps),
    audiences: [issuer, `${issuer}/oauth/token`, `${issuer}/oauth/par`, `${issuer}/oauth/device-authorization`],
  });
  const store = createSignOutStore(database);
  const signOuts = createSignOuts({ ...deps, store, grants });
  const signOutDeliveries = createSignOutDeliveries({
    ...deps,
    store,
    onFailure: (error) => log.error({ err: error }, 'applications could not be told of sign-outs; they will be'),
  });
  return { grants, assertionStore, clientAuthentication, signOuts, signOutDeliveries };
}
