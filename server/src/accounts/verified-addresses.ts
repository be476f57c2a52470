// Verified addresses: the addresses at which an account owner has given back a pin, so that messages may go there.
import type { Address, Medium, OfferedMedia } from '../foundation/medium.ts';
import type { Account } from './account.ts';
import type { PhoneNumbers } from './phone-number.ts';

/** Verified addresses that messages may go to: their medium is on. */
export interface VerifiedAddresses {
  /** Returns the account's verified addresses, the e-mail address first. */
  list(account: Account): Address[];
  /** Returns the account's verified address of this medium. */
  find(account: Account, medium: Medium): Address | undefined;
}

export function createVerifiedAddresses(phoneNumbers: PhoneNumbers, offered: OfferedMedia): VerifiedAddresses {
  function list({ emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed }: Account): Address[] {
    const addresses: Address[] = [];
    if (offered.email && emailAddress !== null && isEmailConfirmed)
      addresses.push({ medium: 'email', to: emailAddress });
    if (offered.sms && mobileNumber !== null && isMobileConfirmed && phoneNumbers.mayReceive(mobileNumber)) {
      addresses.push({ medium: 'sms', to: mobileNumber });
    }
    return addresses;
  }

  return {
    list,
    find: (account, wanted) => list(account).find(({ medium }) => medium === wanted),
  };
}
