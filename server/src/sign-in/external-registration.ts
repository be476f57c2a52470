// External registration: the first sign-in through a provider creates an account, once for each identity.
import { type AccountStore, isIndexable, newAccount } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { ExternalLoginStore } from '../external-logins/index.ts';
import type { Clock } from '../foundation/clock.ts';
import { readEmailAddress } from '../foundation/email-address.ts';
import type { Origin } from '../foundation/events.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';
import { type ExternalUser, externalErrors, type Review } from '../providers/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { signInActions } from './events.ts';

/** The account of an external user. `isWaiting`: it was created just now, and an administrator must activate it. */
export type ExternalAccount = { id: number; isWaiting: boolean };

export interface ExternalRegistration {
  /**
   * Returns the account that is linked to this identity, and creates it if there is none. A new account has the name and
   * e-mail address from the provider, the address verified, and a random password. It is active unless the review holds
   * it. An existing account is never linked here.
   * @throws AuthError `external.emailInUse`, `external.registrationRefused`, `external.unavailable`.
   */
  findOrRegister(user: ExternalUser, origin: Origin): Promise<ExternalAccount>;
}

export function createExternalRegistration(deps: {
  database: Database;
  accounts: AccountStore;
  externalLoginStore: ExternalLoginStore;
  passwords: Passwords;
  review: Review;
  audit: AuditTrail;
  clock: Clock;
}): ExternalRegistration {
  const { database, accounts, externalLoginStore, passwords, review, audit, clock } = deps;
  const existing = (id: number): ExternalAccount => ({ id, isWaiting: false });

  async function isTaken(address: string) {
    const taken = await accounts.findTaken(database.sql, [{ userName: address, emailAddress: address }]);
    return taken.userNames.size > 0 || taken.emailAddresses.size > 0;
  }

  async function register(tx: Tx, user: ExternalUser, isActive: boolean, passwordHash: string) {
    const { provider, providerKey, name, surname, emailAddress } = user;
    const profile = { name, surname, emailAddress, isEmailConfirmed: true, isActive };
    const account = { ...newAccount(emailAddress, profile), passwordHash, hasRandomPassword: true };
    const now = clock.now();
    const accountId = await accounts.add(tx.sql, account, now);
    if (accountId === undefined) throw externalErrors.emailInUse();
    const isLinked = await externalLoginStore.add(tx.sql, { provider, providerKey, accountId, linkedAt: now });
    if (!isLinked) throw new Error('The identity was linked by another transaction, although the accounts are locked.');
    return accountId;
  }

  return {
    async findOrRegister(user, origin) {
      const linked = await externalLoginStore.find(database.sql, user);
      if (linked !== undefined) return existing(linked);
      const { provider } = user;
      const emailAddress = readEmailAddress(user.emailAddress);
      if (emailAddress === undefined || !isIndexable(emailAddress)) {
        throw externalErrors.unavailable({ cause: new Error('No account can have this e-mail address.') });
      }
      if (await isTaken(emailAddress)) {
        // A parallel first sign-in of the same identity may have taken the address just now.
        const linkedNow = await externalLoginStore.find(database.sql, user);
        if (linkedNow === undefined) throw externalErrors.emailInUse();
        return existing(linkedNow);
      }
      const verdict = await review(user);
      if (verdict === 'refuse') throw externalErrors.registrationRefused();
      const isWaiting = verdict === 'hold';
      const passwordHash = await passwords.hashRandom(requesterOf(origin));
      return database.transaction(async (tx) => {
        // One of several parallel first sign-ins registers. The others find its account.
        await accounts.lockAccounts(tx.sql);
        const linkedNow = await externalLoginStore.find(tx.sql, user);
        if (linkedNow !== undefined) return existing(linkedNow);
        const id = await register(tx, { ...user, emailAddress }, !isWaiting, passwordHash);
        await audit.record(tx, {
          action: signInActions.externalRegistered,
          outcome: 'success',
          user: { id, name: emailAddress },
          origin,
          details: { provider, waitingForActivation: isWaiting },
        });
        return { id, isWaiting };
      });
    },
  };
}
