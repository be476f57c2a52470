// Requests for a sign-in pin: every name gets the same answer, and the pin is sent afterwards.
import { type Names, nameKey, ownerNames, type VerifiedAddresses } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { type Messages, requireOffered } from '../delivery/index.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { OfferedMedia } from '../foundation/medium.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import type { Pins } from '../proofs/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database } from '../storage/database.ts';
import { signInActions } from './events.ts';
import { signInPinMessage } from './templates.ts';

export interface PinRequests {
  /**
   * Sends a pin to the account's verified mobile number if it may receive messages, else to its verified e-mail address.
   * Sends nothing for an unknown name, for an account without a verified address, and for a number of several accounts.
   * @returns the operation id that goes with the pin. It is no credential, and does not tell whether there is an account.
   * @throws AuthError `pin.cooldown`, `pin.dailyLimit`; `delivery.notOffered` if the service sends no messages.
   */
  request(name: string, origin: Origin): Promise<string>;
}

export function createPinRequests(deps: {
  database: Database;
  names: Names;
  verifiedAddresses: VerifiedAddresses;
  pins: Pins;
  messages: Messages;
  offeredMedia: OfferedMedia;
  settings: SettingReader;
  audit: AuditTrail;
}): PinRequests {
  const { database, names, verifiedAddresses, pins, messages, offeredMedia, settings, audit } = deps;

  return {
    async request(name, origin) {
      requireOffered(offeredMedia, 'sms', 'email');
      const { account, nameMac } = await names.resolveWithNumber(name);
      const address = account && (verifiedAddresses.find(account, 'sms') ?? verifiedAddresses.find(account, 'email'));
      const ttlSeconds = settings.read(securitySettings).mobileLoginPinLifetime;
      const recipient =
        account && address
          ? {
              subject: accountSubject(account.id),
              address: address.to,
              addressKey: nameKey(address.to),
            }
          : null;
      return database.transaction(async (tx) => {
        const issued = await pins.issue(tx, {
          purpose: 'sign-in',
          budgetSubject: unknownSubject(nameMac),
          accountId: account?.id ?? null,
          recipient,
          ttlSeconds,
        });
        const to = issued.pin === null ? null : (address?.to ?? null);
        await messages.queue(tx, {
          template: signInPinMessage,
          medium: address?.medium ?? 'sms',
          to,
          account: account ?? null,
          values: {
            pin: issued.pin ?? '',
            minutes: String(Math.ceil(ttlSeconds / 60)),
            ...(account && ownerNames(account)),
          },
          frontEnd: origin.frontEnd,
          expiresAt: issued.expiresAt,
        });
        await audit.record(tx, {
          action: signInActions.pinRequested,
          outcome: 'success',
          ...(account && { user: { id: account.id, name: account.userName } }),
          origin,
          details: { to: to === null ? null : maskAddress(to) },
        });
        return issued.operationId;
      });
    },
  };
}
