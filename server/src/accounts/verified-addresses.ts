// Verified addresses: the addresses at which an account owner has given back a pin, so that messages may go there.
import type { Account } from './account.ts';
import type { PhoneNumbers } from './phone-number.ts';

/** A verified e-mail address, or a verified mobile number in E.164 that messages may go to. */
export type VerifiedAddress = { readonly means: 'email' | 'sms'; readonly to: string };

export interface VerifiedAddresses {
  /** Returns the account's verified addresses, the e-mail address first. */
  list(account: Account): VerifiedAddress[];
  /** Returns the account's verified address of this means. */
  find(account: Account, means: VerifiedAddress['means']): VerifiedAddress | undefined;
}

export function createVerifiedAddresses(phoneNumbers: PhoneNumbers): VerifiedAddresses {
  function list({ emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed }: Account): VerifiedAddress[] {
    const addresses: VerifiedAddress[] = [];
    if (emailAddress !== null && isEmailConfirmed) addresses.push({ means: 'email', to: emailAddress });
    if (mobileNumber !== null && isMobileConfirmed && phoneNumbers.mayReceive(mobileNumber)) {
      addresses.push({ means: 'sms', to: mobileNumber });
    }
    return addresses;
  }

  return {
    list,
    find: (account, wanted) => list(account).find(({ means }) => means === wanted),
  };
}
