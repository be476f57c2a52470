// The caller's second factors: lists, enrolls and removes them.
import type { Account } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Authentication, OwnerVerification, SecondFactors } from '../authentication/index.ts';
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
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { myFactorActions } from './events.ts';
import { factorsChangedMessage } from './templates.ts';

export interface MyFactors {
  /**
   * Begins the enrollment of an authenticator app, in place of a former one.
   * @throws AuthError `factor.disabled`, `password.incorrect`, `signIn.lockedOut`.
   */
  beginAuthenticator(owner: SignedIn, password: string, origin: Origin): Promise<NewAuthenticator>;
  /**
   * Enrolls the app if the code is right. Ends challenges and trusted devices, and notifies the owner.
   * @returns new recovery codes.
   * @throws AuthError `factor.disabled`, `factor.invalid` with status 400.
   */
  confirmAuthenticator(
    owner: SignedIn,
    given: { operationId: string; code: string },
    origin: Origin,
  ): Promise<string[]>;
  /** @throws AuthError `password.incorrect`, `signIn.lockedOut`. */
  removeAuthenticator(owner: SignedIn, password: string, origin: Origin): Promise<void>;
}

export function createMyFactors(deps: {
  database: Database;
  authentication: Authentication;
  authenticators: Authenticators;
  recoveryCodes: RecoveryCodes;
  trustedDevices: TrustedDevices;
  secondFactors: SecondFactors;
  sessions: Sessions;
  ownerVerification: OwnerVerification;
  notifyOwner: NotifyOwner;
  settings: SettingReader;
  audit: AuditTrail;
  issuer: string;
}): MyFactors {
  const { database, authentication, authenticators, recoveryCodes, trustedDevices, secondFactors, sessions } = deps;
  const { ownerVerification, notifyOwner, settings, audit, issuer } = deps;

  function requireOffered() {
    if (!settings.read(factorSettings).authenticator) throw factorErrors.disabled();
  }

  /** What every change of factors does: it ends what former factors have granted, and the owner learns of it. */
  async function recordChange(tx: Tx, account: Account, action: Action, origin: Origin) {
    await authentication.endChallenges(tx, account.id);
    await trustedDevices.removeAll(tx, account.id);
    await notifyOwner(tx, account, factorsChangedMessage);
    await audit.record(tx, { action, outcome: 'success', user: { id: account.id, name: account.userName }, origin });
  }

  return {
    async beginAuthenticator(owner, password, origin) {
      requireOffered();
      const action = myFactorActions.authenticatorEnrolled;
      return ownerVerification.verifyAnd(owner, { password, action, origin }, async (tx, { id, userName }) => {
        await owner.authorize(tx);
        return authenticators.begin(tx, id, { issuer: new URL(issuer).host, label: userName });
      });
    },

    async confirmAuthenticator(owner, { operationId, code }, origin) {
      requireOffered();
      const action = myFactorActions.authenticatorEnrolled;
      return database.transaction(async (tx) => {
        const account = await ownerVerification.requireOwner(tx, owner);
        if (!(await authenticators.confirm(tx, account.id, operationId, code)))
          throw factorErrors.invalid().withStatus(400);
        await sessions.endEnrollment(tx, account.id);
        await recordChange(tx, account, action, origin);
        return recoveryCodes.replace(tx, account.id);
      });
    },

    async removeAuthenticator(owner, password, origin) {
      const action = myFactorActions.authenticatorRemoved;
      await ownerVerification.verifyAnd(owner, { password, action, origin }, async (tx, account) => {
        await owner.authorize(tx);
        if (!(await authenticators.remove(tx, account.id))) return;
        if ((await secondFactors.find(tx, account)).length === 0) await recoveryCodes.removeAll(tx, account.id);
        await recordChange(tx, account, action, origin);
      });
    },
  };
}
