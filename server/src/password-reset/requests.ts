// Requests for a reset link or one-time pin: every name gets the same answer, and the message is sent afterwards.
import type { Account, PhoneNumbers } from '../accounts/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Links } from '../front-ends/index.ts';
import type { SendProof } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database } from '../storage/database.ts';
import { resetActions } from './declarations.ts';
import { ResetMethod, requireAllowed } from './method.ts';
import { type RecipientResolver, type ResolvedRecipient, toLinkHolder } from './recipient-resolver.ts';
import { resetLinkMessage, resetPinMessage } from './templates.ts';

/** Each call throws `reset.methodNotAllowed`, `pin.cooldown` or `pin.dailyLimit`. */
export interface ResetRequests {
  /** Mails a link, and a code to type, to the verified address of the named account. */
  sendLink(name: string, origin: Origin): Promise<void>;
  /** Sends a one-time pin to the verified mobile number of the named account. */
  sendPin(name: string, origin: Origin): Promise<void>;
  /**
   * Sends a one-time pin to this number, if exactly one account has verified it.
   * @returns the operation id that goes with the one-time pin. It is no credential.
   * @throws AuthError also `request.invalid`.
   */
  sendPinToNumber(number: string, origin: Origin): Promise<string>;
}

/**
 * Returns the link to set a new password with this code. Accounts with permissions of this service get its own pages:
 * callers choose the front end that they name, and administrators who may change where its links lead may hold less.
 */
export type LinkToReset = (account: Account | undefined, origin: Origin, code: string) => string;

export function createLinkToReset({ links, roles }: { links: Links; roles: Roles }): LinkToReset {
  return (account, { frontEnd }, code) => {
    const isOrdinary = !account || !roles.grantPermissions(account.roleNames);
    return links.toPage('reset-password', isOrdinary ? frontEnd : null, { username: account?.userName ?? '', code });
  };
}

export function createResetRequests(deps: {
  database: Database;
  recipientResolver: RecipientResolver;
  phoneNumbers: PhoneNumbers;
  sendProof: SendProof;
  settings: SettingReader;
  linkToReset: LinkToReset;
}): ResetRequests {
  const { database, recipientResolver, phoneNumbers, sendProof, settings, linkToReset } = deps;

  const toRequest = (resolved: ResolvedRecipient, method: ResetMethod) =>
    ({
      ...resolved,
      purpose: 'reset-password',
      record: { action: resetActions.requested, details: { method } },
    }) as const;

  async function sendPin(resolved: ResolvedRecipient, origin: Origin): Promise<string> {
    const request = {
      ...toRequest(resolved, ResetMethod.sms),
      medium: 'sms',
      ttlSeconds: settings.read(securitySettings).resetPasswordSmsOtpLifetime,
      template: resetPinMessage,
    } as const;
    const { operationId } = await database.transaction((tx) => sendProof(tx, request, origin));
    return operationId;
  }

  return {
    async sendLink(name, origin) {
      requireAllowed(settings, ResetMethod.emailLink);
      const resolved = await recipientResolver.byName(name, ResetMethod.emailLink);
      const request = {
        ...toRequest(resolved, ResetMethod.emailLink),
        medium: 'email',
        ttlSeconds: settings.read(securitySettings).resetPasswordEmailLinkLifetime,
        template: resetLinkMessage,
        link: {
          secret: { method: ResetMethod.emailLink, holder: toLinkHolder(resolved, 'reset') },
          toPage: ({ code }: { code: string }) => linkToReset(resolved.account, origin, code),
        },
      } as const;
      await database.transaction((tx) => sendProof(tx, request, origin));
    },

    async sendPin(name, origin) {
      requireAllowed(settings, ResetMethod.sms);
      await sendPin(await recipientResolver.byName(name, ResetMethod.sms), origin);
    },

    async sendPinToNumber(typed, origin) {
      requireAllowed(settings, ResetMethod.sms);
      return sendPin(await recipientResolver.byNumber(phoneNumbers.require(typed, 'mobileNo')), origin);
    },
  };
}
