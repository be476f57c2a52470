// Erasing a person: deletes the account, and takes the personal data out of every table and out of the audit trail.
import type { Management } from '../account-changes/index.ts';
import { OWN_ACCOUNT_STAYS } from '../account-changes/index.ts';
import type { AccountStore } from '../accounts/index.ts';
import type { AuditErasure } from '../audit/index.ts';
import type { OwnerProof, OwnerVerification } from '../authentication/index.ts';
import { requireOther } from '../authorization/index.ts';
import type { Manager, SignedIn } from '../foundation/authority.ts';
import type { Occurrence, Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { personActions, personErrors } from './declarations.ts';
import { toNumberedPerson, toPerson } from './person.ts';
import { ownErasureSetting } from './settings.ts';
import type { PersonStore } from './store.sql.ts';

export interface Erasure {
  /**
   * Erases another person. Entries of what the person did as administrator, and rows that are written late, follow within
   * minutes.
   * @throws AuthError `account.notFound`, `account.lastAdministrator`, `permission.denied`, also for the own account.
   */
  eraseOther(id: number, by: Manager): Promise<void>;
  /**
   * Erases the owner, who proves again who they are.
   * @throws AuthError `account.erasureNotOffered`, `account.lastAdministrator`, and the errors of
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
  sessions: Sessions;
  management: Management;
  auditErasure: AuditErasure;
  ownerVerification: OwnerVerification;
  settings: SettingReader;
}): Erasure {
  const { database, store, accounts, sessions, management, auditErasure, ownerVerification, settings } = deps;

  async function erase(id: number, by: Manager, told: Pick<Occurrence, 'origin' | 'details'>) {
    const entryId = await management.manage(id, by, async (tx, account) => {
      await sessions.endOfAccount(tx, id);
      await store.erase(tx.sql, toPerson(account), { isLate: false });
      return auditErasure.begin(tx, id, told);
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
      await erase(owner.accountId, { ...owner, origin, actor: { id: owner.accountId, name: null } }, {});
    },

    goOn: () =>
      auditErasure.goOn(async (tx, id) => {
        // An import gives numbers again under this lock.
        await accounts.lockAccounts(tx.sql);
        const isReused = (await accounts.findIn(tx.sql, id)) !== undefined;
        // Transactions that had begun before may have written these.
        if (!isReused) await store.erase(tx.sql, toNumberedPerson(id), { isLate: true });
        return isReused;
      }),
  };
}
