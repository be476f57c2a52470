// Addresses to register with: reads them, finds their subject, and finds the account that has one.
import { type AccountStore, nameKey, type PhoneNumbers, requireEmailAddress } from '../accounts/index.ts';
import type { Address } from '../foundation/medium.ts';
import type { Holder } from '../proofs/index.ts';
import type { Statements, Tx } from '../storage/database.ts';

/** An id that no account has. A lookup of it takes as long as a lookup of an account. */
const NO_ACCOUNT_ID = 0;

export interface Addresses {
  /** Returns the address as messages are sent to it. @throws AuthError `request.invalid`. */
  read(typed: Address): Address;
  /** Returns the key that all spellings of an address share. */
  subjectOf(address: Address): string;
  /**
   * Finds an account that has the address, verified or not. Several may share a number: the first one is returned.
   * `to` is in the account's spelling; null if the address is only its user name.
   */
  findHolder(on: Statements, address: Address): Promise<Holder | undefined>;
  /** Whether no account has the address. A number stays free until the transaction ends; a unique key guards e-mail. */
  isFree(tx: Tx, address: Address): Promise<boolean>;
}

export function createAddresses({
  accounts,
  phoneNumbers,
}: {
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
}): Addresses {
  async function findHolder(on: Statements, { medium, to }: Address): Promise<Holder | undefined> {
    if (medium === 'sms') {
      const [id = NO_ACCOUNT_ID] = await accounts.findByMobile(on, to);
      const account = await accounts.findIn(on, id);
      return account && { account, to };
    }
    const account = await accounts.findByName(on, to);
    if (!account) return undefined;
    const { emailAddress } = account;
    const isAddress = emailAddress !== null && nameKey(emailAddress) === nameKey(to);
    return { account, to: isAddress ? emailAddress : null };
  }

  return {
    read({ medium, to }) {
      if (medium === 'email') return { medium, to: requireEmailAddress(to, 'sendTo') };
      return { medium, to: phoneNumbers.requireReachable(to, 'sendTo') };
    },

    subjectOf: ({ medium, to }) =>
      medium === 'email' ? `email:${nameKey(to)}` : `mobile:${phoneNumbers.parse(to) ?? ''}`,

    findHolder,

    async isFree(tx, address) {
      if (address.medium === 'sms') await accounts.lockAccounts(tx.sql);
      return (await findHolder(tx.sql, address)) === undefined;
    },
  };
}
