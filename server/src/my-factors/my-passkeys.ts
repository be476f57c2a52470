// The caller's passkeys: registers, renames and removes them.
import type { AccountFactors } from '../account-factors/index.ts';
import { type Account, fullName } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerProof, OwnerVerification } from '../authentication/index.ts';
import { applicationSetting } from '../delivery/index.ts';
import {
  factorErrors,
  factorSettings,
  type Passkey,
  type Passkeys,
  passkeyErrors,
  type RecoveryCodes,
  type RegistrationCredential,
} from '../factors/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { myFactorActions } from './events.ts';

/** The current password. A recent authentication may replace it, see {@link OwnerVerification.proveAnd}. */
type Password = OwnerProof['password'];

/** A new and a removed passkey end challenges and trusted devices, and the owner is notified. */
export interface MyPasskeys {
  /**
   * Begins the registration of a passkey. @returns the options for the browser.
   * @throws AuthError `factor.disabled`, `passkey.tooMany`, and the errors of {@link OwnerVerification.proveAnd}.
   */
  beginRegistration(
    owner: SignedIn,
    password: Password,
    origin: Origin,
  ): Promise<{ operationId: string; options: Awaited<ReturnType<Passkeys['creationOptions']>> }>;
  /**
   * Registers the passkey.
   * @returns recovery codes too, if the account has none.
   * @throws AuthError `factor.disabled`, `passkey.tooMany`, `passkey.duplicate`, `factor.invalid` with status 400.
   */
  register(
    owner: SignedIn,
    given: { operationId: string; name: string; credential: RegistrationCredential },
    origin: Origin,
  ): Promise<{ passkey: Passkey; recoveryCodes?: string[] }>;
  /** @throws AuthError `passkey.notFound`. */
  rename(owner: SignedIn, given: { id: string; name: string }, origin: Origin): Promise<void>;
  /** @throws AuthError `passkey.notFound`, and the errors of {@link OwnerVerification.proveAnd}. */
  remove(owner: SignedIn, given: { id: string; password: Password }, origin: Origin): Promise<void>;
}

export function createMyPasskeys(deps: {
  database: Database;
  accountFactors: AccountFactors;
  passkeys: Passkeys;
  recoveryCodes: RecoveryCodes;
  sessions: Sessions;
  ownerVerification: OwnerVerification;
  settings: SettingReader;
  audit: AuditTrail;
}): MyPasskeys {
  const { database, accountFactors, passkeys, recoveryCodes, sessions, ownerVerification, settings, audit } = deps;

  function requireOffered() {
    if (!settings.read(factorSettings).passkeys) throw factorErrors.disabled();
  }

  async function record(tx: Tx, { id, userName }: Account, action: Action, passkey: string, origin: Origin) {
    const user = { id, name: userName };
    await audit.record(tx, { action, outcome: 'success', user, origin, details: { passkey } });
  }

  return {
    async beginRegistration(owner, password, origin) {
      requireOffered();
      const action = myFactorActions.passkeyRegistered;
      const begun = await ownerVerification.proveAnd(owner, { password, action, origin }, async (tx, account) => {
        const registration = await passkeys.beginRegistration(tx, account.id);
        return registration ? { ...registration, account } : passkeyErrors.tooMany();
      });
      const { id, userName } = begun.account;
      const { name: application } = settings.read(applicationSetting);
      const person = { id, userName, fullName: fullName(begun.account) };
      return { operationId: begun.operationId, options: await passkeys.creationOptions(begun, person, application) };
    },

    async register(owner, { name, ...given }, origin) {
      requireOffered();
      const verified = await passkeys.verifyRegistration(owner.accountId, given);
      return database.transaction(async (tx) => {
        const account = await ownerVerification.requireOwner(tx, owner);
        const passkey = verified ? await passkeys.register(tx, account.id, verified, name) : 'over';
        if (passkey === 'over') throw factorErrors.invalid().withStatus(400);
        if (passkey === 'duplicate' || passkey === 'tooMany') throw passkeyErrors[passkey]();
        await sessions.endEnrollment(tx, account.id, owner.sessionId);
        await accountFactors.completeChange(tx, account, 'passkeyRegistered');
        await record(tx, account, myFactorActions.passkeyRegistered, passkey.id, origin);
        if ((await recoveryCodes.count(tx.sql, account.id)) > 0) return { passkey };
        return { passkey, recoveryCodes: await recoveryCodes.replace(tx, account.id) };
      });
    },

    async rename(owner, { id, name }, origin) {
      await database.transaction(async (tx) => {
        const account = await ownerVerification.requireOwner(tx, owner);
        if (!(await passkeys.rename(tx, account.id, id, name))) throw passkeyErrors.notFound();
        await record(tx, account, myFactorActions.passkeyRenamed, id, origin);
      });
    },

    async remove(owner, { id, password }, origin) {
      const action = myFactorActions.passkeyRemoved;
      await ownerVerification.proveAnd(owner, { password, action, origin }, async (tx, account) => {
        if (!(await passkeys.remove(tx, account.id, id))) return passkeyErrors.notFound();
        await accountFactors.completeChange(tx, account, 'passkeyRemoved');
        await record(tx, account, action, id, origin);
      });
    },
  };
}
