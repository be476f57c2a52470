// The caller's second factors: lists, enrolls and removes them.
import type { AccountFactors, FactorChange, FactorState } from '../account-factors/index.ts';
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { type OwnerProof, type OwnerVerification, Refusal, type SecondFactors } from '../authentication/index.ts';
import {
  type Authenticators,
  factorErrors,
  factorSettings,
  type NewAuthenticator,
  type RecoveryCodes,
  type TrustedDevices,
} from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { CompleteEnrollment } from './complete-enrollment.ts';
import { myFactorActions } from './declarations.ts';

/** The current password. A recent authentication may replace it, see {@link OwnerVerification.withProvenOwner}. */
type Password = OwnerProof['password'];

/** Every change but that of a trusted device ends challenges and trusted devices, and notifies the owner. */
export interface MyFactors {
  read(owner: SignedIn): Promise<FactorState>;
  /**
   * Begins the enrollment of an authenticator app, in place of a former one.
   * @throws AuthError `factor.disabled`, and the errors of {@link OwnerVerification.withProvenOwner}.
   */
  beginAuthenticator(owner: SignedIn, password: Password, origin: Origin): Promise<NewAuthenticator>;
  /**
   * Enrolls the app if the code is right.
   * @returns new recovery codes.
   * @throws AuthError `factor.disabled`, `factor.enrollmentEnded`, `factor.invalid` with status 400.
   */
  confirmAuthenticator(
    owner: SignedIn,
    given: { operationId: string; code: string },
    origin: Origin,
  ): Promise<string[]>;
  /** @throws AuthError the errors of {@link OwnerVerification.withProvenOwner}. */
  removeAuthenticator(owner: SignedIn, password: Password, origin: Origin): Promise<void>;
  /**
   * Makes new recovery codes in place of all former ones. They replace a second factor, so one must be offered and enrolled.
   * @throws AuthError `factor.notEnrolled`, and the errors of {@link OwnerVerification.withProvenOwner}.
   */
  replaceRecoveryCodes(owner: SignedIn, password: Password, origin: Origin): Promise<string[]>;
  /** @throws AuthError `factor.deviceNotFound`. */
  removeTrustedDevice(owner: SignedIn, id: string, origin: Origin): Promise<void>;
}

export function createMyFactors(deps: {
  database: Database;
  accounts: AccountStore;
  accountFactors: AccountFactors;
  authenticators: Authenticators;
  secondFactors: SecondFactors;
  recoveryCodes: RecoveryCodes;
  trustedDevices: TrustedDevices;
  ownerVerification: OwnerVerification;
  completeEnrollment: CompleteEnrollment;
  settings: SettingReader;
  audit: AuditTrail;
  issuer: string;
}): MyFactors {
  const { database, accountFactors, authenticators, secondFactors, recoveryCodes, trustedDevices } = deps;
  const { accounts, ownerVerification, completeEnrollment, settings, audit, issuer } = deps;

  function requireOffered() {
    if (!settings.read(factorSettings).authenticator) throw factorErrors.disabled();
  }

  async function record(tx: Tx, { id, userName }: Account, action: Action, origin: Origin) {
    await audit.record(tx, { action, outcome: 'success', user: { id, name: userName }, origin });
  }

  /** Completes a change, and records it. */
  async function complete(tx: Tx, account: Account, change: FactorChange, action: Action, origin: Origin) {
    await accountFactors.completeChange(tx, account, change);
    await record(tx, account, action, origin);
  }

  return {
    async read({ accountId }) {
      const account = await accounts.find(accountId);
      if (!account) throw accountErrors.notFound();
      return accountFactors.read(database.sql, account);
    },

    async beginAuthenticator(owner, password, origin) {
      requireOffered();
      const action = myFactorActions.authenticatorEnrolled;
      return ownerVerification.withProvenOwner(owner, { password, action, origin }, (tx, { id, userName }) =>
        authenticators.begin(tx, id, { issuer: new URL(issuer).host, label: userName }),
      );
    },

    async confirmAuthenticator(owner, { operationId, code }, origin) {
      requireOffered();
      const action = myFactorActions.authenticatorEnrolled;
      return completeEnrollment({ owner, action, origin }, async (tx, account) => {
        const outcome = await authenticators.confirm(tx, account.id, operationId, code);
        if (outcome === 'over') throw factorErrors.enrollmentEnded();
        if (outcome === 'wrong') throw factorErrors.invalid().withStatus(400);
        await complete(tx, account, 'authenticatorEnrolled', action, origin);
        return recoveryCodes.replace(tx, account.id);
      });
    },

    async removeAuthenticator(owner, password, origin) {
      const action = myFactorActions.authenticatorRemoved;
      await ownerVerification.withProvenOwner(owner, { password, action, origin }, async (tx, account) => {
        if (!(await authenticators.remove(tx, account.id))) return;
        await complete(tx, account, 'authenticatorRemoved', action, origin);
      });
    },

    async replaceRecoveryCodes(owner, password, origin) {
      const action = myFactorActions.recoveryCodesReplaced;
      return ownerVerification.withProvenOwner(owner, { password, action, origin }, async (tx, account) => {
        if ((await secondFactors.find(tx, account)).length === 0) return new Refusal(factorErrors.notEnrolled());
        await complete(tx, account, 'recoveryCodesReplaced', action, origin);
        return recoveryCodes.replace(tx, account.id);
      });
    },

    async removeTrustedDevice(owner, id, origin) {
      await database.transaction(async (tx) => {
        const account = await ownerVerification.requireOwner(tx, owner);
        if (!(await trustedDevices.remove(tx, account.id, id))) throw factorErrors.deviceNotFound();
        await record(tx, account, myFactorActions.trustedDeviceRemoved, origin);
      });
    },
  };
}
