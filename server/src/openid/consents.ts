// Consents: what people share with applications, and may stop sharing.
import type { AccountStore } from '../accounts/index.ts';
import type { Applications } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { Grants } from '../grants/index.ts';
import type { Database } from '../storage/database.ts';
import { authorizationActions, consentErrors } from './declarations.ts';
import type { OpenIdStore } from './store.sql.ts';

export type Consent = {
  readonly id: string;
  readonly application: string;
  readonly scopes: readonly string[];
  readonly at: Instant;
};

export interface Consents {
  /** Returns the consents of an account to applications that are registered, newest first. */
  list(accountId: number): Promise<Consent[]>;
  /** Deletes a consent, and ends what the application was given. @throws AuthError `consent.notFound`. */
  withdraw(caller: SignedIn, id: string, origin: Origin): Promise<void>;
}

export function createConsents(deps: {
  database: Database;
  store: OpenIdStore;
  applications: Applications;
  accounts: AccountStore;
  grants: Grants;
  audit: AuditTrail;
}): Consents {
  const { database, store, applications, accounts, grants, audit } = deps;
  return {
    async list(accountId) {
      const all = await store.listConsents(accountId);
      return all.flatMap(({ applicationId, ...consent }) => {
        const application = applications.findById(applicationId);
        return application ? [{ ...consent, application: application.name }] : [];
      });
    },
    async withdraw(caller, id, origin) {
      await database.transaction(async (tx) => {
        await caller.authorize(tx);
        const { accountId } = caller;
        const applicationId = await store.removeConsent(tx.sql, accountId, id);
        if (applicationId === undefined) throw consentErrors.notFound();
        await grants.end(tx, { applicationId, accountId });
        const user = await accounts.readUser(tx.sql, accountId);
        const details = { application: applications.findById(applicationId)?.name ?? null };
        const action = authorizationActions.withdrawn;
        await audit.record(tx, { action, outcome: 'success', user, origin, details });
      });
    },
  };
}
