// Password replacement: sets the new password of a reset, and ends everything that the old password protected.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject, type Lockouts, questionsSubject } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { OneTimeSecrets, Pins, TokenHolder } from '../proofs/index.ts';
import type { SecurityAnswers } from '../security-questions/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { resetActions, resetErrors } from './declarations.ts';
import { ResetMethod } from './method.ts';
import { passwordChangedMessage } from './templates.ts';

/** The token that sets a new password, its holder, and the hash of that password. */
export type Replacement = { token: string; held: TokenHolder; hash: string };

/**
 * Takes the token, and sets the password of its account. Ends all sessions, revokes the reset pins and the other secrets of
 * the account, resets the lockouts, clears a required password change, and notifies the owner. Deletes the security answers
 * unless they were the method: an attacker who knew the old password may have set them.
 * @returns `false`, with nothing written, when the token was redeemed or the account has changed meanwhile.
 */
export type ReplacePassword = (tx: Tx, replacement: Replacement, origin: Origin) => Promise<boolean>;

export function createPasswordReplacement(deps: {
  accounts: AccountStore;
  oneTimeSecrets: OneTimeSecrets;
  answers: SecurityAnswers;
  sessions: Sessions;
  lockouts: Lockouts;
  pins: Pins;
  notifyOwner: NotifyOwner;
  audit: AuditTrail;
  clock: Clock;
}): ReplacePassword {
  const { accounts, oneTimeSecrets, answers, sessions, lockouts, pins, notifyOwner, audit, clock } = deps;

  return async (tx, { token, held, hash }, origin) => {
    const { accountId, passwordVersion, method } = held;
    // Lock the account first and take the token last, so that two tokens of one account never wait for each other.
    const account = await accounts.findForUpdate(tx.sql, accountId);
    if (!account?.isActive || !(await oneTimeSecrets.findToken(token, tx))) return false;
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
    if (!(await oneTimeSecrets.takeToken(tx, token))) throw resetErrors.invalidToken();
    await oneTimeSecrets.revokeOfAccount(tx, accountId);
    return true;
  };
}
