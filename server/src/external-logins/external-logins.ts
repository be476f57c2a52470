// External logins: links an account to an identity at a provider, removes that link, and notifies the owner.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { Clock } from '../foundation/clock.ts';
import { createTurnEnd } from '../foundation/turn.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import { externalErrors } from '../providers/index.ts';
import type { Statements, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { externalLoginErrors } from './declarations.ts';
import type { ExternalIdentity, ExternalLogin, ExternalLoginStore } from './store.sql.ts';
import { externalLoginLinkedMessage, externalLoginUnlinkedMessage } from './templates.ts';

/** Accounts that one statement locks. */
const BATCH = 1000;

/** `link` and `unlink` expect an account that the transaction has locked. */
export interface ExternalLogins {
  /** The account's external logins, oldest first. */
  list(on: Statements, accountId: number): Promise<ExternalLogin[]>;
  /**
   * Links the identity and notifies the owner. The transaction has called `lockAccounts`.
   * @returns `false` when the identity was linked to this account before.
   * @throws AuthError `external.linkedElsewhere`.
   */
  link(tx: Tx, account: Account, identity: ExternalIdentity): Promise<boolean>;
  /**
   * Removes an external login, ends the account's sessions (except `exceptSession`), and notifies the owner. An attacker
   * who signed in by this login must not stay signed in.
   * @throws AuthError `externalLogin.notFound`, also for the login of another account.
   */
  unlink(tx: Tx, account: Account, id: string, exceptSession?: string): Promise<ExternalLogin>;
  /**
   * Removes all external logins of a provider, and ends all sessions of their accounts. The transaction has called `lockAccounts`.
   * @param allow gets the roles of these accounts, batch by batch, and throws unless they may lose their logins.
   */
  unlinkAll(tx: Tx, provider: string, allow: (roleNames: readonly string[]) => Promise<void>): Promise<void>;
}

export function createExternalLogins(deps: {
  store: ExternalLoginStore;
  accounts: Pick<AccountStore, 'findAllForUpdate' | 'recordOwners'>;
  sessions: Sessions;
  notifyOwner: NotifyOwner;
  clock: Clock;
}): ExternalLogins {
  const { store, accounts, sessions, notifyOwner, clock } = deps;
  const endOfTurn = createTurnEnd();
  return {
    list: store.list,

    async link(tx, account, { provider, providerKey }) {
      const identity = { provider, providerKey };
      if ((await store.find(tx.sql, identity)) === account.id) return false;
      const isLinked = await store.add(tx.sql, { ...identity, accountId: account.id, linkedAt: clock.now() });
      if (!isLinked) throw externalErrors.linkedElsewhere();
      await notifyOwner(tx, account, externalLoginLinkedMessage);
      return true;
    },

    async unlink(tx, account, id, exceptSession) {
      const login = await store.remove(tx.sql, account.id, id);
      if (!login) throw externalLoginErrors.notFound();
      await accounts.recordOwners(tx.sql, [account.id]);
      await sessions.endOfAccount(tx, account.id, exceptSession);
      await notifyOwner(tx, account, externalLoginUnlinkedMessage);
      return login;
    },

    async unlinkAll(tx, provider, allow) {
      const ids = await store.removeAll(tx.sql, provider);
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = ids.slice(start, start + BATCH);
        // A sign-in that is under way holds its account. Its session is there when the lock is.
        const locked = await accounts.findAllForUpdate(tx.sql, batch);
        await allow([...new Set(locked.flatMap(({ roleNames }) => roleNames))]);
        await accounts.recordOwners(tx.sql, batch);
        await sessions.endOfAccounts(tx, batch);
        // SQLite answers at once: without a pause, everybody else waits for the last batch.
        await endOfTurn();
      }
    },
  };
}
