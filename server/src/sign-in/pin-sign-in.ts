// Signing in with a one-time pin instead of a password.
import { type Account, type AccountStore, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Origin } from '../foundation/events.ts';
import { accountSubject } from '../lockout/index.ts';
import { type Pins, pinErrors } from '../pins/index.ts';
import type { Attempts } from '../authentication/attempts.ts';
import { signInActions } from './events.ts';
import type { Opening, SignedInAccount } from '../authentication/session-issuer.ts';

/** A pin as it is given back; `name`, if given, must be one that the account goes by. */
export type GivenPin = { operationId: string; pin: string; name: string | undefined };

export interface PinSignIn {
  /**
   * Signs in to the account that the pin was sent for, once. Wrong pins count towards that account's lock.
   * Ends in `pin.invalid`, `signIn.lockedOut`, `signIn.notActive`.
   */
  withPin(given: GivenPin, origin: Origin): Promise<SignedInAccount>;
}

export function createPinSignIn(deps: {
  accounts: AccountStore;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  attempts: Attempts;
  opening: Opening;
  audit: AuditTrail;
}): PinSignIn {
  const { accounts, phoneNumbers, pins, attempts, opening, audit } = deps;
  const action = signInActions.pin;
  const wrong = pinErrors.invalid;

  const isNameOf = ({ userName, emailAddress, mobileNumber }: Account, name: string) =>
    [userName, emailAddress].some((own) => own !== null && nameKey(own) === nameKey(name)) ||
    (mobileNumber !== null && phoneNumbers.parse(name) === mobileNumber);

  /** Whether the pin's address is still one of the account's that are verified. */
  const isReachedAt = (account: Account, address: string) =>
    (account.isMobileConfirmed && account.mobileNumber === address) ||
    (account.isEmailConfirmed && account.emailAddress === address);

  return {
    async withPin({ operationId, pin: typed, name }, origin) {
      const filter = { operationId, purposes: ['sign-in'] as const };
      const asked = await pins.find(filter);
      if (!asked) {
        await audit.recordAlone({ action, outcome: 'refused', reason: wrong.reason, origin });
        throw wrong();
      }
      // To look for nobody takes as long as to look for somebody.
      const account = await accounts.find(asked.accountId ?? 0);
      // The same for every name of an account, whether it was reached by that name or not.
      const subject = asked.accountId === null ? asked.subject : accountSubject(asked.accountId);
      const agrees = account && (!name || isNameOf(account, name)) && isReachedAt(account, asked.address);
      return attempts.make<undefined, SignedInAccount>(
        { account, subject, origin, action },
        async () => undefined,
        async (tx) => {
          // The account before its pins and budgets, as in every other transaction that locks both.
          await accounts.claim(tx.sql, account?.id ?? 0);
          const { outcome } = await pins.tryPin(tx, filter, agrees ? typed : '');
          if (outcome === 'dead') return { proof: 'unchecked', result: wrong() };
          if (outcome === 'wrong' || !account) return { proof: 'wrong', result: wrong() };
          const proven = { accountId: account.id, method: 'otp', origin, action, wrong } as const;
          return { proof: 'right', result: await opening.open(tx, proven) };
        },
      );
    },
  };
}
