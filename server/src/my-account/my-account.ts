// What people do with their own account: change the password, look at their sessions and end them.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Passwords, passwordErrors, readPasswordPolicy, requireGoodPassword } from '../passwords/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Session, type Sessions, sessionActions } from '../tokens/index.ts';
import { myAccountActions } from './events.ts';
import { findOwner, type Owner, type ProvePassword } from './owner.ts';

export interface MyAccount {
  /**
   * Sets a new password, ends all other sessions, and lifts the restriction of this one.
   * Ends in `password.policy`, `password.incorrect`, `signIn.lockedOut`.
   */
  changePassword(owner: Owner, input: { current: string; next: string }, origin: Origin): Promise<void>;
  listSessions(owner: Owner): Promise<(Session & { current: boolean })[]>;
  /** Ends one of the account's sessions. Ends in `session.notFound`. */
  endSession(owner: Owner, sessionId: string, origin: Origin): Promise<void>;
  /** Ends all but the session that asks. */
  endOtherSessions(owner: Owner, origin: Origin): Promise<void>;
}

export function createMyAccount(deps: {
  database: Database;
  accounts: AccountStore;
  passwords: Passwords;
  prove: ProvePassword;
  sessions: Sessions;
  settings: SettingReader;
  audit: AuditTrail;
  clock: Clock;
}): MyAccount {
  const { database, accounts, passwords, prove, sessions, settings, audit, clock } = deps;

  const action = myAccountActions.passwordChanged;
  const wrong = passwordErrors.incorrect;

  async function recordEnded(tx: Tx, owner: Owner, origin: Origin, count: number) {
    const account = await accounts.findIn(tx.sql, owner.accountId);
    const user = { id: owner.accountId, name: account?.userName ?? null };
    await audit.record(tx, { action: sessionActions.ended, outcome: 'success', user, origin, details: { count } });
  }

  return {
    async changePassword(owner, { current, next }, origin) {
      const account = await findOwner(accounts, owner);
      const names = [account.userName, account.emailAddress, account.name, account.surname];
      requireGoodPassword(next, readPasswordPolicy(settings, origin.frontEnd), names, { current });
      const hash = await passwords.hash(next);
      const attempt = { account, subject: accountSubject(account.id), password: current, origin, action, wrong };
      await prove(attempt, async (tx, { passwordVersion }) => {
        const password = { hash, mustChange: false, provenVersion: passwordVersion };
        if (!(await accounts.setPassword(tx.sql, account.id, password, clock.now()))) return wrong();
        await sessions.endOfAccount(tx, account.id, owner.sessionId);
        await sessions.liftPasswordChange(tx, account.id);
        const user = { id: account.id, name: account.userName };
        await audit.record(tx, { action, outcome: 'success', user, origin });
        return undefined;
      });
    },

    async listSessions({ accountId, sessionId }) {
      const open = await sessions.listOpen(accountId);
      return open.map((session) => ({ ...session, current: session.id === sessionId }));
    },

    async endSession(owner, sessionId, origin) {
      await database.transaction(async (tx) => {
        await sessions.end(tx, owner.accountId, sessionId);
        await recordEnded(tx, owner, origin, 1);
      });
    },

    async endOtherSessions(owner, origin) {
      await database.transaction(async (tx) => {
        const count = await sessions.endOfAccount(tx, owner.accountId, owner.sessionId);
        await recordEnded(tx, owner, origin, count);
      });
    },
  };
}
