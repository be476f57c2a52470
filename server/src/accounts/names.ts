// Names: finds the account that a typed name stands for.
import type { Secrets } from '../foundation/secrets.ts';
import type { Database } from '../storage/database.ts';
import { type Account, type Credential, nameKey } from './account.ts';
import type { PhoneNumbers } from './phone-number.ts';
import type { AccountStore } from './store.sql.ts';

/** A typed name, and the account it stands for if there is one. */
export type Named = {
  account: (Account & { credential: Credential }) | undefined;
  /** Keyed hash of the case-folded name. The name itself is not stored, because people type passwords into its field. */
  nameMac: string;
};

/** An id that no account has. A lookup of it takes as long as a lookup of an account. */
const NO_ACCOUNT_ID = 0;

export interface Names {
  /** Returns the keyed hash of a name that requests for it are counted by. */
  macOf(name: string): string;
  /** Finds an account by user name or e-mail address. */
  resolve(name: string): Promise<Named>;
  /** Finds an account by a verified mobile number that no other account has verified, else by user name or e-mail address. */
  resolveWithNumber(name: string): Promise<Named>;
}

export function createNames(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  secrets: Secrets;
}): Names {
  const { database, accounts, phoneNumbers, secrets } = deps;
  const macOf = (key: string) => secrets.mac('unknown-name', key);
  /** Its own label keeps the counts apart: failed passwords for an unknown number do not count against pins for it. */
  const macOfNumber = (number: string) => secrets.mac('unknown-number', number);

  async function findByNumber(number: string): Promise<Named['account']> {
    const [holder = NO_ACCOUNT_ID, ...others] = await accounts.findByMobile(database.sql, number, { confirmed: true });
    const [account, credential] = await Promise.all([accounts.find(holder), accounts.findCredential(holder)]);
    return account && credential && others.length === 0 ? { ...account, credential } : undefined;
  }

  return {
    macOf: (name) => macOf(nameKey(name)),
    async resolve(name) {
      return { account: await accounts.findByName(database.sql, name), nameMac: macOf(nameKey(name)) };
    },
    async resolveWithNumber(name) {
      const number = phoneNumbers.parse(name);
      const [byName, byNumber] = await Promise.all([
        accounts.findByName(database.sql, name),
        number === undefined ? undefined : findByNumber(number),
      ]);
      // The account that has verified the number comes before an account that has it as its user name.
      if (number !== undefined) return { account: byNumber ?? byName, nameMac: macOfNumber(number) };
      return { account: byName, nameMac: macOf(nameKey(name)) };
    },
  };
}
