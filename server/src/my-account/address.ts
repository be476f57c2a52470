// Addresses of an account: the kinds of addresses, and the other account that has one.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Statements } from '../storage/database.ts';

/** For each kind of address: the means of its messages, the purpose of its pins, and the member that says it is verified. */
export const addressKinds = {
  emailAddress: { means: 'email', purpose: 'verify-email', confirmed: 'isEmailConfirmed' },
  mobileNumber: { means: 'sms', purpose: 'verify-mobile', confirmed: 'isMobileConfirmed' },
} as const;

/** One of an account's addresses: an e-mail address, or a number in E.164. */
export type Address = { member: keyof typeof addressKinds; value: string };

/**
 * Finds another account that has the address, or has it as its user name. Finds none for the account's present address:
 * imported accounts may share a number.
 */
export async function findOtherHolder(
  on: Statements,
  accounts: AccountStore,
  account: Account,
  { member, value }: Address,
): Promise<Account | undefined> {
  if (account[member] === value) return undefined;
  if (member === 'emailAddress') {
    const holder = await accounts.findByName(on, value);
    return holder?.id === account.id ? undefined : holder;
  }
  const [other] = (await accounts.findByMobile(on, value)).filter((id) => id !== account.id);
  return other === undefined ? undefined : accounts.findIn(on, other);
}
