// Requests to verify an owner's address: the service verifies the password, then sends a pin to the address.
import { type Account, type AccountStore, nameKey, type PhoneNumbers, requireEmailAddress } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { OwnerVerification } from '../authentication/index.ts';
import {
  addressInUseMessage,
  type Messages,
  NOTICE_SECONDS,
  requireOffered,
  verificationPinMessage,
} from '../delivery/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { OfferedMedia } from '../foundation/medium.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject } from '../lockout/index.ts';
import { otpSettings, type Pins } from '../proofs/index.ts';
import type { Tx } from '../storage/database.ts';
import { type Address, addressKinds, findOtherHolder } from './address.ts';
import { myAccountActions } from './events.ts';

/** A pin that was sent: its operation id, and the address that it went to. */
export type SentPin = { operationId: string; sentTo: string };

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
  pins: Pins;
  messages: Messages;
  offeredMedia: OfferedMedia;
  settings: SettingReader;
  audit: AuditTrail;
}): AddressRequests {
  const { accounts, phoneNumbers, ownerVerification, pins, messages, offeredMedia, settings, audit } = deps;
  const action = myAccountActions.addressChangeRequested;

  /** Returns the address as it is stored. @throws AuthError `request.invalid`. */
  function read({ member, value }: Address): Address {
    if (member === 'emailAddress') return { member, value: requireEmailAddress(value, member) };
    return { member, value: phoneNumbers.requireReachable(value, member) };
  }

  /** Issues a pin for a taken address too. So the work is the same, and the pin limits bound the notices to its owner. */
  async function send(tx: Tx, account: Account, address: Address, { frontEnd }: Origin): Promise<string> {
    const { member, value } = address;
    const { means, purpose } = addressKinds[member];
    const ttlSeconds = settings.read(otpSettings).verificationPinLifetime;
    const budgetSubject = accountSubject(account.id);
    const recipient = { subject: budgetSubject, address: value, addressKey: nameKey(value) };
    const { operationId, pin, expiresAt } = await pins.issue(tx, {
      purpose,
      budgetSubject,
      accountId: account.id,
      recipient,
      ttlSeconds,
    });
    const holder = await findOtherHolder(tx.sql, accounts, account, address);
    const message = holder
      ? {
          template: addressInUseMessage,
          to: holder[member],
          account: holder,
          values: {},
          expiresAt: addSeconds(expiresAt, NOTICE_SECONDS),
        }
      : {
          template: verificationPinMessage,
          to: value,
          account,
          values: { pin: pin ?? '', minutes: String(Math.ceil(ttlSeconds / 60)) },
          expiresAt,
        };
    await messages.queue(tx, { ...message, medium: means, to: pin === null ? null : message.to, frontEnd });
    return operationId;
  }

  return {
    async request(owner, { password, address: typed }, origin) {
      requireOffered(offeredMedia, addressKinds[typed.member].means);
      const address = read(typed);
      return ownerVerification.withVerifiedOwner<SentPin>(owner, { password, action, origin }, async (tx, account) => {
        const operationId = await send(tx, account, address, origin);
        const { member, value } = address;
        const user = { id: account.id, name: account.userName };
        const details = { address: member, to: maskAddress(value) };
        await audit.record(tx, { action, outcome: 'success', user, origin, details });
        return { operationId, sentTo: value };
      });
    },
  };
}
