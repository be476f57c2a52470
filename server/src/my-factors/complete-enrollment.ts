// The last step of an enrollment: its transaction, and the record of its refusal.
import type { Account } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerVerification } from '../authentication/index.ts';
import { ENROLLMENT_SECONDS } from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';

/**
 * Runs `work` in a transaction on the owner's account, locked until the transaction ends. The account's first second factor
 * ends its other sessions with one factor. An {@link AuthError} of `work` rolls back and is recorded as a refusal: no limit
 * bounds the calls, so that repetitions in a session are recorded once.
 * @throws AuthError the errors of {@link SignedIn.authorize} and {@link OwnerVerification.requireSecondFactor}, and those of
 * `work`.
 */
export type CompleteEnrollment = <Result>(
  attempt: { owner: SignedIn; action: Action; origin: Origin },
  work: (tx: Tx, account: Account) => Promise<Result>,
) => Promise<Result>;

export function createCompleteEnrollment(deps: {
  database: Database;
  ownerVerification: OwnerVerification;
  sessions: Sessions;
  audit: AuditTrail;
}): CompleteEnrollment {
  const { database, ownerVerification, sessions, audit } = deps;
  return async ({ owner, action, origin }, work) => {
    const found: { account?: Account } = {};
    try {
      return await database.transaction(async (tx) => {
        const account = await ownerVerification.requireOwner(tx, owner);
        found.account = account;
        const isProtected = await ownerVerification.requireSecondFactor(tx, owner, account, ENROLLMENT_SECONDS);
        const result = await work(tx, account);
        if (!isProtected) await sessions.endEnrollment(tx, account.id, owner.sessionId);
        return result;
      });
    } catch (error) {
      if (found.account && isRefusal(error)) {
        const user = { id: found.account.id, name: found.account.userName };
        const { reason } = error;
        await audit.recordRepeatable(owner.sessionId, { action, outcome: 'refused', reason, user, origin });
      }
      throw error;
    }
  };
}
