// Addresses of an account: what e-mail addresses and mobile numbers have in common, and who else has one.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Statements } from '../storage/database.ts';

/** How each of an account's addresses is reached and proven. */
export const addressKinds = {
  emailAddress: { means: 'email', purpose: 'verify-email', confirmed: 'isEmailConfirmed' },
  mobileNumber: { means: 'sms', purpose: 'verify-mobile', confirmed: 'isMobileConfirmed' },
} as const;

/** One of an account's addresses: an e-mail address, or a number in E.164. */
export type Address = { member: keyof typeof addressKinds; value: string };

/**
 * Another account that stands in the way of this one having the address: its owner's, or one that goes by it. An address
 * that the account has already may be shared: import allows it for numbers.
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
