// Sign-in ways: whether the owner of an account can sign in, now that one of the ways may be gone.
import type { Account, AccountStore, VerifiedAddresses } from '../accounts/index.ts';
import type { ExternalLogins } from '../external-logins/index.ts';
import { type EnrolledFactorReader, factorSettings } from '../factors/index.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Providers } from '../providers/index.ts';
import type { Tx } from '../storage/database.ts';

/**
 * Whether the owner of an active account can sign in: with a password that a person knows, a pin to a verified address, an
 * external login at a registered provider, or a passkey of the present domain. A lock does not count, because it ends.
 */
export type CanSignIn = (tx: Tx, account: Account) => Promise<boolean>;

export function createCanSignIn(deps: {
  accounts: AccountStore;
  verifiedAddresses: VerifiedAddresses;
  externalLogins: ExternalLogins;
  providers: Providers;
  enrolledFactors: EnrolledFactorReader;
  settings: SettingReader;
}): CanSignIn {
  const { accounts, verifiedAddresses, externalLogins, providers, enrolledFactors, settings } = deps;

  async function hasProvider(tx: Tx, { id }: Account) {
    const logins = await externalLogins.list(tx.sql, id);
    if (logins.length === 0) return false;
    const offered = await providers.readNames(tx);
    return logins.some(({ provider }) => offered.has(provider));
  }

  async function hasPasskey(tx: Tx, { id }: Account) {
    if (!settings.read(factorSettings).passkeys) return false;
    const { passkeys, hasOnlyFormerPasskeys } = await enrolledFactors.read(tx.sql, id);
    return passkeys.length > 0 && !hasOnlyFormerPasskeys;
  }

  return async (tx, account) =>
    verifiedAddresses.list(account).length > 0 ||
    (await accounts.hasChosenPassword(tx.sql, account.id)) ||
    (await hasProvider(tx, account)) ||
    (await hasPasskey(tx, account));
}
