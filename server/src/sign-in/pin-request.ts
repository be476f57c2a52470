// Requests for a sign-in pin: every name gets the same answer, and the pin is sent afterwards.
import type { Names, VerifiedAddresses } from '../accounts/index.ts';
import { requireOffered } from '../delivery/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { OfferedMedia } from '../foundation/medium.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject, unknownSubject } from '../lockout/index.ts';
import type { SendProof } from '../proofs/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database } from '../storage/database.ts';
import { signInActions } from './declarations.ts';
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
  sendProof: SendProof;
  offeredMedia: OfferedMedia;
  settings: SettingReader;
}): PinRequests {
  const { database, names, verifiedAddresses, sendProof, offeredMedia, settings } = deps;

  return {
    async request(name, origin) {
      requireOffered(offeredMedia, 'sms', 'email');
      const { account, nameMac } = await names.resolveWithNumber(name);
      const address = account && (verifiedAddresses.find(account, 'sms') ?? verifiedAddresses.find(account, 'email'));
      const request = {
        purpose: 'sign-in',
        budgetSubject: unknownSubject(nameMac),
        account,
        recipient: account && address ? { subject: accountSubject(account.id), to: address.to } : null,
        medium: address?.medium ?? 'sms',
        ttlSeconds: settings.read(securitySettings).mobileLoginPinLifetime,
        template: signInPinMessage,
        record: { action: signInActions.pinRequested },
      } as const;
      const { operationId } = await database.transaction((tx) => sendProof(tx, request, origin));
      return operationId;
    },
  };
}
