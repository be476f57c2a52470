// Verifying an address of one's own: with the right pin it becomes the account's, and the one before is told.
import { type Account, type AccountStore, isForeignAddress, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import { type Pins, pinErrors } from '../pins/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { type Address, addressKinds, findOtherHolder } from './address.ts';
import { myAccountActions } from './events.ts';
import { addressChangedMessage } from './templates.ts';

export interface AddressProofs {
  /**
   * Gives the account the address that the pin went to, verified, and with it the user name if that is the old address.
   * The old address is told, if it was verified; all other sessions end with it.
   * @returns false for every pin that is not right now, and for an address that another account has got meanwhile.
   */
  verify(owner: SignedIn, given: { operationId: string; pin: string }, origin: Origin): Promise<boolean>;
}

export function createAddressProofs(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  notifyOwner: NotifyOwner;
  sessions: Sessions;
  audit: AuditTrail;
}): AddressProofs {
  const { database, accounts, phoneNumbers, pins, notifyOwner, sessions, audit } = deps;
  const action = myAccountActions.addressChanged;

  /** The account with the address; a user name that is the old one goes with it: somebody else may have that one day. */
  function withAddress(account: Account, { member, value }: Address): Account {
    const changed = { ...account, [member]: value, [addressKinds[member].confirmed]: true };
    const wasOwn = !isForeignAddress(account, phoneNumbers.parse);
    return wasOwn && isForeignAddress(changed, phoneNumbers.parse) ? { ...changed, userName: value } : changed;
  }

  /** Rejects with `UniqueViolation` when the address or the user name was taken in this very moment. */
  async function give(tx: Tx, { accountId, sessionId }: SignedIn, address: Address): Promise<Account | undefined> {
    const account = await accounts.findIn(tx.sql, accountId);
    if (!account || (await findOtherHolder(tx.sql, accounts, account, address))) return undefined;
    const changed = withAddress(account, address);
    await accounts.replace(tx.sql, accountId, changed);
    if (account[address.member] !== address.value) {
      await sessions.endOfAccount(tx, accountId, sessionId);
      await notifyOwner(tx, account, addressChangedMessage, addressKinds[address.member].means);
    }
    return changed;
  }

  return {
    async verify(owner, { operationId, pin: typed }, origin) {
      const { accountId, sessionId } = owner;
      const filter = { operationId, purposes: Object.values(addressKinds).map(({ purpose }) => purpose), accountId };
      const refusal = {
        action,
        outcome: 'refused',
        reason: pinErrors.invalid.reason,
        user: { id: accountId, name: null },
        origin,
      } as const;
      /** @returns nothing when no try of a pin was used up. */
      const tryOnce = () =>
        database.transaction(async (tx) => {
          // No unique key holds numbers apart.
          await accounts.lockAccounts(tx.sql);
          await owner.authorize(tx);
          const tried = await pins.tryPin(tx, filter, typed);
          if (tried.outcome === 'dead') return undefined;
          if (tried.outcome === 'wrong') {
            await audit.record(tx, refusal);
            return false;
          }
          const { purpose, address: value } = tried.pin;
          const member = purpose === 'verify-email' ? 'emailAddress' : 'mobileNumber';
          const account = await give(tx, owner, { member, value });
          const details = { address: member, to: maskAddress(value) };
          if (!account) {
            await audit.record(tx, { ...refusal, details });
            return false;
          }
          const user = { id: accountId, name: account.userName };
          await audit.record(tx, { action, outcome: 'success', user, origin, details });
          return true;
        });
      // Only callers who were sent a pin make others take turns.
      const isSent = (await pins.find(filter)) !== undefined;
      const outcome = isSent ? await tryOnce().catch(undefinedIfTaken) : undefined;
      // The tries of a pin do not bound how often this happens.
      if (outcome === undefined) await audit.recordRepeatable(sessionId, refusal);
      return outcome ?? false;
    },
  };
}

/** The address or the user name was taken by another account in this very moment. */
function undefinedIfTaken(error: unknown): undefined {
  if (!(error instanceof UniqueViolation)) throw error;
}
