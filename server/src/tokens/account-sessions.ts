// The sessions of an account: what its changes end or restrict.
import type { Clock } from '../foundation/clock.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import { latestExpiry } from './access-tokens.ts';
import { endsOf, type Revocations, supersede } from './revocations.ts';
import type { Session } from './session.ts';
import type { AccountSessionStore } from './store.account.sql.ts';

export interface AccountSessions {
  /**
   * Locks the account's open sessions, without those of applications, until the transaction ends. A transaction that goes on to lock
   * applications or grants calls it before.
   */
  lockOfAccount(tx: Tx, accountId: number): Promise<void>;
  /** Ends the account's sessions, except the session with the id `except`. @returns how many it ended. */
  endOfAccount(tx: Tx, accountId: number, except?: string): Promise<number>;
  /** Ends the sessions of these accounts, at most a thousand. */
  endOfAccounts(tx: Tx, accountIds: readonly number[]): Promise<void>;
  /**
   * Completes the enrollment of the account's first second factor in a session: ends its restriction to enrolling one. Ends
   * the account's other sessions with one factor: an attacker with the password may have opened them.
   */
  endEnrollment(tx: Tx, accountId: number, sessionId: string): Promise<void>;
  /** Restricts the open sessions of these accounts to enrolling a second factor. */
  restrictToEnrollment(tx: Tx, accountIds: readonly number[]): Promise<void>;
  /** Ends the restriction of an open session to enrolling a second factor. */
  liftEnrollment(tx: Tx, sessionId: string): Promise<void>;
  /** Ends the account's sessions that a passkey has opened, this one or any, except the session with the id `except`. */
  endOpenedByPasskey(tx: Tx, accountId: number, which?: { passkeyId?: string; except?: string }): Promise<void>;
  /** Restricts the account's open sessions to a change of the password, or ends that restriction. */
  requirePasswordChange(tx: Tx, accountId: number, required: boolean): Promise<void>;
  listOpen(accountId: number): Promise<Session[]>;
}

export function createAccountSessions(deps: {
  store: AccountSessionStore;
  revocations: Revocations;
  settings: SettingReader;
  clock: Clock;
}): AccountSessions {
  const { store, revocations, settings, clock } = deps;
  const latest = () => latestExpiry(settings, clock.now());
  return {
    lockOfAccount: (tx, accountId) => store.lockOfAccount(tx.sql, accountId),

    async endOfAccount(tx, accountId, except) {
      const ended = await store.endOfAccount(tx.sql, accountId, clock.now(), except);
      await revocations.record(tx, endsOf(ended, latest()));
      await revocations.announceEnd(tx, accountId);
      return ended.length;
    },

    async endOfAccounts(tx, accountIds) {
      const ended = await store.endOfAccounts(tx.sql, accountIds, clock.now());
      await revocations.record(tx, endsOf(ended, latest()));
      await revocations.announceEnd(tx, accountIds);
    },

    async endEnrollment(tx, accountId, sessionId) {
      await store.requireEnrollment(tx.sql, sessionId, false);
      const ended = await store.endSingleFactor(tx.sql, accountId, clock.now(), sessionId);
      await revocations.record(tx, endsOf(ended, latest()));
    },
    async restrictToEnrollment(tx, accountIds) {
      if (accountIds.length === 0) return;
      const restricted = await store.restrictToEnrollment(tx.sql, accountIds);
      await revocations.record(tx, supersede(restricted, latest()));
    },
    liftEnrollment: (tx, sessionId) => store.requireEnrollment(tx.sql, sessionId, false),
    async endOpenedByPasskey(tx, accountId, which = {}) {
      const ended = await store.endOpenedByPasskey(tx.sql, accountId, clock.now(), which);
      await revocations.record(tx, endsOf(ended, latest()));
    },
    async requirePasswordChange(tx, accountId, required) {
      const changed = await store.requirePasswordChange(tx.sql, accountId, required);
      if (required) await revocations.record(tx, supersede(changed, latest()));
    },
    listOpen: (accountId) => store.listOpen(accountId, clock.now()),
  };
}
