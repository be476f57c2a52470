// Enrolled factors: all that an account has, for its owner and for administrators.
import type { Statements, Tx } from '../storage/database.ts';
import type { Authenticators, EnrolledAuthenticator } from './authenticators.ts';
import type { Passkeys } from './passkeys.ts';
import type { RecoveryCodes } from './recovery-codes.ts';
import type { Passkey } from './store.passkeys.sql.ts';
import type { TrustedDevice, TrustedDevices } from './trusted-devices.ts';

export type EnrolledFactors = {
  authenticator: EnrolledAuthenticator | undefined;
  /** Oldest first. */
  passkeys: readonly Passkey[];
  /** Whether it has passkeys, and all are bound to a former domain of the service. */
  hasOnlyFormerPasskeys: boolean;
  recoveryCodesLeft: number;
  /** Last used first. */
  trustedDevices: readonly TrustedDevice[];
};

/** Kinds of second factors. */
export type FactorKinds = { readonly authenticator: boolean; readonly passkeys: boolean };

export interface EnrolledFactorReader {
  read(on: Statements, accountId: number): Promise<EnrolledFactors>;
  /** Returns whether the account has a factor, also of a kind that is switched off. Recovery codes are none. */
  hasAny(on: Statements, accountId: number): Promise<boolean>;
  /** Returns those of the accounts that have a factor, of these kinds or of any, in a query for each kind. */
  findOwners(on: Statements, accountIds: readonly number[], kinds?: FactorKinds): Promise<Set<number>>;
  /** Removes the account's authenticator, passkeys and recovery codes. @returns whether it had any factor. */
  removeAll(tx: Tx, accountId: number): Promise<boolean>;
}

export function createEnrolledFactors(deps: {
  authenticators: Authenticators;
  passkeys: Passkeys;
  recoveryCodes: RecoveryCodes;
  trustedDevices: TrustedDevices;
  /** The id of the relying party. */
  rpId: string;
}): EnrolledFactorReader {
  const { authenticators, passkeys, recoveryCodes, trustedDevices, rpId } = deps;
  return {
    async read(on, accountId) {
      const registered = await passkeys.list(on, accountId);
      return {
        authenticator: await authenticators.find(on, accountId),
        passkeys: registered,
        hasOnlyFormerPasskeys: registered.length > 0 && registered.every((passkey) => passkey.rpId !== rpId),
        recoveryCodesLeft: await recoveryCodes.count(on, accountId),
        trustedDevices: await trustedDevices.list(on, accountId),
      };
    },

    async hasAny(on, accountId) {
      if (await authenticators.find(on, accountId)) return true;
      return (await passkeys.list(on, accountId)).length > 0;
    },

    async findOwners(on, accountIds, kinds = { authenticator: true, passkeys: true }) {
      if (accountIds.length === 0) return new Set();
      const withApp = kinds.authenticator ? await authenticators.findOwners(on, accountIds) : [];
      const withPasskey = kinds.passkeys ? await passkeys.findOwners(on, accountIds) : [];
      return new Set([...withApp, ...withPasskey]);
    },

    async removeAll(tx, accountId) {
      const hadAuthenticator = await authenticators.remove(tx, accountId);
      const hadPasskeys = await passkeys.removeAll(tx, accountId);
      await recoveryCodes.removeAll(tx, accountId);
      return hadAuthenticator || hadPasskeys;
    },
  };
}
