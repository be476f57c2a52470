// Sign-in ways: how the owner of an account can sign in, and whether a way is left now that one of them may be gone.
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

/** The ways in which the owner of an account can sign in. */
export type SignInWays = {
  /** Whether a person knows the password. */
  readonly password: boolean;
  /** Whether the account has a verified address for pins. */
  readonly pin: boolean;
  readonly passkey: boolean;
  /** The names of the registered providers that the account is linked to. */
  readonly providers: readonly string[];
};

export type ReadSignInWays = (tx: Tx, account: Account) => Promise<SignInWays>;

export function createSignInWays(deps: {
  accounts: AccountStore;
  verifiedAddresses: VerifiedAddresses;
  externalLogins: ExternalLogins;
  providers: Providers;
  enrolledFactors: EnrolledFactorReader;
  settings: SettingReader;
}): { canSignIn: CanSignIn; readSignInWays: ReadSignInWays } {
  const { accounts, verifiedAddresses, externalLogins, providers, enrolledFactors, settings } = deps;

  async function listProviders(tx: Tx, { id }: Account): Promise<string[]> {
    const logins = await externalLogins.list(tx.sql, id);
    if (logins.length === 0) return [];
    const offered = await providers.readNames(tx);
    return [...new Set(logins.map(({ provider }) => provider))].filter((provider) => offered.has(provider));
  }

  async function hasPasskey(tx: Tx, { id }: Account) {
    if (!settings.read(factorSettings).passkeys) return false;
    const { passkeys, hasOnlyFormerPasskeys } = await enrolledFactors.read(tx.sql, id);
    return passkeys.length > 0 && !hasOnlyFormerPasskeys;
  }

  const hasAddress = (account: Account) => verifiedAddresses.list(account).length > 0;
  const hasPassword = (tx: Tx, { id }: Account) => accounts.hasChosenPassword(tx.sql, id);

  return {
    canSignIn: async (tx, account) =>
      hasAddress(account) ||
      (await hasPassword(tx, account)) ||
      (await listProviders(tx, account)).length > 0 ||
      (await hasPasskey(tx, account)),

    readSignInWays: async (tx, account) => ({
      password: await hasPassword(tx, account),
      pin: hasAddress(account),
      passkey: await hasPasskey(tx, account),
      providers: await listProviders(tx, account),
    }),
  };
}
