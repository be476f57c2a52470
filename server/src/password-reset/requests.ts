// Requests for a reset link or one-time pin: every name gets the same answer, and the message is sent afterwards.
import { type Account, ownerNames, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Messages } from '../delivery/index.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Links } from '../front-ends/index.ts';
import type { Pins } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { resetActions } from './events.ts';
import { ResetMethod, requireAllowed } from './method.ts';
import type { RecipientResolver, ResolvedRecipient } from './recipient-resolver.ts';
import { type ResetTokens, toLinkHolder } from './reset-tokens.ts';
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

export function createResetSender(deps: {
  pins: Pins;
  tokens: ResetTokens;
  messages: Messages;
  settings: SettingReader;
  audit: AuditTrail;
  linkToReset: LinkToReset;
}) {
  const { pins, tokens, messages, settings, audit, linkToReset } = deps;

  async function record(
    tx: Tx,
    { account }: ResolvedRecipient,
    method: ResetMethod,
    to: string | null,
    origin: Origin,
  ) {
    await audit.record(tx, {
      action: resetActions.requested,
      outcome: 'success',
      ...(account && { user: { id: account.id, name: account.userName } }),
      origin,
      details: { method, to: to === null ? null : maskAddress(to) },
    });
  }

  const toPinRequest = ({ account, ...resolved }: ResolvedRecipient, ttlSeconds: number) =>
    ({ purpose: 'reset-password', accountId: account?.id ?? null, ...resolved, ttlSeconds }) as const;

  const valuesOf = ({ account }: ResolvedRecipient, pin: string | null, ttlSeconds: number) => ({
    pin: pin ?? '',
    minutes: String(Math.ceil(ttlSeconds / 60)),
    ...(account && ownerNames(account)),
  });

  return {
    async sendLink(tx: Tx, resolved: ResolvedRecipient, origin: Origin) {
      const { account, recipient } = resolved;
      const ttlSeconds = settings.read(securitySettings).resetPasswordEmailLinkLifetime;
      const issued = await pins.issue(tx, toPinRequest(resolved, ttlSeconds));
      const to = issued.pin === null ? null : (recipient?.address ?? null);
      const code = await tokens.issueLink(tx, to === null ? null : toLinkHolder(resolved), ttlSeconds);
      const link = linkToReset(account, origin, code);
      await messages.queue(tx, {
        template: resetLinkMessage,
        medium: 'email',
        to,
        account: account ?? null,
        values: { ...valuesOf(resolved, issued.pin, ttlSeconds), link, code },
        frontEnd: origin.frontEnd,
        expiresAt: issued.expiresAt,
      });
      await record(tx, resolved, ResetMethod.emailLink, to, origin);
    },

    async sendPin(tx: Tx, resolved: ResolvedRecipient, origin: Origin): Promise<string> {
      const { account, recipient } = resolved;
      const ttlSeconds = settings.read(securitySettings).resetPasswordSmsOtpLifetime;
      const issued = await pins.issue(tx, toPinRequest(resolved, ttlSeconds));
      const to = issued.pin === null ? null : (recipient?.address ?? null);
      await messages.queue(tx, {
        template: resetPinMessage,
        medium: 'sms',
        to,
        account: account ?? null,
        values: valuesOf(resolved, issued.pin, ttlSeconds),
        frontEnd: origin.frontEnd,
        expiresAt: issued.expiresAt,
      });
      await record(tx, resolved, ResetMethod.sms, to, origin);
      return issued.operationId;
    },
  };
}

export function createResetRequests(deps: {
  database: Database;
  recipientResolver: RecipientResolver;
  phoneNumbers: PhoneNumbers;
  sender: ReturnType<typeof createResetSender>;
  settings: SettingReader;
}): ResetRequests {
  const { database, recipientResolver, phoneNumbers, sender, settings } = deps;
  return {
    async sendLink(name, origin) {
      requireAllowed(settings, ResetMethod.emailLink);
      const resolved = await recipientResolver.byName(name, ResetMethod.emailLink);
      await database.transaction((tx) => sender.sendLink(tx, resolved, origin));
    },

    async sendPin(name, origin) {
      requireAllowed(settings, ResetMethod.sms);
      const resolved = await recipientResolver.byName(name, ResetMethod.sms);
      await database.transaction((tx) => sender.sendPin(tx, resolved, origin));
    },

    async sendPinToNumber(typed, origin) {
      requireAllowed(settings, ResetMethod.sms);
      const resolved = await recipientResolver.byNumber(phoneNumbers.require(typed, 'mobileNo'));
      return database.transaction((tx) => sender.sendPin(tx, resolved, origin));
    },
  };
}
