// The account of a session whose token is exchanged, as it is now.
import type { AccountStore } from '../accounts/index.ts';
import { type SecondFactors, toTokenSubject } from '../authentication/index.ts';
import type { Tx } from '../storage/database.ts';
import type { RefreshedSubject, Session } from '../tokens/index.ts';

/** Returns the account and whether it must enroll a second factor, or `undefined` if it is deleted or deactivated. */
export type FindRefreshedSubject = (
  tx: Tx,
  accountId: number,
  session: Session,
) => Promise<RefreshedSubject | undefined>;

export function createFindRefreshedSubject({
  accounts,
  secondFactors,
}: {
  accounts: AccountStore;
  secondFactors: SecondFactors;
}): FindRefreshedSubject {
  return async (tx, accountId, { frontEnd }) => {
    const account = await accounts.findIn(tx.sql, accountId);
    if (!account?.isActive) return undefined;
    return { ...toTokenSubject(account), mustEnroll: await secondFactors.mustEnroll(tx, account, frontEnd) };
  };
}
