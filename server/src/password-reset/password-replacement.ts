// Password replacement: sets the new password of a reset, and ends everything that the old password protected.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject, type Lockouts, questionsSubject } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Pins, TokenHolder } from '../proofs/index.ts';
import type { SecurityAnswers } from '../security-questions/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { resetActions } from './declarations.ts';
import { ResetMethod } from './method.ts';
import { passwordChangedMessage } from './templates.ts';

/** The holder of the token that sets a new password, and the hash of that password. */
export type Replacement = { held: TokenHolder; hash: string };

/**
 * Sets the password of an account, read for update, if it has the password version of the token. Ends all sessions,
 * revokes the reset pins, resets the lockouts, clears a required password change, and notifies the owner. Deletes the
 * security answers unless they were the method: an attacker who knew the old password may have set them.
 * @returns `false` when the account has another password by now.
 */
export type ReplacePassword = (tx: Tx, account: Account, replacement: Replacement, origin: Origin) => Promise<boolean>;

export function createPasswordReplacement(deps: {
  accounts: AccountStore;
  answers: SecurityAnswers;
  sessions: Sessions;
  lockouts: Lockouts;
  pins: Pins;
  notifyOwner: NotifyOwner;
  audit: AuditTrail;
  clock: Clock;
}): ReplacePassword {
  const { accounts, answers, sessions, lockouts, pins, notifyOwner, audit, clock } = deps;

  return async (tx, account, { held, hash }, origin) => {
    const { accountId, passwordVersion, method } = held;
    const password = { hash, mustChange: false, provenVersion: passwordVersion };
    if (!(await accounts.setPassword(tx.sql, accountId, password, clock.now()))) return false;
    await sessions.endOfAccount(tx, accountId);
    await lockouts.reset(tx, accountSubject(accountId));
    await lockouts.reset(tx, questionsSubject(accountId));
    if (method !== ResetMethod.questions) await answers.delete(tx, accountId);
    await notifyOwner(tx, account, passwordChangedMessage, { frontEnd: origin.frontEnd });
    // After the notice: like a request for a pin, it locks the budget of the number before the pins.
    await pins.revoke(tx, 'reset-password', { beginning: `${accountSubject(accountId)}/` });
    const user = { id: accountId, name: account.userName };
    await audit.record(tx, { action: resetActions.completed, outcome: 'success', user, origin, details: { method } });
    return true;
  };
}
