// Managing accounts: every change applies at once, is recorded, and grants no more than the administrator holds.
import type { AccountFactors, FactorState } from '../account-factors/index.ts';
import {
  type Account,
  type AccountInput,
  type AccountQuery,
  type AccountStore,
  accountErrors,
  type PhoneNumbers,
} from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock, Instant } from '../foundation/clock.ts';
import { permissionErrors } from '../foundation/errors.ts';
import { accountSubject, factorsSubject, type Lockouts, questionsSubject } from '../lockout/index.ts';
import { coversAll, type Roles } from '../roles/index.ts';
import type { SecurityAnswers } from '../security-questions/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { type AccountChanges, checkInput, createApplyChanges, mergeChanges } from './account-changes.ts';
import { administrationActions } from './events.ts';
import { createManagement, requireAnotherAdministrator } from './management.ts';

/** An account, and the end of its lock. */
export type ManagedAccount = Account & { lockedUntil: Instant | null };

/** An account with its second factors, and the end of the lock by wrong ones. */
export type DetailedAccount = ManagedAccount & { factors: FactorState & { lockedUntil: Instant | null } };

/** The hash of a password that meets the policy. Hashing must not hold a transaction open, so it is done before. */
export type HashedPassword = { hash: string };

export interface AccountAdministration {
  list(query: AccountQuery): Promise<{ accounts: ManagedAccount[]; total: number }>;
  /** @throws AuthError `account.notFound`. */
  get(id: number): Promise<DetailedAccount>;
  /** @throws AuthError `account.duplicate`, `request.invalid`, `permission.denied`. */
  create(input: AccountInput, password: HashedPassword | null, by: Manager): Promise<ManagedAccount>;
  /**
   * @throws AuthError `account.notFound`, `account.duplicate`, `account.lastAdministrator`, `request.invalid`,
   * `permission.denied`.
   */
  update(id: number, changes: AccountChanges, by: Manager): Promise<ManagedAccount>;
  remove(id: number, by: Manager): Promise<ManagedAccount>;
  activate(id: number, by: Manager): Promise<void>;
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
   * challenges and trusted devices, and notifies the owner. Sessions stay open.
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
  accountFactors: AccountFactors;
  audit: AuditTrail;
  clock: Clock;
}): AccountAdministration {
  const { database, accounts, phoneNumbers, roles, lockouts, sessions, answers, accountFactors, clock } = deps;
  const { manage, record } = createManagement(deps);
  const applyChanges = createApplyChanges(deps);

  async function withLocks(found: Account[]): Promise<ManagedAccount[]> {
    const locks = await lockouts.readLocks(found.map(({ id }) => accountSubject(id)));
    return found.map((account) => ({ ...account, lockedUntil: locks.get(accountSubject(account.id)) ?? null }));
  }

  async function find(id: number): Promise<ManagedAccount> {
    const account = await accounts.findIn(database.sql, id);
    const [managed] = account ? await withLocks([account]) : [];
    if (!managed) throw accountErrors.notFound();
    return managed;
  }

  async function get(id: number): Promise<DetailedAccount> {
    const account = await find(id);
    const locks = await lockouts.readLocks([factorsSubject(id)]);
    const factors = await accountFactors.read(database.sql, account);
    return { ...account, factors: { ...factors, lockedUntil: locks.get(factorsSubject(id)) ?? null } };
  }

  async function requireFreeNumber(tx: Tx, mobileNumber: string | null, ownId?: number) {
    if (mobileNumber === null) return;
    const holders = await accounts.findByMobile(tx.sql, mobileNumber);
    if (holders.some((id) => id !== ownId)) throw accountErrors.duplicate();
  }

  /** An administrator gives no more than the administrator holds. Roles that are new here are added, and grant nothing. */
  async function requireCovered(tx: Tx, held: readonly string[], wanted: readonly string[]) {
    const [holds, gives] = [await roles.permissionsIn(tx, held), await roles.permissionsIn(tx, wanted)];
    if (!coversAll(holds, gives)) throw permissionErrors.denied();
    await roles.register(tx, wanted);
  }

  async function setActive(id: number, isActive: boolean, by: Manager) {
    await manage(id, by, async (tx, account, { administrators }) => {
      if (!isActive) {
        requireAnotherAdministrator(id, administrators);
        await sessions.endOfAccount(tx, id);
      }
      await accounts.setActive(tx.sql, id, isActive);
      await record(tx, isActive ? administrationActions.activated : administrationActions.deactivated, account, by);
    });
  }

  return {
    async list(query) {
      const { accounts: found, total } = await accounts.list(query);
      return { accounts: await withLocks(found), total };
    },
    get,

    async create(input, password, by) {
      const wanted = checkInput(input, { phoneNumbers, roles });
      const id = await database.transaction(async (tx) => {
        // Numbers have no unique key, and a new role may get permissions between the check and the end.
        const locks = wanted.mobileNumber !== null || wanted.roleNames.length > 0;
        if (locks) await accounts.lockAccounts(tx.sql);
        await requireCovered(tx, await by.authorize(tx), wanted.roleNames);
        await requireFreeNumber(tx, wanted.mobileNumber);
        const added = { ...wanted, passwordHash: password?.hash ?? null };
        const newId = await accounts.add(tx.sql, added, clock.now());
        if (newId === undefined) throw accountErrors.duplicate();
        await record(tx, administrationActions.created, { id: newId, userName: wanted.userName }, by);
        return newId;
      });
      return find(id);
    },

    async update(id, changes, by) {
      await manage(id, by, async (tx, account, { roleNames, administrators }) => {
        const wanted = checkInput(mergeChanges(account, changes), { phoneNumbers, roles }, account);
        await requireCovered(tx, roleNames, wanted.roleNames);
        if (wanted.mobileNumber !== account.mobileNumber) await requireFreeNumber(tx, wanted.mobileNumber, id);
        const changed = await applyChanges(tx, account, wanted, administrators);
        await record(tx, administrationActions.updated, { id, userName: wanted.userName }, by, { changed });
      });
      return find(id);
    },

    async remove(id, by) {
      return manage(id, by, async (tx, account, { administrators }) => {
        requireAnotherAdministrator(id, administrators);
        await sessions.endOfAccount(tx, id);
        await accounts.remove(tx.sql, id);
        await record(tx, administrationActions.deleted, account, by);
        return { ...account, lockedUntil: null };
      });
    },

    activate: (id, by) => setActive(id, true, by),
    deactivate: (id, by) => setActive(id, false, by),

    async unlock(id, by) {
      await manage(id, by, async (tx, account) => {
        await lockouts.reset(tx, accountSubject(id));
        await lockouts.reset(tx, questionsSubject(id));
        await lockouts.reset(tx, factorsSubject(id));
        await record(tx, administrationActions.unlocked, account, by);
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
        await record(tx, administrationActions.passwordReset, account, by);
      });
    },
  };
}

/** An administrator's token alone must not be enough to take the account over for good. */
function requireOther(id: number, { actor }: Manager, details: string) {
  if (actor.id === id) throw permissionErrors.denied({ details });
}
