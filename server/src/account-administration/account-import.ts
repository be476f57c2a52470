// Account import: adds many accounts at once, with the password hashes of the system they come from.
import { createHash } from 'node:crypto';
import { type AccountInput, type AccountStore, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Roles } from '../roles/index.ts';
import type { Database } from '../storage/database.ts';
import { checkInput } from './account-changes.ts';
import { administrationActions } from './events.ts';

/** An account to import. Without a hash its owner cannot sign in with a password until one is set. */
export type ImportedAccount = AccountInput & { passwordHash: string | null };

export interface AccountImport {
  /**
   * Returns the account as it will be stored. Unlike other accounts, it may share its mobile number.
   * @throws AuthError `request.invalid`.
   */
  prepare(account: ImportedAccount): ImportedAccount;
  /**
   * Adds prepared accounts in one transaction, each with an audit entry.
   * @returns whether each account was added. If not, its user name or e-mail address is taken.
   */
  add(batch: readonly ImportedAccount[], by: Manager): Promise<boolean[]>;
  /** Returns what `add` would return, batch after batch, and changes nothing. Keeps about 100 bytes for each account. */
  rehearse(batch: readonly ImportedAccount[]): Promise<boolean[]>;
}

export function createAccountImport(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  roles: Roles;
  audit: AuditTrail;
  clock: Clock;
}): AccountImport {
  const { database, accounts, phoneNumbers, roles, audit, clock } = deps;
  const rehearsed = new Set<bigint>();

  return {
    prepare: (account) => ({ ...account, ...checkInput(account, { phoneNumbers, roles }) }),

    async add(batch, { actor, origin }) {
      if (batch.length === 0) return [];
      return database.transaction(async (tx) => {
        await roles.register(tx, [...new Set(batch.flatMap(({ roleNames }) => roleNames))]);
        const ids = await accounts.addAll(tx.sql, batch, clock.now());
        for (const [index, { userName }] of batch.entries()) {
          const id = ids[index];
          if (id === undefined) continue;
          await audit.record(tx, {
            action: administrationActions.created,
            outcome: 'success',
            user: { id, name: userName },
            origin,
            details: { by: actor.name, byId: actor.id },
          });
        }
        return ids.map((id) => id !== undefined);
      });
    },

    async rehearse(batch) {
      if (batch.length === 0) return [];
      const taken = await accounts.findTaken(database.sql, batch);
      return batch.map(({ userName, emailAddress }) => {
        const names = [
          `name ${nameKey(userName)}`,
          ...(emailAddress === null ? [] : [`mail ${nameKey(emailAddress)}`]),
        ];
        const isTaken =
          taken.userNames.has(nameKey(userName)) ||
          (emailAddress !== null && taken.emailAddresses.has(nameKey(emailAddress)));
        const digests = names.map(digest);
        if (isTaken || digests.some((one) => rehearsed.has(one))) return false;
        for (const one of digests) rehearsed.add(one);
        return true;
      });
    },
  };
}

/** Returns 64 bits of a name. Among a million names, the odds of a collision are below one in ten million. */
function digest(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigUInt64LE();
}
