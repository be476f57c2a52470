// Setting a new password with a reset token: what came before it ends, and its owner is told.
import type { Account, AccountStore, Names } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { MessageTemplate } from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import {
  accountSubject,
  type LockoutPolicy,
  type Lockouts,
  questionsSubject,
  type Reservation,
} from '../lockout/index.ts';
import { type Passwords, readPasswordPolicy, requesterOf, requireGoodPassword } from '../passwords/index.ts';
import type { Pins } from '../pins/index.ts';
import type { SecurityAnswers } from '../security-questions/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { resetErrors } from './errors.ts';
import { resetActions } from './events.ts';
import { isAllowed, ResetMethod } from './method.ts';
import type { FindLockoutPolicy } from './question-round.ts';
import type { HeldReset, ResetTokens } from './reset-tokens.ts';
import { passwordChangedMessage } from './templates.ts';

/** Tells every verified address of an account in these words. `compose.ts` hands in the one of `my-account`. */
type TellOwner = (tx: Tx, account: Account, template: MessageTemplate) => Promise<void>;

/** What ends with a forgotten password. */
export interface Renewal {
  /**
   * Sets the password, if it is still the one of the token's version and the account is active: ends all sessions, links,
   * tokens and reset pins, lifts the locks and a forced change, tells every verified address. @returns whether it did.
   */
  renew(tx: Tx, held: HeldReset, hash: string, origin: Origin): Promise<boolean>;
}

export function createRenewal(deps: {
  accounts: AccountStore;
  sessions: Sessions;
  lockouts: Lockouts;
  pins: Pins;
  tellOwner: TellOwner;
  audit: AuditTrail;
  clock: Clock;
}): Renewal {
  const { accounts, sessions, lockouts, pins, tellOwner, audit, clock } = deps;

  return {
    async renew(tx, { accountId, passwordVersion, method }, hash, origin) {
      const account = await accounts.claim(tx.sql, accountId);
      if (!account?.isActive) return false;
      const password = { hash, mustChange: false, provenVersion: passwordVersion };
      if (!(await accounts.setPassword(tx.sql, accountId, password, clock.now()))) return false;
      await sessions.endOfAccount(tx, accountId);
      await pins.kill(tx, 'reset-password', { beginning: `${accountSubject(accountId)}/` });
      await lockouts.reset(tx, accountSubject(accountId));
      await lockouts.reset(tx, questionsSubject(accountId));
      await tellOwner(tx, account, passwordChangedMessage);
      const user = { id: accountId, name: account.userName };
      const details = { method };
      await audit.record(tx, { action: resetActions.completed, outcome: 'success', user, origin, details });
      return true;
    },
  };
}

export interface PasswordReset {
  /**
   * Sets the password. The account's security answers are dropped unless they are what the token was given for: whoever
   * knew the old password may have set them. Ends in `reset.invalidToken`, whatever the cause, or `password.policy`, which
   * leaves the token as it is.
   */
  redeem(given: { name: string; token: string; password: string }, origin: Origin): Promise<void>;
}

export function createPasswordReset(deps: {
  database: Database;
  names: Names;
  passwords: Passwords;
  tokens: ResetTokens;
  renewal: Renewal;
  lockouts: Lockouts;
  findLockoutPolicy: FindLockoutPolicy;
  answers: SecurityAnswers;
  settings: SettingReader;
}): PasswordReset {
  const { database, names, passwords, tokens, renewal, lockouts, findLockoutPolicy, answers, settings } = deps;

  /** The token, and the account that it is of, if the name agrees. */
  async function findHolder(name: string, token: string) {
    const [held, { account }] = await Promise.all([tokens.find(token), names.resolveWithNumber(name)]);
    const isTheirs =
      account?.isActive && held?.accountId === account.id && held.passwordVersion === account.credential.version;
    if (!isTheirs || !isAllowed(settings, held.method)) throw resetErrors.invalidToken();
    return { held, account };
  }

  /** The account first and the token last, so that two tokens of one account never wait for each other. */
  async function replace(tx: Tx, held: HeldReset, { token, hash }: { token: string; hash: string }, origin: Origin) {
    const isRenewed = await renewal.renew(tx, held, hash, origin);
    if (!isRenewed || !(await tokens.take(tx, token))) throw resetErrors.invalidToken();
    await tokens.killOfAccount(tx, held.accountId);
    if (held.method !== ResetMethod.questions) await answers.drop(tx, held.accountId);
  }

  /** Counts the attempt as failed under this policy, or without one as unchecked. */
  async function settle(attempt: Reservation, policy: LockoutPolicy | undefined) {
    if (policy) await database.transaction((tx) => lockouts.fail(tx, attempt, policy));
    else await lockouts.release(attempt);
  }

  return {
    async redeem({ name, token, password }, origin) {
      const { account } = await findHolder(name, token);
      const { id, userName, emailAddress, name: firstName, surname } = account;
      const passwordPolicy = readPasswordPolicy(settings, origin.frontEnd);
      const names = [userName, emailAddress, firstName, surname];
      requireGoodPassword(password, passwordPolicy, names);

      // Others may know the password in force, so it is refused. To compare it is an attempt under the account's lockout,
      // and one that failed unless it ends in a new password: a reset token is no way to guess the password in force.
      const lockoutPolicy = findLockoutPolicy(account, origin);
      const reserved = await lockouts.reserve(accountSubject(id), lockoutPolicy);
      const attempt = 'lockedUntil' in reserved ? undefined : reserved;
      const requester = requesterOf(origin, accountSubject(id));
      let hasCompared = false;
      try {
        // The token may have been used while this call waited for others.
        const { held } = await findHolder(name, token);
        if (attempt) {
          const { matches } = await passwords.verify(account.credential.hash, password, requester);
          hasCompared = true;
          if (matches) requireGoodPassword(password, passwordPolicy, names, { current: password });
        }
        const hash = await passwords.hash(password, requester);
        await database.transaction(async (tx) => {
          await replace(tx, held, { token, hash }, origin);
          if (attempt) await lockouts.release(attempt, tx);
        });
      } catch (error) {
        if (attempt) await settle(attempt, hasCompared ? lockoutPolicy : undefined).catch(() => {});
        throw error;
      }
    },
  };
}
