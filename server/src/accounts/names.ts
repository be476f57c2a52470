// Names: whom somebody means by what they type.
import type { Secrets } from '../foundation/secrets.ts';
import type { Database } from '../storage/database.ts';
import { type Account, type Credential, nameKey } from './account.ts';
import type { PhoneNumbers } from './phone-number.ts';
import type { AccountStore } from './store.ts';

/** What a typed name stands for. */
export type Named = {
  account: (Account & { credential: Credential }) | undefined;
  /** Keyed hash of the folded name: names that were only typed are not kept, since people type passwords there. */
  nameMac: string;
};

/** An id that no account has: to look for nobody takes as long as to look for somebody. */
const NOBODY = 0;

export interface Names {
  /** By user name or e-mail address. */
  resolve(name: string): Promise<Named>;
  /** By a confirmed mobile number that only one account has, else by user name or e-mail address. */
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
  /** Under a label of its own: as with an account's number, failed passwords for it do not count against its pins. */
  const macOfNumber = (number: string) => secrets.mac('unknown-number', number);

  async function findByNumber(number: string): Promise<Named['account']> {
    const [holder = NOBODY, ...others] = await accounts.findByMobile(database.sql, number, { confirmed: true });
    const [account, credential] = await Promise.all([accounts.find(holder), accounts.findCredential(holder)]);
    return account && credential && others.length === 0 ? { ...account, credential } : undefined;
  }

  return {
    async resolve(name) {
      return { account: await accounts.findByName(database.sql, name), nameMac: macOf(nameKey(name)) };
    },
    async resolveWithNumber(name) {
      const number = phoneNumbers.parse(name);
      const [byName, byNumber] = await Promise.all([
        accounts.findByName(database.sql, name),
        number === undefined ? undefined : findByNumber(number),
      ]);
      // The number's owner before whoever took it for a user name.
      if (number !== undefined) return { account: byNumber ?? byName, nameMac: macOfNumber(number) };
      return { account: byName, nameMac: macOf(nameKey(name)) };
    },
  };
}
