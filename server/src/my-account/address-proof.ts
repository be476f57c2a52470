// Verification of an owner's address: the right pin gives the account the address, and the verified addresses are notified.
import { type Account, type AccountStore, isForeignAddress, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Address } from '../foundation/medium.ts';
import type { NotifyOwner } from '../owner-notices/index.ts';
import { type OneTimeSecrets, type Pins, pinErrors, verificationPurposes } from '../proofs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { addressMembers, findOtherHolder } from './address.ts';
import { myAccountActions } from './declarations.ts';
import { addressChangedMessage, addressVerifiedMessage } from './templates.ts';

export interface AddressProofs {
  /**
   * Gives the account the address that the pin was sent to, and marks it as verified. A user name that is the old address
   * changes too. A changed address ends all other sessions, revokes the links of password resets, and notifies the verified
   * addresses: the old one that it was replaced, the one of the other medium that there is another one.
   * @returns `false` when the pin is wrong or invalid, and when another account got the address meanwhile.
   */
  verify(owner: SignedIn, given: { operationId: string; pin: string }, origin: Origin): Promise<boolean>;
}

export function createAddressProofs(deps: {
  database: Database;
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  oneTimeSecrets: Pick<OneTimeSecrets, 'revokeOfAccount'>;
  notifyOwner: NotifyOwner;
  sessions: Sessions;
  audit: AuditTrail;
  clock: Clock;
}): AddressProofs {
  const { database, accounts, phoneNumbers, pins, oneTimeSecrets, notifyOwner, sessions, audit, clock } = deps;
  const action = myAccountActions.addressChanged;

  /** Returns the account with the address. A user name that is the old address changes too: another person may get it. */
  function withAddress(account: Account, { medium, to }: Address): Account {
    const { member, confirmed } = addressMembers[medium];
    const changed = { ...account, [member]: to, [confirmed]: true };
    const wasOwn = !isForeignAddress(account, phoneNumbers.parse);
    return wasOwn && isForeignAddress(changed, phoneNumbers.parse) ? { ...changed, userName: to } : changed;
  }

  /** @throws UniqueViolation when another account has just taken the address or the user name. */
  async function setAddress(
    tx: Tx,
    { accountId, sessionId }: SignedIn,
    address: Address,
  ): Promise<Account | undefined> {
    const account = await accounts.findIn(tx.sql, accountId);
    if (!account || (await findOtherHolder(tx.sql, accounts, account, address))) return undefined;
    const changed = withAddress(account, address);
    await accounts.replace(tx.sql, accountId, changed, clock.now());
    if (account[addressMembers[address.medium].member] !== address.to) {
      await sessions.endOfAccount(tx, accountId, sessionId);
      await oneTimeSecrets.revokeOfAccount(tx, accountId);
      await notifyOwner(tx, account, addressChangedMessage, { medium: address.medium });
      await notifyOwner(tx, account, addressVerifiedMessage, { medium: address.medium === 'email' ? 'sms' : 'email' });
    }
    return changed;
  }

  return {
    async verify(owner, { operationId, pin: typed }, origin) {
      const { accountId, sessionId } = owner;
      const filter = { operationId, purposes: Object.values(verificationPurposes), accountId };
      const refusal = {
        action,
        outcome: 'refused',
        reason: pinErrors.invalid.reason,
        user: { id: accountId, name: null },
        origin,
      } as const;
      /** @returns `undefined` when no try of the pin was used up. */
      const tryPin = () =>
        database.transaction(async (tx) => {
          // Numbers have no unique key.
          await accounts.lockAccounts(tx.sql);
          await owner.authorize(tx);
          const tried = await pins.tryPin(tx, filter, typed);
          if (tried.outcome === 'dead') return undefined;
          if (tried.outcome === 'wrong') {
            await audit.record(tx, refusal);
            return false;
          }
          const { purpose, address: to } = tried.pin;
          const medium = purpose === 'verify-email' ? 'email' : 'sms';
          const account = await setAddress(tx, owner, { medium, to });
          const details = { address: addressMembers[medium].member, to: maskAddress(to) };
          if (!account) {
            await audit.record(tx, { ...refusal, details });
            return false;
          }
          const user = { id: accountId, name: account.userName };
          await audit.record(tx, { action, outcome: 'success', user, origin, details });
          return true;
        });
      // A caller without a pin must not lock the accounts.
      const isSent = await pins.canTry(filter, typed);
      const outcome = isSent ? await tryPin().catch(undefinedIfTaken) : undefined;
      // The tries of a pin do not bound these refusals.
      if (outcome === undefined) await audit.recordRepeatable(sessionId, refusal);
      return outcome ?? false;
    },
  };
}

/** Turns `UniqueViolation` into `undefined`: another account has just taken the address or the user name. */
function undefinedIfTaken(error: unknown): undefined {
  if (!(error instanceof UniqueViolation)) throw error;
}
