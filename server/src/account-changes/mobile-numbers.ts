// Mobile numbers: an administrator gives an account none that another one has.
import { type AccountStore, accountErrors } from '../accounts/index.ts';
import type { Tx } from '../storage/database.ts';

/** Returns a function that requires that no other account has this number. It throws AuthError `account.duplicate`. */
export const createRequireFreeNumber =
  ({ accounts }: { accounts: AccountStore }) =>
  async (tx: Tx, mobileNumber: string | null, ownId?: number) => {
    if (mobileNumber === null) return;
    const holders = await accounts.findByMobile(tx.sql, mobileNumber);
    if (holders.some((id) => id !== ownId)) throw accountErrors.duplicate();
  };
