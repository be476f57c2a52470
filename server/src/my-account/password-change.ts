// Password change: replaces the caller's password.
import { type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerVerification } from '../authentication/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { Database } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { myAccountActions } from './declarations.ts';
import { ownPasswordChangedMessage } from './templates.ts';

/**
 * Sets a new password, ends all other sessions, removes this session's requirement to change the password, and tells the
 * owner by e-mail.
 * @throws AuthError `password.policy`, `password.incorrect`, `signIn.lockedOut`.
 */
export type ChangePassword = (
  owner: SignedIn,
  input: { current: string; next: string },
  origin: Origin,
) => Promise<void>;

export function createPasswordChange(deps: {
  database: Database;
  accounts: AccountStore;
  passwords: Passwords;
  ownerVerification: OwnerVerification;
  sessions: Sessions;
  notifyOwner: NotifyOwner;
  settings: SettingReader;
  audit: AuditTrail;
  clock: Clock;
}): ChangePassword {
  const { database, accounts, passwords, ownerVerification, sessions, notifyOwner, settings, audit, clock } = deps;
  const action = myAccountActions.passwordChanged;

  return async (owner, { current, next }, origin) => {
    const account = await accounts.find(owner.accountId);
    if (!account) throw accountErrors.notFound();
    const names = [account.userName, account.emailAddress, account.name, account.surname];
    requireGoodPassword(next, readPasswordPolicy(settings, origin.frontEnd), names, { current });
    // Verify before hashing: a caller who does not know the current password must not keep the threads busy.
    const verified = await ownerVerification.verify(owner, { password: current, action, origin, needsFactor: false });
    const hash = await passwords.hash(next, requesterOf(origin, accountSubject(account.id)));
    await database.transaction(async (tx) => {
      const changed = await ownerVerification.requireUnchanged(tx, verified);
      const { id, userName } = changed;
      await accounts.setPassword(tx.sql, id, { hash, mustChange: false }, clock.now());
      await sessions.endOfAccount(tx, id, owner.sessionId);
      await sessions.requirePasswordChange(tx, id, false);
      await notifyOwner(tx, changed, ownPasswordChangedMessage, { medium: 'email', frontEnd: origin.frontEnd });
      const user = { id, name: userName };
      await audit.recordRepeatable(owner.sessionId, { action, outcome: 'success', user, origin }, tx);
    });
  };
}
