// Requests to verify an owner's address: the service verifies the password, then sends a pin to the address.
import { type Account, type AccountStore, type PhoneNumbers, requireEmailAddress } from '../accounts/index.ts';
import type { OwnerVerification } from '../authentication/index.ts';
import type { SentPin } from '../contract/schemas.ts';
import { requireOffered } from '../delivery/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Address, OfferedMedia } from '../foundation/medium.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { otpSettings, type SendProof, verificationPinMessage, verificationPurposes } from '../proofs/index.ts';
import type { Tx } from '../storage/database.ts';
import { addressMembers, findOtherHolder } from './address.ts';
import { myAccountActions } from './declarations.ts';

export interface AddressRequests {
  /**
   * Sends a pin to a new or present address of the account. If another account has the address, its owner gets a notice
   * instead. No message carries the pin then, and the answer is the same.
   * @throws AuthError `delivery.notOffered`, `request.invalid`, `password.incorrect`, `signIn.lockedOut`, `pin.cooldown`, `pin.dailyLimit`.
   */
  request(owner: SignedIn, wanted: { password: string; address: Address }, origin: Origin): Promise<SentPin>;
}

export function createAddressRequests(deps: {
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  ownerVerification: OwnerVerification;
  sendProof: SendProof;
  offeredMedia: OfferedMedia;
  settings: SettingReader;
}): AddressRequests {
  const { accounts, phoneNumbers, ownerVerification, sendProof, offeredMedia, settings } = deps;
  const action = myAccountActions.addressChangeRequested;

  /** Returns the address as it is stored. @throws AuthError `request.invalid`. */
  function read({ medium, to }: Address): Address {
    const { member } = addressMembers[medium];
    if (medium === 'email') return { medium, to: requireEmailAddress(to, member) };
    return { medium, to: phoneNumbers.requireReachable(to, member) };
  }

  /** Sends a pin for a taken address too. So the work is the same, and the pin limits bound the notices to its owner. */
  async function send(tx: Tx, account: Account, { medium, to }: Address, origin: Origin): Promise<SentPin> {
    const { member } = addressMembers[medium];
    const budgetSubject = accountSubject(account.id);
    const { operationId } = await sendProof(
      tx,
      {
        purpose: verificationPurposes[medium],
        budgetSubject,
        account,
        recipient: { subject: budgetSubject, to },
        medium,
        ttlSeconds: settings.read(otpSettings).verificationPinLifetime,
        template: verificationPinMessage,
        async findAddressHolder() {
          const holder = await findOtherHolder(tx.sql, accounts, account, { medium, to });
          return holder && { account: holder, to: holder[member] };
        },
        record: { action, details: { address: member, to: maskAddress(to) } },
      },
      origin,
    );
    return { operationId, sentTo: to };
  }

  return {
    async request(owner, { password, address: typed }, origin) {
      requireOffered(offeredMedia, typed.medium);
      const address = read(typed);
      const attempt = { password, action, origin };
      return ownerVerification.withVerifiedOwner(owner, attempt, (tx, account) => send(tx, account, address, origin));
    },
  };
}
