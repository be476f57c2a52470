// The recipient resolver: finds the account that a reset is for, and the address that a method sends to.
import type { Account, Credential, Named, Names, VerifiedAddresses } from '../accounts/index.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import type { LinkHolder, Recipient } from '../proofs/index.ts';
import { type PinMethod, ResetMethod } from './method.ts';

/** An active account with a verified address for a method, or an unknown name, which gets the same answers. */
export type ResolvedRecipient = {
  account: (Account & { credential: Credential }) | undefined;
  /** The key under which requests for this name are counted. */
  budgetSubject: string;
  /** The subject of the pin that is issued and not sent when there is no recipient. Each method has its own. */
  decoySubject: string;
  recipient: Recipient | null;
};

/** Returns the account and address of a link, if there is a recipient. */
export const toLinkHolder = (
  { account, recipient }: ResolvedRecipient,
  purpose: LinkHolder['purpose'],
): LinkHolder | null =>
  account && recipient
    ? { accountId: account.id, passwordVersion: account.credential.version, address: recipient.to, purpose }
    : null;

export interface RecipientResolver {
  /** Resolves a user name or e-mail address. A deactivated account resolves like an unknown name. */
  byName(name: string, method: PinMethod): Promise<ResolvedRecipient>;
  /**
   * Resolves an account to its e-mail address, verified or not: the link of an invitation verifies it. Requests for a name
   * share its limits.
   */
  forInvitation(account: Account & { credential: Credential }): ResolvedRecipient;
  /** Resolves the name of an account that may have been invited. */
  byInvitedName(name: string): Promise<ResolvedRecipient>;
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
    const address = account?.isActive ? verifiedAddresses.find(account, meansOf[method])?.to : undefined;
    return resolveTo({ account, nameMac }, method, address);
  }

  function resolveTo({ account, nameMac }: Named, method: PinMethod, address: string | undefined): ResolvedRecipient {
    const budgetSubject = unknownSubject(nameMac);
    const decoySubject = `${budgetSubject}${subjectEnding[method]}`;
    if (!account || address === undefined) return { account: undefined, budgetSubject, decoySubject, recipient: null };
    const subject = `${accountSubject(account.id)}/${account.credential.version}${subjectEnding[method]}`;
    const recipient = { subject, to: address };
    return { account, budgetSubject, decoySubject, recipient };
  }

  const resolveInvited = (named: Named) => {
    const { account } = named;
    const address = account?.isActive ? (account.emailAddress ?? undefined) : undefined;
    return resolveTo(named, ResetMethod.emailLink, address);
  };

  return {
    byName: async (name, method) => resolve(await names.resolve(name), method),
    forInvitation: (account) => resolveInvited({ account, nameMac: names.macOf(account.userName) }),
    byInvitedName: async (name) => resolveInvited(await names.resolve(name)),
    async byNumber(number) {
      const { account, nameMac } = await names.resolveWithNumber(number);
      const isVerified = account?.isMobileConfirmed && account.mobileNumber === number;
      return resolve({ nameMac, account: isVerified ? account : undefined }, ResetMethod.sms);
    },
  };
}
