// Reach: whom a name means that wants its password reset, and where that account is reached by each method.
import { type Account, type Credential, type Names, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import type { Recipient } from '../pins/index.ts';
import { ResetMethod } from './method.ts';

type PinMethod = typeof ResetMethod.emailLink | typeof ResetMethod.sms;

/** An account that is reached by a method, or a name of which nothing of the kind is known. */
export type Reached = {
  account: (Account & { credential: Credential }) | undefined;
  /** Under what requests are counted that name it so. */
  asked: string;
  /** Whom the pin is about that nobody gets: for each method another, as accounts have it. */
  unreached: string;
  recipient: Recipient | null;
};

export interface Reach {
  /** By user name or e-mail address. Deactivated accounts are reached as little as unknown names. */
  byName(name: string, method: PinMethod): Promise<Reached>;
  /** By a number in E.164 that one account alone has verified. */
  byNumber(number: string): Promise<Reached>;
}

/**
 * Ending of the subject of an account's pins, for each method: each has a pin of its own. Before it stands the version of
 * the password: once that is another, the pins before are nobody's.
 */
export const subjectEnding = { [ResetMethod.emailLink]: '/email', [ResetMethod.sms]: '/sms' } as const;

export function createReach({ names, phoneNumbers }: { names: Names; phoneNumbers: PhoneNumbers }): Reach {
  function findAddress(account: Account, method: PinMethod): string | null {
    const { emailAddress, isEmailConfirmed, mobileNumber, isMobileConfirmed } = account;
    if (method === ResetMethod.emailLink) return isEmailConfirmed ? emailAddress : null;
    return isMobileConfirmed && mobileNumber !== null && phoneNumbers.mayReceive(mobileNumber) ? mobileNumber : null;
  }

  function reach({ account, nameMac }: Awaited<ReturnType<Names['resolve']>>, method: PinMethod): Reached {
    const asked = unknownSubject(nameMac);
    const address = account?.isActive ? findAddress(account, method) : null;
    const unreached = `${asked}${subjectEnding[method]}`;
    if (!account || address === null) return { account: undefined, asked, unreached, recipient: null };
    const subject = `${accountSubject(account.id)}/${account.credential.version}${subjectEnding[method]}`;
    const recipient = { subject, address, addressKey: nameKey(address) };
    return { account, asked, unreached, recipient };
  }

  return {
    byName: async (name, method) => reach(await names.resolve(name), method),
    async byNumber(number) {
      const named = await names.resolveWithNumber(number);
      const isTheirs = named.account?.isMobileConfirmed && named.account.mobileNumber === number;
      return reach({ nameMac: named.nameMac, account: isTheirs ? named.account : undefined }, ResetMethod.sms);
    },
  };
}
