// External registration: the first sign-in through a provider creates an account, once for each identity.
import { type AccountInput, type AccountStore, isIndexable, newAccount } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { ExternalLoginStore } from '../external-logins/index.ts';
import type { Clock } from '../foundation/clock.ts';
import { readEmailAddress, withAsciiDomain } from '../foundation/email-address.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { type Passwords, requesterOf } from '../passwords/index.ts';
import {
  type ExternalUser,
  externalDetails,
  externalErrors,
  type IdentifiedUser,
  type Providers,
  type Review,
} from '../providers/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { signInActions } from './declarations.ts';

/** The account of an external user. `isWaiting`: it was created just now, and an administrator must activate it. */
export type ExternalAccount = { id: number; isWaiting: boolean };

export interface ExternalRegistration {
  /**
   * Returns the account that is linked to this identity, whatever the profile. Creates it if there is none. A new account
   * has the name and e-mail address from the provider, the address verified if the provider is trusted, and a random password.
   * It is active unless the review holds it. An existing account is never linked here.
   * @throws AuthError `external.emailInUse`, `external.registrationRefused`, `external.unavailable`, and that of the profile.
   */
  findOrRegister(user: IdentifiedUser, origin: Origin): Promise<ExternalAccount>;
}

const emailInUse = (provider: string) =>
  externalErrors.emailInUse({
    cause: new Error(`The provider "${provider}" names the e-mail address of another account`),
  });

const registrationIsOff = (provider: string) =>
  externalErrors.registrationRefused({ cause: new Error(`Nobody registers by the provider "${provider}"`) });

function requireAllowedDomain(provider: string, emailAddress: string, allowedDomains: readonly string[]) {
  const address = withAsciiDomain(emailAddress);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (allowedDomains.length === 0 || allowedDomains.includes(domain)) return;
  const cause = new Error(`Addresses of this domain do not register by the provider "${provider}"`);
  throw externalErrors.registrationRefused({ cause });
}

export function createExternalRegistration(deps: {
  database: Database;
  accounts: AccountStore;
  externalLoginStore: ExternalLoginStore;
  passwords: Passwords;
  review: Review;
  providers: Providers;
  audit: AuditTrail;
  clock: Clock;
}): ExternalRegistration {
  const { database, accounts, externalLoginStore, passwords, review, providers, audit, clock } = deps;
  const existing = (id: number): ExternalAccount => ({ id, isWaiting: false });

  async function isTaken(address: string) {
    const taken = await accounts.findTaken(database.sql, [{ userName: address, emailAddress: address }]);
    return taken.userNames.size > 0 || taken.emailAddresses.size > 0;
  }

  async function register(
    tx: Tx,
    user: ExternalUser & Pick<AccountInput, 'isEmailConfirmed' | 'isActive' | 'roleNames'>,
    passwordHash: string,
  ) {
    const { provider, providerKey, name, surname, emailAddress, isEmailConfirmed, isActive, roleNames } = user;
    const profile = { name, surname, emailAddress, isEmailConfirmed, isActive, roleNames };
    const account = { ...newAccount(emailAddress, profile), passwordHash, hasRandomPassword: true };
    const now = clock.now();
    const accountId = await accounts.add(tx.sql, account, now);
    if (accountId === undefined) throw emailInUse(provider);
    const isLinked = await externalLoginStore.add(tx.sql, { provider, providerKey, accountId, linkedAt: now });
    if (!isLinked) throw new Error('The identity was linked by another transaction, although the accounts are locked.');
    return accountId;
  }

  return {
    async findOrRegister(identified, origin) {
      const { profile, provider, providerKey, rules } = identified;
      const identity = { provider, providerKey };
      const linked = await externalLoginStore.find(database.sql, identity);
      if (linked !== undefined) return existing(linked);
      if (!rules.registersNewUsers) throw registrationIsOff(provider);
      if (profile instanceof AuthError) throw profile;
      const user = { ...identity, ...profile };
      const emailAddress = readEmailAddress(profile.emailAddress);
      if (emailAddress === undefined || !isIndexable(emailAddress)) {
        const cause = new Error(`The provider "${provider}" names an e-mail address that no account can have`);
        throw externalErrors.unavailable({ details: externalDetails.unusable, cause });
      }
      requireAllowedDomain(provider, emailAddress, rules.allowedDomains);
      if (await isTaken(emailAddress)) {
        // A parallel first sign-in of the same identity may have taken the address just now.
        const linkedNow = await externalLoginStore.find(database.sql, identity);
        if (linkedNow === undefined) throw emailInUse(provider);
        return existing(linkedNow);
      }
      const verdict = await review({ ...user, emailAddress });
      if (verdict === 'refuse')
        throw externalErrors.registrationRefused({ cause: new Error('A reviewer has refused it') });
      const isWaiting = verdict === 'hold';
      const passwordHash = await passwords.hashRandom(requesterOf(origin));
      return database.transaction(async (tx) => {
        // One of several parallel first sign-ins registers. The others find its account.
        await accounts.lockAccounts(tx.sql);
        const linkedNow = await externalLoginStore.find(tx.sql, identity);
        if (linkedNow !== undefined) return existing(linkedNow);
        const rulesNow = await providers.confirm(tx, identified);
        const { registersNewUsers, allowedDomains, roleForNewUsers, verifiesAddresses } = rulesNow;
        if (!registersNewUsers) throw registrationIsOff(provider);
        requireAllowedDomain(provider, emailAddress, allowedDomains);
        const roleNames = roleForNewUsers === null ? [] : [roleForNewUsers];
        const account = { isEmailConfirmed: verifiesAddresses, isActive: !isWaiting, roleNames };
        const id = await register(tx, { ...user, emailAddress, ...account }, passwordHash);
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
