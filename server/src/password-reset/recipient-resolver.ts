// The recipient resolver: finds the account that a reset is for, and the address that a method sends to.
import {
  type Account,
  type Credential,
  type Named,
  type Names,
  nameKey,
  type VerifiedAddresses,
} from '../accounts/index.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import type { Recipient } from '../pins/index.ts';
import { type PinMethod, ResetMethod } from './method.ts';

/** An active account with a verified address for a method, or an unknown name, which gets the same answers. */
export type ResolvedRecipient = {
  account: (Account & { credential: Credential }) | undefined;
  /** The key under which requests for this name are counted. */
  asked: string;
  /** The subject of the pin that is issued and not sent when there is no recipient. Each method has its own. */
  unreached: string;
  recipient: Recipient | null;
};

export interface RecipientResolver {
  /** Resolves a user name or e-mail address. A deactivated account resolves like an unknown name. */
  byName(name: string, method: PinMethod): Promise<ResolvedRecipient>;
  /** Resolves a number in E.164, if exactly one account has verified it. */
  byNumber(number: string): Promise<ResolvedRecipient>;
}

/**
 * The ending of a pin's subject: each method has its own pin. The password version precedes it, so that a new password
 * invalidates older pins.
 */
export const subjectEnding = { [ResetMethod.emailLink]: '/email', [ResetMethod.sms]: '/sms' } as const;

const meansOf = { [ResetMethod.emailLink]: 'email', [ResetMethod.sms]: 'sms' } as const;

export function createRecipientResolver(deps: {
  names: Names;
  verifiedAddresses: VerifiedAddresses;
}): RecipientResolver {
  const { names, verifiedAddresses } = deps;

  function resolve({ account, nameMac }: Named, method: PinMethod): ResolvedRecipient {
    const asked = unknownSubject(nameMac);
    const unreached = `${asked}${subjectEnding[method]}`;
    const address = account?.isActive ? verifiedAddresses.find(account, meansOf[method]) : undefined;
    if (!account || !address) return { account: undefined, asked, unreached, recipient: null };
    const subject = `${accountSubject(account.id)}/${account.credential.version}${subjectEnding[method]}`;
    const recipient = { subject, address: address.to, addressKey: nameKey(address.to) };
    return { account, asked, unreached, recipient };
  }

  return {
    byName: async (name, method) => resolve(await names.resolve(name), method),
    async byNumber(number) {
      const { account, nameMac } = await names.resolveWithNumber(number);
      const isVerified = account?.isMobileConfirmed && account.mobileNumber === number;
      return resolve({ nameMac, account: isVerified ? account : undefined }, ResetMethod.sms);
    },
  };
}
