// Addresses of an account: the members that hold them, and the other account that has one.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Address } from '../foundation/medium.ts';
import type { Statements } from '../storage/database.ts';

/** For each medium: the member of an account that holds its address, and the one that says it is verified. */
export const addressMembers = {
  email: { member: 'emailAddress', confirmed: 'isEmailConfirmed' },
  sms: { member: 'mobileNumber', confirmed: 'isMobileConfirmed' },
} as const;

/**
 * Finds another account that has the address, or has it as its user name. Finds none for the account's present address:
 * imported accounts may share a number.
 */
export async function findOtherHolder(
  on: Statements,
  accounts: AccountStore,
  account: Account,
  { medium, to }: Address,
): Promise<Account | undefined> {
  if (account[addressMembers[medium].member] === to) return undefined;
  if (medium === 'email') {
    const holder = await accounts.findByName(on, to);
    return holder?.id === account.id ? undefined : holder;
  }
  const [other] = (await accounts.findByMobile(on, to)).filter((id) => id !== account.id);
  return other === undefined ? undefined : accounts.findIn(on, other);
}
