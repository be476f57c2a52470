// The caller's passkeys: registers, renames and removes them.
import type { AccountFactors } from '../account-factors/index.ts';
import { type Account, fullName } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { type OwnerProof, type OwnerVerification, Refusal } from '../authentication/index.ts';
import { applicationSetting } from '../brands/index.ts';
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
import { invalidMember } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { CompleteEnrollment } from './complete-enrollment.ts';
import { myFactorActions } from './declarations.ts';

/** The current password. A recent authentication may replace it, see {@link OwnerVerification.withProvenOwner}. */
type Password = OwnerProof['password'];

/** Matches a character that people can see. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A new and a removed passkey end challenges and trusted devices, and the owner is notified. */
export interface MyPasskeys {
  /**
   * Begins the registration of a passkey. @returns the options for the browser.
   * @throws AuthError `factor.disabled`, `passkey.tooMany`, and the errors of {@link OwnerVerification.withProvenOwner}.
   */
  beginRegistration(
    owner: SignedIn,
    password: Password,
    origin: Origin,
  ): Promise<{ operationId: string; options: Awaited<ReturnType<Passkeys['creationOptions']>> }>;
  /**
   * Registers the passkey.
   * @returns recovery codes too, if the account has none.
   * @throws AuthError `factor.disabled`, `factor.enrollmentEnded`, `passkey.tooMany`, `passkey.duplicate`, `request.invalid`
   * for a blank name, `factor.invalid` with status 400.
   */
  register(
    owner: SignedIn,
    given: { operationId: string; name: string; credential: RegistrationCredential },
    origin: Origin,
  ): Promise<{ passkey: Passkey; recoveryCodes?: string[] }>;
  /** @throws AuthError `passkey.notFound`, `request.invalid` for a blank name. */
  rename(owner: SignedIn, given: { id: string; name: string }, origin: Origin): Promise<void>;
  /**
   * Removes the passkey while another way to sign in remains, and ends the other sessions that it has opened.
   * @throws AuthError `passkey.notFound`, `passkey.lastWayToSignIn`, and the errors of {@link OwnerVerification.withProvenOwner}.
   */
  remove(owner: SignedIn, given: { id: string; password: Password }, origin: Origin): Promise<void>;
}

export function createMyPasskeys(deps: {
  database: Database;
  accountFactors: AccountFactors;
  passkeys: Passkeys;
  recoveryCodes: RecoveryCodes;
  sessions: Sessions;
  canSignIn: CanSignIn;
  ownerVerification: OwnerVerification;
  completeEnrollment: CompleteEnrollment;
  settings: SettingReader;
  audit: AuditTrail;
}): MyPasskeys {
  const { database, accountFactors, passkeys, recoveryCodes, sessions, ownerVerification, completeEnrollment } = deps;
  const { canSignIn, settings, audit } = deps;

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
      const begun = await ownerVerification.withProvenOwner(
        owner,
        { password, action, origin },
        async (tx, account) => {
          const registration = await passkeys.beginRegistration(tx, account.id);
          return registration ? { ...registration, account } : new Refusal(passkeyErrors.tooMany());
        },
      );
      const { id, userName } = begun.account;
      const { name: application } = settings.read(applicationSetting);
      const person = { id, userName, fullName: fullName(begun.account) };
      return { operationId: begun.operationId, options: await passkeys.creationOptions(begun, person, application) };
    },

    async register(owner, { name, ...given }, origin) {
      requireOffered();
      const passkeyName = readName(name);
      const verified = await passkeys.verifyRegistration(owner.accountId, given);
      const action = myFactorActions.passkeyRegistered;
      return completeEnrollment({ owner, action, origin }, async (tx, account) => {
        if (verified === 'wrong') throw factorErrors.invalid().withStatus(400);
        const passkey = verified === 'over' ? verified : await passkeys.register(tx, account.id, verified, passkeyName);
        if (passkey === 'over') throw factorErrors.enrollmentEnded();
        if (passkey === 'duplicate' || passkey === 'tooMany') throw passkeyErrors[passkey]();
        await accountFactors.completeChange(tx, account, 'passkeyRegistered');
        await record(tx, account, action, passkey.id, origin);
        if ((await recoveryCodes.count(tx.sql, account.id)) > 0) return { passkey };
        return { passkey, recoveryCodes: await recoveryCodes.replace(tx, account.id) };
      });
    },

    async rename(owner, { id, name }, origin) {
      const passkeyName = readName(name);
      await database.transaction(async (tx) => {
        const account = await ownerVerification.requireOwner(tx, owner);
        const former = (await passkeys.list(tx.sql, account.id)).find((passkey) => passkey.id === id)?.name;
        if (former === undefined) throw passkeyErrors.notFound();
        if (former === passkeyName) return;
        await passkeys.rename(tx, account.id, id, passkeyName);
        const user = { id: account.id, name: account.userName };
        const renamed = { action: myFactorActions.passkeyRenamed, user, origin, details: { passkey: id } };
        await audit.recordRepeatable(owner.sessionId, { ...renamed, outcome: 'success' }, tx);
      });
    },

    async remove(owner, { id, password }, origin) {
      const action = myFactorActions.passkeyRemoved;
      await ownerVerification.withProvenOwner(owner, { password, action, origin }, async (tx, account) => {
        if (!(await passkeys.remove(tx, account.id, id))) return new Refusal(passkeyErrors.notFound());
        if (!(await canSignIn(tx, account))) throw passkeyErrors.lastWayToSignIn();
        await sessions.endOpenedByPasskey(tx, account.id, { passkeyId: id, except: owner.sessionId });
        await accountFactors.completeChange(tx, account, 'passkeyRemoved');
        await record(tx, account, action, id, origin);
      });
    },
  };
}

/** Returns the name without spaces around it. @throws AuthError `request.invalid` if nothing of it is visible. */
function readName(name: string): string {
  if (!VISIBLE.test(name)) throw invalidMember('name', 'Give the passkey a name, such as Phone.');
  return name.trim();
}
