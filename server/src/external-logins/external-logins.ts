// Linking: what goes with a link between an account and a provider that is made or taken away, whoever does it.
import type { Account } from '../accounts/index.ts';
import type { Clock } from '../foundation/clock.ts';
import {
  type ExternalIdentity,
  type ExternalLogin,
  type ExternalLoginStore,
  externalErrors,
  externalLoginErrors,
} from '../providers/index.ts';
import type { Statements, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { TellOwner } from '../owner-notices/owner-notices.ts';
import { externalLoginLinkedMessage, externalLoginUnlinkedMessage } from '../my-account/templates.ts';

/** Of accounts that the transaction has claimed. */
export interface Linking {
  /** The account's links, oldest first. */
  list(on: Statements, accountId: number): Promise<ExternalLogin[]>;
  /**
   * Links the identity, in a transaction that has taken its turn, and tells every verified address.
   * @returns whether it was not linked to this account before. Ends in `external.linkedElsewhere`.
   */
  link(tx: Tx, account: Account, identity: ExternalIdentity): Promise<boolean>;
  /**
   * Takes a link away, ends the account's sessions, except one if named, and tells every verified address: whoever came in
   * by that link does not stay inside. Ends in `externalLogin.notFound`, also for another account's link.
   */
  unlink(tx: Tx, account: Account, id: string, exceptSession?: string): Promise<ExternalLogin>;
}

export function createLinking(deps: {
  links: ExternalLoginStore;
  sessions: Sessions;
  tellOwner: TellOwner;
  clock: Clock;
}): Linking {
  const { links, sessions, tellOwner, clock } = deps;
  return {
    list: links.list,

    async link(tx, account, { provider, providerKey }) {
      const identity = { provider, providerKey };
      if ((await links.find(tx.sql, identity)) === account.id) return false;
      const isLinked = await links.add(tx.sql, { ...identity, accountId: account.id, linkedAt: clock.now() });
      if (!isLinked) throw externalErrors.linkedElsewhere();
      await tellOwner(tx, account, externalLoginLinkedMessage);
      return true;
    },

    async unlink(tx, account, id, exceptSession) {
      const link = await links.remove(tx.sql, account.id, id);
      if (!link) throw externalLoginErrors.notFound();
      await sessions.endOfAccount(tx, account.id, exceptSession);
      await tellOwner(tx, account, externalLoginUnlinkedMessage);
      return link;
    },
  };
}
