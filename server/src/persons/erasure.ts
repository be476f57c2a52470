// Erasing a person: deletes the account, and takes the personal data out of every table and out of the audit trail.
import type { Management } from '../account-changes/index.ts';
import { OWN_ACCOUNT_STAYS } from '../account-changes/index.ts';
import { type Account, type AccountStore, accountErrors } from '../accounts/index.ts';
import type { AuditErasure } from '../audit/index.ts';
import type { OwnerProof, OwnerVerification } from '../authentication/index.ts';
import { createLockManaged, requireOther } from '../authorization/index.ts';
import type { Manager, SignedIn } from '../foundation/authority.ts';
import { permissionErrors } from '../foundation/errors.ts';
import type { Occurrence, Origin } from '../foundation/events.ts';
import { coversAll, holdsAll } from '../foundation/permissions.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { createTurnEnd } from '../foundation/turn.ts';
import type { Roles } from '../roles/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { personActions, personErrors } from './declarations.ts';
import { toNumberedPerson, toPerson } from './person.ts';
import { ownErasureSetting } from './settings.ts';
import type { PersonStore, Place } from './store.sql.ts';

/** Entries of the trail that are read at once. */
const BATCH = 500;

export interface Erasure {
  /**
   * Erases another person, also one whose account was deleted before: that takes all permissions of this service, because no one
   * knows which ones the account held. Entries of what the person did as administrator, and rows that are written late, follow within
   * minutes.
   * @throws AuthError `account.notFound`, `account.lastAdministrator`, `permission.denied`, also for the own account.
   */
  eraseOther(id: number, by: Manager): Promise<void>;
  /**
   * Erases the owner, who proves again who they are. Not an administrator, who could take own acts out of the trail.
   * @throws AuthError `account.erasureNotOffered`, `permission.denied`, and the errors of
   * {@link OwnerVerification.withProvenOwner}.
   */
  eraseOwn(owner: SignedIn, password: OwnerProof['password'], origin: Origin): Promise<void>;
  /** Job: goes on with erasures. */
  goOn(): Promise<void>;
}

export function createErasure(deps: {
  database: Database;
  store: PersonStore;
  accounts: AccountStore;
  roles: Roles;
  sessions: Sessions;
  management: Management;
  auditErasure: AuditErasure;
  ownerVerification: OwnerVerification;
  settings: SettingReader;
}): Erasure {
  const { database, store, accounts, roles, sessions, management, auditErasure, ownerVerification, settings } = deps;
  const lockManaged = createLockManaged(deps);
  const endOfTurn = createTurnEnd();

  /** Returns all user names that the trail knows of an account. */
  async function findNames(id: number): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for (let last: Place | undefined, isMore = true; isMore; ) {
      const entries = await store.readEntries(id, last, BATCH);
      for (const { user_name } of entries) if (user_name !== null) names.add(user_name);
      last = entries.at(-1);
      isMore = entries.length === BATCH;
      if (isMore) await endOfTurn();
    }
    return names;
  }

  /** Leaves out the names that another account has now: no one can tell whose rows have them. */
  async function withoutOthers(tx: Tx, id: number, names: ReadonlySet<string>): Promise<string[]> {
    const own = [];
    for (const name of names) {
      const holder = await accounts.findByName(tx.sql, name);
      if (!holder || holder.id === id) own.push(name);
    }
    return own;
  }

  /** Authorizes the erasure of an account that was deleted before. */
  async function requireDeleted(tx: Tx, id: number, by: Manager) {
    // An import of a former version gives numbers again under this lock.
    await accounts.lockAccounts(tx.sql);
    const held = await by.authorize(tx);
    const isDeleted = !(await accounts.findIn(tx.sql, id)) && (await auditErasure.isKnown(tx, id));
    if (!isDeleted) throw accountErrors.notFound();
    if (!holdsAll(held)) throw permissionErrors.denied();
  }

  async function erase(id: number, by: Manager, told: Pick<Occurrence, 'origin' | 'details'>) {
    // Before the trail is read, which may be long.
    await database.transaction(async (tx) => {
      if (await accounts.findIn(tx.sql, id)) await lockManaged(tx, id, by);
      else await requireDeleted(tx, id, by);
    });
    const names = await findNames(id);
    const eraseRows = async (tx: Tx, account?: Account) => {
      const person = account ? toPerson(account) : toNumberedPerson(id);
      const userName = [...person.userName, ...(await withoutOthers(tx, id, names))];
      await sessions.endOfAccount(tx, id);
      if (account) await accounts.retireId(tx.sql, id);
      await store.erase(tx.sql, { ...person, userName }, 'now');
      return auditErasure.begin(tx, id, told);
    };
    const entryId = (await accounts.find(id))
      ? await management.manage(id, by, eraseRows)
      : await database.transaction(async (tx) => {
          await requireDeleted(tx, id, by);
          return eraseRows(tx);
        });
    // A failure is none of the erasure, which is done: the job tries again.
    await auditErasure.emptyEntries(id, entryId).catch(() => {});
    await database.forgetDeleted().catch(() => false);
  }

  return {
    async eraseOther(id, by) {
      requireOther(id, by, OWN_ACCOUNT_STAYS);
      await erase(id, by, { origin: by.origin, details: { by: by.actor.name, byId: by.actor.id } });
    },

    async eraseOwn(owner, password, origin) {
      if (!settings.read(ownErasureSetting).isOffered) throw personErrors.erasureNotOffered();
      const action = personActions.erasureRequested;
      await ownerVerification.withProvenOwner(owner, { password, action, origin }, async () => {});
      // Not in the transaction of the proof: this one locks all accounts first, for the rule about the last administrator.
      const authorize = async (tx: Tx) => {
        await owner.authorize(tx);
        const account = await accounts.findIn(tx.sql, owner.accountId);
        const held = await roles.permissionsIn(tx, account?.roleNames ?? []);
        if (!coversAll([], held)) throw permissionErrors.denied({ details: OWN_ACCOUNT_STAYS });
        return held;
      };
      await erase(owner.accountId, { authorize, origin, actor: { id: owner.accountId, name: null } }, {});
    },

    goOn: () =>
      auditErasure.goOn(async (tx, id, when) => {
        // An import gives numbers again under this lock.
        await accounts.lockAccounts(tx.sql);
        const isReused = (await accounts.findIn(tx.sql, id)) !== undefined;
        // Transactions that had begun before may have written these.
        if (!isReused) await store.erase(tx.sql, toNumberedPerson(id), when);
        return isReused;
      }),
  };
}
