// The pin method: signs in with a one-time pin.
import { type Account, type AccountStore, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { AuthenticationMethod, Identified } from '../authentication/index.ts';
import { accountSubject } from '../lockout/index.ts';
import { type PinFilter, type Pins, pinErrors } from '../proofs/index.ts';
import { signInActions } from './declarations.ts';

/** A pin, and the operation that it was sent for. `name`, if given, must be a name of the account. */
export type GivenPin = { operationId: string; pin: string; name: string | undefined };

/** A pin that was typed, the address that it was sent to, and the name that was given with it. */
type TypedPin = Identified & { filter: PinFilter; typed: string; address: string; name: string | undefined };

/** Wrong pins count towards the account's lockout. An expired or used pin is refused before the lockout is asked. */
export function createPinMethod(deps: {
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  audit: AuditTrail;
}): AuthenticationMethod<GivenPin, TypedPin, TypedPin> {
  const { accounts, phoneNumbers, pins, audit } = deps;
  const action = signInActions.pin;
  const wrong = pinErrors.invalid;

  const isNameOf = ({ userName, emailAddress, mobileNumber }: Account, name: string) =>
    [userName, emailAddress].some((own) => own !== null && nameKey(own) === nameKey(name)) ||
    (mobileNumber !== null && phoneNumbers.parse(name) === mobileNumber);

  /** Whether the pin's address is still a verified address of the account. */
  const isVerifiedAddress = (account: Account, address: string) =>
    (account.isMobileConfirmed && account.mobileNumber === address) ||
    (account.isEmailConfirmed && account.emailAddress === address);

  return {
    name: 'pin',
    amr: 'otp',
    action,
    wrong,

    async find({ operationId, pin: typed, name }, origin, challenged) {
      const filter: PinFilter = { operationId, purposes: ['sign-in'] };
      const sent = await pins.find(filter);
      if (!sent) {
        if (!challenged) await audit.recordAlone({ action, outcome: 'refused', reason: wrong.reason, origin });
        throw wrong();
      }
      // No account has the id 0. Reading it takes as long as reading an account.
      const account = await accounts.find(sent.accountId ?? 0);
      // All names of an account share one subject.
      const subject = sent.accountId === null ? sent.subject : accountSubject(sent.accountId);
      return { account, subject, filter, typed, name, address: sent.address };
    },

    verify: async (found) => found,

    async redeem(tx, { account, filter, typed, name, address }) {
      // Its address may have changed while the attempt waited for others.
      const present = await accounts.findForUpdate(tx.sql, account?.id ?? 0);
      const isOwn = present !== undefined && isVerifiedAddress(present, address);
      const mayBeRight = isOwn && (!name || isNameOf(present, name));
      const { outcome } = await pins.tryPin(tx, filter, typed, mayBeRight);
      return { proof: outcome === 'dead' ? 'unchecked' : outcome };
    },
  };
}
