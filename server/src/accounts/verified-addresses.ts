// Verified addresses: the addresses at which an account owner has given back a pin, so that messages may go there.
import type { Means, OfferedMeans } from '../foundation/means.ts';
import type { Account } from './account.ts';
import type { PhoneNumbers } from './phone-number.ts';

/** A verified e-mail address, or a verified mobile number in E.164 that messages may go to. Its means is on. */
export type VerifiedAddress = { readonly means: Means; readonly to: string };

export interface VerifiedAddresses {
  /** Returns the account's verified addresses, the e-mail address first. */
  list(account: Account): VerifiedAddress[];
  /** Returns the account's verified address of this means. */
  find(account: Account, means: Means): VerifiedAddress | undefined;
}

export function createVerifiedAddresses(phoneNumbers: PhoneNumbers, offered: OfferedMeans): VerifiedAddresses {
  function list({ emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed }: Account): VerifiedAddress[] {
    const addresses: VerifiedAddress[] = [];
    if (offered.email && emailAddress !== null && isEmailConfirmed)
      addresses.push({ means: 'email', to: emailAddress });
    if (offered.sms && mobileNumber !== null && isMobileConfirmed && phoneNumbers.mayReceive(mobileNumber)) {
      addresses.push({ means: 'sms', to: mobileNumber });
    }
    return addresses;
  }

  return {
    list,
    find: (account, wanted) => list(account).find(({ means }) => means === wanted),
  };
}
