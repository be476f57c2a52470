// Managing accounts: every change applies at once, is recorded, and grants no more than the administrator holds.

import {
  type AccountChanges,
  type AccountCreation,
  administrationActions,
  changedByAdministratorMessage,
  checkInput,
  createAccountCreation,
  createApplyChanges,
  createManagement,
  createRequireFreeNumber,
  describeChanges,
  findChanged,
  type HashedPassword,
  mergeChanges,
  OWN_ACCOUNT_STAYS,
} from '../account-changes/index.ts';
import type { AccountFactors } from '../account-factors/index.ts';
import type { AccountInput, AccountStore, PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SecondFactors } from '../authentication/index.ts';
import { requireOther } from '../authorization/index.ts';
import type { EnrolledFactorReader } from '../factors/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { accountSubject, type Lockouts, subjectsOf } from '../lockout/index.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import type { OneTimeSecrets } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import type { SecurityAnswers } from '../security-questions/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { type AccountReader, createAccountReader, type ManagedAccount } from './account-reader.ts';

export interface AccountAdministration extends AccountReader {
  /** @throws AuthError like {@link AccountCreation.add}. */
  create(input: AccountInput, password: HashedPassword | null, by: Manager): Promise<ManagedAccount>;
  /**
   * Changes an account. Who may change its addresses: {@link guardAddresses}.
   * @throws AuthError `account.notFound`, `account.duplicate`, `account.lastAdministrator`, `request.invalid`,
   * `permission.denied`.
   */
  update(id: number, changes: AccountChanges, by: Manager): Promise<ManagedAccount>;
  /** @throws AuthError `account.notFound`, `account.lastAdministrator`, `permission.denied`, also for the own account. */
  remove(id: number, by: Manager): Promise<ManagedAccount>;
  activate(id: number, by: Manager): Promise<void>;
  /** @throws AuthError like `remove`. */
  deactivate(id: number, by: Manager): Promise<void>;
  unlock(id: number, by: Manager): Promise<void>;
  signOutEverywhere(id: number, by: Manager): Promise<void>;
  /**
   * Sets the password of another account, which its owner must change at the next sign-in. Resets the lockout, ends all
   * sessions, and deletes the security answers.
   * @throws AuthError `account.notFound`, `permission.denied`.
   */
  resetPassword(id: number, password: HashedPassword, by: Manager): Promise<void>;
  /**
   * Removes all second factors, passkeys and recovery codes of another account, and the lock by wrong ones. Ends its
   * challenges, trusted devices and the sessions that a passkey has opened, and notifies the owner. Other sessions stay open.
   * @param reason what the audit trail says of the cause.
   * @throws AuthError `account.notFound`, `permission.denied`.
   */
  resetFactors(id: number, reason: string | undefined, by: Manager): Promise<boolean>;
}

export function createAccountAdministration(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  roles: Roles;
  lockouts: Lockouts;
  sessions: Sessions;
  answers: SecurityAnswers;
  canSignIn: CanSignIn;
  enrolledFactors: EnrolledFactorReader;
  accountFactors: AccountFactors;
  notifyOwner: NotifyOwner;
  oneTimeSecrets: OneTimeSecrets;
  secondFactors: SecondFactors;
  audit: AuditTrail;
  clock: Clock;
}): AccountAdministration {
  const { accounts, phoneNumbers, roles, lockouts, sessions, answers, accountFactors, notifyOwner, clock } = deps;
  const { manage, record } = createManagement(deps);
  const { find, list, get } = createAccountReader(deps);
  const requireFreeNumber = createRequireFreeNumber(deps);
  const applyChanges = createApplyChanges(deps);
  const creation = createAccountCreation(deps);

  async function setActive(id: number, isActive: boolean, by: Manager) {
    if (!isActive) requireOther(id, by, OWN_ACCOUNT_STAYS);
    await manage(id, by, async (tx, account) => {
      if (account.isActive === isActive) return;
      if (!isActive) await sessions.endOfAccount(tx, id);
      await accounts.setActive(tx.sql, id, isActive);
      await record(tx, isActive ? administrationActions.activated : administrationActions.deactivated, account, by);
    });
  }

  return {
    list,
    get,
    create: async (input, password, by) => find(await creation.add(input, password, by)),

    async update(id, changes, by) {
      await manage(id, by, async (tx, account, held) => {
        const checked = checkInput(mergeChanges(account, changes, phoneNumbers), { phoneNumbers, roles }, account);
        await roles.requireCovered(tx, held, checked.roleNames);
        const wanted = { ...checked, roleNames: await roles.register(tx, checked.roleNames) };
        if (wanted.mobileNumber !== account.mobileNumber) await requireFreeNumber(tx, wanted.mobileNumber, id);
        const stored = await applyChanges(tx, account, wanted, { by, held });
        const changed = findChanged(account, stored);
        if (changed.length === 0) return;
        await record(tx, administrationActions.updated, { id, userName: stored.userName }, by, {
          changed,
          changes: describeChanges(account, stored),
        });
      });
      return find(id);
    },

    async remove(id, by) {
      requireOther(id, by, OWN_ACCOUNT_STAYS);
      return manage(id, by, async (tx, account) => {
        await sessions.endOfAccount(tx, id);
        await accounts.remove(tx.sql, id);
        await record(tx, administrationActions.deleted, account, by);
        return { ...account, lockedUntil: null, factorLockedUntil: null, hasSecondFactor: false };
      });
    },

    activate: (id, by) => setActive(id, true, by),
    deactivate: (id, by) => setActive(id, false, by),

    async unlock(id, by) {
      await manage(id, by, async (tx, account) => {
        let hadAny = false;
        for (const subject of subjectsOf(id)) {
          hadAny = (await lockouts.reset(tx, subject)) || hadAny;
        }
        if (hadAny) await record(tx, administrationActions.unlocked, account, by);
      });
    },

    async signOutEverywhere(id, by) {
      await manage(id, by, async (tx, account) => {
        const count = await sessions.endOfAccount(tx, id);
        await record(tx, administrationActions.signedOutEverywhere, account, by, { count });
      });
    },

    async resetFactors(id, reason, by) {
      requireOther(id, by, 'Remove your own second factors on your account page, which asks for the password.');
      return manage(id, by, async (tx, account) => {
        const hadAny = await accountFactors.reset(tx, account);
        if (hadAny) await record(tx, administrationActions.factorsReset, account, by, { reason: reason ?? null });
        return hadAny;
      });
    },

    async resetPassword(id, { hash }, by) {
      requireOther(id, by, 'Change your own password with User/ChangePassword, which asks for the current one.');
      await manage(id, by, async (tx, account) => {
        await accounts.setPassword(tx.sql, id, { hash, mustChange: true }, clock.now());
        await sessions.endOfAccount(tx, id);
        await answers.delete(tx, id);
        await lockouts.reset(tx, accountSubject(id));
        await notifyOwner(tx, account, changedByAdministratorMessage);
        await record(tx, administrationActions.passwordReset, account, by);
      });
    },
  };
}
