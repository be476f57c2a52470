// What people do with their own account: change the password, look at their sessions and end them.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Session, type Sessions, sessionActions } from '../tokens/index.ts';
import { myAccountActions } from './events.ts';
import { findOwner } from './owner.ts';
import type { OwnerProofs } from '../authentication/owner-verification.ts';

export interface MyAccount {
  /**
   * Sets a new password, ends all other sessions, and lifts the restriction of this one.
   * Ends in `password.policy`, `password.incorrect`, `signIn.lockedOut`.
   */
  changePassword(owner: SignedIn, input: { current: string; next: string }, origin: Origin): Promise<void>;
  listSessions(owner: SignedIn): Promise<(Session & { current: boolean })[]>;
  /** Ends one of the account's sessions. Ends in `session.notFound`. */
  endSession(owner: SignedIn, sessionId: string, origin: Origin): Promise<void>;
  /** Ends all but the session that asks; recorded only if there were others. */
  endOtherSessions(owner: SignedIn, origin: Origin): Promise<void>;
}

export function createMyAccount(deps: {
  database: Database;
  accounts: AccountStore;
  passwords: Passwords;
  ownerProofs: OwnerProofs;
  sessions: Sessions;
  settings: SettingReader;
  audit: AuditTrail;
  clock: Clock;
}): MyAccount {
  const { database, accounts, passwords, ownerProofs, sessions, settings, audit, clock } = deps;

  const action = myAccountActions.passwordChanged;

  async function recordEnded(tx: Tx, owner: SignedIn, origin: Origin, count: number) {
    const account = await accounts.findIn(tx.sql, owner.accountId);
    const user = { id: owner.accountId, name: account?.userName ?? null };
    await audit.record(tx, { action: sessionActions.ended, outcome: 'success', user, origin, details: { count } });
  }

  return {
    async changePassword(owner, { current, next }, origin) {
      const account = await findOwner(accounts, owner);
      const names = [account.userName, account.emailAddress, account.name, account.surname];
      requireGoodPassword(next, readPasswordPolicy(settings, origin.frontEnd), names, { current });
      // Hashing is for callers who have proven the current password: others must not keep the threads busy.
      const proven = await ownerProofs.prove(owner, { password: current, action, origin });
      const hash = await passwords.hash(next, requesterOf(origin, accountSubject(account.id)));
      await database.transaction(async (tx) => {
        const { id, userName } = await ownerProofs.claim(tx, proven);
        await accounts.setPassword(tx.sql, id, { hash, mustChange: false }, clock.now());
        await sessions.endOfAccount(tx, id, owner.sessionId);
        await sessions.requirePasswordChange(tx, id, false);
        await audit.record(tx, { action, outcome: 'success', user: { id, name: userName }, origin });
      });
    },

    async listSessions({ accountId, sessionId }) {
      const open = await sessions.listOpen(accountId);
      return open.map((session) => ({ ...session, current: session.id === sessionId }));
    },

    async endSession(owner, sessionId, origin) {
      await database.transaction(async (tx) => {
        await owner.authorize(tx);
        await sessions.end(tx, owner.accountId, sessionId);
        await recordEnded(tx, owner, origin, 1);
      });
    },

    async endOtherSessions(owner, origin) {
      await database.transaction(async (tx) => {
        await owner.authorize(tx);
        const count = await sessions.endOfAccount(tx, owner.accountId, owner.sessionId);
        if (count > 0) await recordEnded(tx, owner, origin, count);
      });
    },
  };
}
