// Addresses that people register with: how they are read, under what they are counted, and who has one already.
import { type AccountStore, nameKey, type PhoneNumbers, requireEmailAddress } from '../accounts/index.ts';
import type { Means } from '../delivery/index.ts';
import type { Statements, Tx } from '../storage/database.ts';

/** An e-mail address, or a mobile number: as it is written to, in E.164, once it was read. */
export type Address = { readonly means: Means; readonly to: string };

/** An account that has an address already: `to` in the account's own spelling, null if it only goes by it. */
export type Holder = { readonly accountId: number; readonly to: string | null };

export interface Addresses {
  /** The address as messages are sent to it. Ends in `request.invalid`, which says what to do. */
  read(typed: Address): Address;
  /** What all spellings of an address have in common. */
  subjectOf(address: Address): string;
  /** Whose it is already, proven or not; of several that share a number, any. */
  findHolder(on: Statements, address: Address): Promise<Holder | undefined>;
  /** Whether nobody has it. A number stays free until the transaction ends; e-mail addresses have a unique key. */
  isFree(tx: Tx, address: Address): Promise<boolean>;
}

export function createAddresses({
  accounts,
  phoneNumbers,
}: {
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
}): Addresses {
  async function findHolder(on: Statements, { means, to }: Address): Promise<Holder | undefined> {
    if (means === 'sms') {
      const [accountId] = await accounts.findByMobile(on, to);
      return accountId === undefined ? undefined : { accountId, to };
    }
    const account = await accounts.findByName(on, to);
    if (!account) return undefined;
    const { id: accountId, emailAddress } = account;
    const isAddress = emailAddress !== null && nameKey(emailAddress) === nameKey(to);
    return { accountId, to: isAddress ? emailAddress : null };
  }

  return {
    read({ means, to }) {
      if (means === 'email') return { means, to: requireEmailAddress(to, 'sendTo') };
      return { means, to: phoneNumbers.requireReachable(to, 'sendTo') };
    },

    subjectOf: ({ means, to }) =>
      means === 'email' ? `email:${nameKey(to)}` : `mobile:${phoneNumbers.parse(to) ?? ''}`,

    findHolder,

    async isFree(tx, address) {
      if (address.means === 'sms') await accounts.lockAccounts(tx.sql);
      return (await findHolder(tx.sql, address)) === undefined;
    },
  };
}
