// External providers that administrators register: what they need of roles, external logins and extensions.
import { createLastAdministrator } from '../account-changes/index.ts';
import type { AccountStore } from '../accounts/index.ts';
import type { Additions } from '../extensions/additions.ts';
import type { ExternalLoginStore, ExternalLogins } from '../external-logins/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Egress } from '../foundation/egress.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { createExternalProviderStore, createExternalProviders, type ExternalProviders } from '../providers/index.ts';
import type { Roles } from '../roles/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database, Tx } from '../storage/database.ts';

/** Creates them, and loads what they keep in memory. */
export async function createForExternalProviders(deps: {
  database: Database;
  accounts: AccountStore;
  roles: Roles;
  externalLoginStore: ExternalLoginStore;
  additions: Additions;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  egress: Egress;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Promise<ExternalProviders> {
  const { database, accounts, roles, externalLoginStore, additions } = deps;
  const externalProviders = createExternalProviders({
    ...deps,
    store: createExternalProviderStore(database),
    codeNames: additions.providers.map(({ name }) => name),
    areCodeNamesComplete: additions.areIncomplete !== true,
    roles: {
      find: async (tx, name) => (await roles.hold(tx, name))?.name,
      requireGivable: (tx, name, held) => roles.requireCovered(tx, held, [name]),
    },
    logins: {
      lock: (tx) => accounts.lockAccounts(tx.sql),
      count: externalLoginStore.count,
    },
  });
  roles.whenDeleted(externalProviders.forgetRole);
  await externalProviders.load();
  return externalProviders;
}

/**
 * Removes the external logins of a provider that is deleted, unless one is of an account that holds more than the administrator.
 * Neither this nor disabling a provider shuts out the last administrator.
 */
export function guardExternalProviders(deps: {
  externalProviders: ExternalProviders;
  externalLogins: ExternalLogins;
  accounts: AccountStore;
  canSignIn: CanSignIn;
  roles: Roles;
}): void {
  const { externalProviders, externalLogins, roles } = deps;
  externalProviders.guardClosing(createLastAdministrator(deps).guard);
  externalProviders.whenRemoving((tx, name, held) =>
    externalLogins.unlinkAll(tx, name, (roleNames) => roles.requireCovered(tx, held, roleNames)),
  );
}
