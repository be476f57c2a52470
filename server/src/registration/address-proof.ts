// Proving the address to register with: a pin or link goes to it, and whoever gives the pin back may use it once.
import { nameKey } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import {
  addressInUseMessage,
  type Means,
  type Messages,
  NOTICE_SECONDS,
  verificationPinMessage,
} from '../delivery/index.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { otpSettings, type Pins, type Purpose, pinErrors } from '../pins/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Address, Addresses } from './address.ts';
import { registrationErrors } from './errors.ts';
import { registrationActions } from './events.ts';
import { requireRegistrationMeans } from './settings.ts';
import { verificationLinkMessage } from './templates.ts';

const purposeOf = { email: 'verify-email', sms: 'verify-mobile' } as const satisfies Record<Means, Purpose>;

/** A pin on its way: the id under which it is given back, and to where it went. */
export type SentPin = { operationId: string; sentTo: string };

/** Pins of people who have no account yet. Each call ends in `registration.disabled` unless people register by its means. */
export interface RegistrationProofs {
  /**
   * Sends a pin, by itself or in a link. Whoever has the address already is told instead, nobody learns the pin, and the
   * answer is the same. Ends in `request.invalid`, `pin.cooldown`, `pin.dailyLimit`.
   */
  send(request: Address & { asLink: boolean }, origin: Origin): Promise<SentPin>;
  /** Sends a new pin, by itself, to the same address: the one before is dead. Ends also in `pin.invalid`: no such operation. */
  resend(operationId: string, origin: Origin): Promise<SentPin>;
  /** Whether this is the pin, not tried too often. From then on the operation proves the address for 15 minutes, once. */
  verify(given: { operationId: string; pin: string }, origin: Origin): Promise<boolean>;
  /** The address that the operation proves, if it is the one given. Ends in `registration.addressNotProven`. */
  find(operationId: string, given: GivenAddresses): Promise<Address>;
  /** Takes the proof of a free address, which of any number of parallel takers one gets. Ends in the same. */
  take(tx: Tx, operationId: string, address: Address): Promise<void>;
}

/** A pin to be sent, under a new operation or one that there is. */
type Wanted = Address & { asLink: boolean; operationId?: string };

/** The addresses that a registration names; only that by which people register now is looked at. */
export type GivenAddresses = { emailAddress: string | null; mobileNumber: string | null };

export function createRegistrationProofs(deps: {
  database: Database;
  addresses: Addresses;
  pins: Pins;
  messages: Messages;
  settings: SettingReader;
  audit: AuditTrail;
  publicUrl: string;
}): RegistrationProofs {
  const { database, addresses, pins, messages, settings, audit, publicUrl } = deps;

  const requireMeans = () => requireRegistrationMeans(settings);

  const filterOf = (operationId: string, means: Means) => ({
    operationId,
    purposes: [purposeOf[means]],
    accountId: null,
  });

  /** A pin is made for a taken address as well: so nothing differs, and its owner is told no more often than others. */
  async function issue(tx: Tx, { means, to, asLink, ...operation }: Wanted, origin: Origin): Promise<SentPin> {
    const ttlSeconds = settings.read(otpSettings).verificationPinLifetime;
    const asked = addresses.subjectOf({ means, to });
    const recipient = { subject: asked, address: to, addressKey: nameKey(to) };
    const request = { purpose: purposeOf[means], asked, accountId: null, recipient, ttlSeconds, ...operation };
    const { operationId, pin, expiresAt } = await pins.issue(tx, request);
    const holder = await addresses.findHolder(tx.sql, { means, to });
    const message = holder
      ? {
          template: addressInUseMessage,
          to: holder.to,
          accountId: holder.accountId,
          values: {},
          expiresAt: addSeconds(expiresAt, NOTICE_SECONDS),
        }
      : {
          template: asLink ? verificationLinkMessage : verificationPinMessage,
          to,
          values: {
            pin: pin ?? '',
            minutes: String(Math.ceil(ttlSeconds / 60)),
            link: `${publicUrl}/register#operation=${operationId}&pin=${pin ?? ''}`,
          },
          expiresAt,
        };
    const reached = pin === null ? null : message.to;
    await messages.queue(tx, { ...message, means, to: reached });
    await audit.record(tx, {
      action: registrationActions.pinRequested,
      outcome: 'success',
      ...(holder && { user: { id: holder.accountId, name: null } }),
      origin,
      details: { to: reached === null ? null : maskAddress(reached) },
    });
    return { operationId, sentTo: to };
  }

  return {
    async send({ asLink, ...typed }, origin) {
      if (typed.means !== requireMeans()) throw registrationErrors.disabled();
      const wanted = { ...addresses.read(typed), asLink };
      return database.transaction((tx) => issue(tx, wanted, origin));
    },

    async resend(operationId, origin) {
      const means = requireMeans();
      const asked = await pins.find(filterOf(operationId, means));
      const typed = { means, to: asked?.address ?? '' };
      // Of those that want their own address verified, a pin that reached nobody is bound to no account either.
      if (asked?.subject !== addresses.subjectOf(typed)) throw pinErrors.invalid();
      const wanted = { ...addresses.read(typed), asLink: false, operationId };
      return database.transaction((tx) => issue(tx, wanted, origin));
    },

    async verify({ operationId, pin }, origin) {
      const filter = filterOf(operationId, requireMeans());
      return database.transaction(async (tx) => {
        const { outcome } = await pins.tryPin(tx, filter, pin);
        const tried = { action: registrationActions.pinTried, origin };
        const { reason } = pinErrors.invalid;
        if (outcome === 'right') await audit.record(tx, { ...tried, outcome: 'success' });
        // A try that was not looked at is not recorded: strangers must not fill the trail.
        if (outcome === 'wrong') await audit.record(tx, { ...tried, outcome: 'refused', reason });
        return outcome === 'right';
      });
    },

    async find(operationId, { emailAddress, mobileNumber }) {
      const means = requireMeans();
      const given = means === 'email' ? emailAddress : mobileNumber;
      const proof = await pins.findProof(filterOf(operationId, means));
      const isSame = proof && given && proof.subject === addresses.subjectOf({ means, to: given });
      if (!isSame) throw registrationErrors.addressNotProven();
      return { means, to: proof.address };
    },

    async take(tx, operationId, address) {
      const proof = await pins.takeProof(tx, filterOf(operationId, address.means));
      const isProven = proof?.address === address.to;
      if (!isProven || !(await addresses.isFree(tx, address))) throw registrationErrors.addressNotProven();
    },
  };
}
