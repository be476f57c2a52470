// Importing accounts: many at once, from elsewhere, with the password hashes they had there.
import { createHash } from 'node:crypto';
import { type AccountInput, type AccountStore, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import { checkInput } from './account-administration.ts';
import { administrationActions } from './events.ts';

/** An account from elsewhere; without a hash nobody can sign in to it until a password was set. */
export type ImportedAccount = AccountInput & { passwordHash: string | null };

export interface AccountImport {
  /** The account as it will be stored. Ends in `request.invalid`. Unlike elsewhere, its mobile number may be another's too. */
  prepare(account: ImportedAccount): ImportedAccount;
  /**
   * Adds prepared accounts in one transaction, each with an entry in the trail.
   * @returns for each whether it was added; else its user name or e-mail address is taken.
   */
  add(batch: readonly ImportedAccount[], by: Manager): Promise<boolean[]>;
  /** Answers as `add` would, batch after batch, and changes nothing; remembers some 100 bytes of each account. */
  rehearse(batch: readonly ImportedAccount[]): Promise<boolean[]>;
}

export function createAccountImport(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  audit: AuditTrail;
  clock: Clock;
}): AccountImport {
  const { database, accounts, phoneNumbers, audit, clock } = deps;
  const rehearsed = new Set<bigint>();

  return {
    prepare: (account) => ({ ...account, ...checkInput(account, phoneNumbers) }),

    async add(batch, { actor, origin }) {
      if (batch.length === 0) return [];
      return database.transaction(async (tx) => {
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

/** 64 bits of a name: of a million names, the odds that two are mistaken for one are below one in ten million. */
function digest(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigUInt64LE();
}
