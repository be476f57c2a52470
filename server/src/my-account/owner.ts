// Owners: callers who ask about their own account, and how the password proves that it is theirs.
import { type Account, type AccountStore, accountErrors, type Credential } from '../accounts/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { AuthError, ErrorKind } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { Tx } from '../storage/database.ts';

/**
 * Checks a password under the account's lockout and, if it is right, runs `whenProven` in the transaction that settles
 * the attempt. `compose.ts` hands in the sign-in journey's.
 */
export type ProvePassword = <Result>(
  attempt: PasswordAttempt,
  whenProven: (tx: Tx, proof: { passwordVersion: number }) => Promise<Result | AuthError>,
) => Promise<Result>;

type PasswordAttempt = {
  account: Account & { credential: Credential };
  subject: string;
  sessionId: string;
  password: string;
  origin: Origin;
  action: Action;
  wrong: ErrorKind;
};

/** The account of who asks, with what checks its password. Ends in `account.notFound` when it was deleted meanwhile. */
export async function findOwner(
  accounts: AccountStore,
  { accountId }: SignedIn,
): Promise<Account & { credential: Credential }> {
  const [account, credential] = await Promise.all([accounts.find(accountId), accounts.findCredential(accountId)]);
  if (!account || !credential) throw accountErrors.notFound();
  return { ...account, credential };
}
