// Verification of the address to register with: the service sends a pin to it, and the right pin allows one registration.
import type { AuditTrail } from '../audit/index.ts';
import type { Budgets } from '../budgets/index.ts';
import type { SentPin } from '../contract/schemas.ts';
import type { Origin } from '../foundation/events.ts';
import type { Address, Medium } from '../foundation/medium.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Links } from '../front-ends/index.ts';
import {
  isSameMac,
  otpSettings,
  type Pins,
  pinErrors,
  type SendProof,
  verificationPinMessage,
  verificationPurposes,
} from '../proofs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Addresses } from './address.ts';
import { registrationActions, registrationErrors } from './declarations.ts';
import { requireRegistrationMedium } from './settings.ts';
import { verificationLinkMessage } from './templates.ts';

/** Pins for callers without an account. Each call throws `registration.disabled` while its medium of registration is off. */
export interface RegistrationProofs {
  /**
   * Sends a pin, alone or in a link. If an account has the address, its owner gets a notice instead. No message carries
   * the pin then, and the answer is the same.
   * @throws AuthError `request.invalid`, `pin.cooldown`, `pin.dailyLimit`.
   */
  send(request: Address & { asLink: boolean }, origin: Origin): Promise<SentPin>;
  /**
   * Sends a new pin, alone, to the same address. The previous pin becomes invalid.
   * @throws AuthError as `send`; `pin.invalid` for an unknown operation.
   */
  resend(operationId: string, origin: Origin): Promise<SentPin>;
  /**
   * @param given.operationId as `send` returned it, or as the link names it.
   * @returns whether the pin is right. The operation then proves the address for 15 minutes, for one registration.
   */
  verify(given: { operationId: string; pin: string }, origin: Origin): Promise<boolean>;
  /** Returns the address that the operation proves. @throws AuthError `registration.addressNotProven` for another one. */
  find(operationId: string, given: GivenAddresses): Promise<Address>;
  /**
   * Counts a user name before it is looked up: who has an address must not list the names of others with it.
   * @throws AuthError `registration.addressNotProven` after twenty. The address has to be proven again then.
   */
  countName(operationId: string): Promise<void>;
  /**
   * Uses up the proof of an address that no account has. One of several parallel calls succeeds.
   * @throws AuthError `registration.addressNotProven`.
   */
  take(tx: Tx, operationId: string, address: Address): Promise<void>;
}

/** User names that are looked up with one proof. */
const MOST_NAMES = 20;

/** A pin to send, for a new operation or for the one with this id. */
type SendRequest = Address & { asLink: boolean; operationId?: string };

/** The addresses in a registration form. Only the one that registration verifies now is read. */
export type GivenAddresses = { emailAddress: string | null; mobileNumber: string | null };

export function createRegistrationProofs(deps: {
  database: Database;
  addresses: Addresses;
  pins: Pins;
  budgets: Budgets;
  sendProof: SendProof;
  settings: SettingReader;
  audit: AuditTrail;
  links: Links;
  secrets: Secrets;
}): RegistrationProofs {
  const { database, addresses, pins, budgets, sendProof, settings, audit, links, secrets } = deps;

  const requireMedium = () => requireRegistrationMedium(settings);

  const filterOf = (operationId: string, medium: Medium) => ({
    operationId,
    purposes: [verificationPurposes[medium]],
    accountId: null,
  });

  /**
   * Returns the operation as the link names it. Anybody may ask for a link, and then knows the operation, but not this.
   * Otherwise they could register with the address as soon as its owner follows the link. Clients may change its case.
   */
  const toLinked = (operationId: string) =>
    `${operationId}.${secrets.mac('registration-link', operationId).toLowerCase()}`;

  const fromLinked = (given: string) => given.split('.')[0] ?? '';

  /** Sends a pin for a taken address too. So the work is the same, and the pin limits bound the notices to its owner. */
  async function sendPin(tx: Tx, { asLink, medium, to, ...operation }: SendRequest, origin: Origin): Promise<SentPin> {
    const budgetSubject = addresses.subjectOf({ medium, to });
    const { frontEnd } = origin;
    const { operationId } = await sendProof(
      tx,
      {
        ...operation,
        purpose: verificationPurposes[medium],
        budgetSubject,
        account: undefined,
        recipient: { subject: budgetSubject, to },
        medium,
        ttlSeconds: settings.read(otpSettings).verificationPinLifetime,
        template: asLink ? verificationLinkMessage : verificationPinMessage,
        link: {
          toPage: (sent) =>
            links.toPage('register', frontEnd, { operation: toLinked(sent.operationId), pin: sent.pin }),
        },
        findAddressHolder: () => addresses.findHolder(tx.sql, { medium, to }),
        record: { action: registrationActions.pinRequested },
      },
      origin,
    );
    return { operationId, sentTo: to };
  }

  return {
    async send({ asLink, ...typed }, origin) {
      if (typed.medium !== requireMedium()) throw registrationErrors.disabled();
      const wanted = { ...addresses.read(typed), asLink };
      return database.transaction((tx) => sendPin(tx, wanted, origin));
    },

    async resend(given, origin) {
      const medium = requireMedium();
      const operationId = fromLinked(given);
      const asked = await pins.find(filterOf(operationId, medium));
      const typed = { medium, to: asked?.address ?? '' };
      // A pin that was requested by an account owner and not sent has no account either. Its subject tells it apart.
      if (asked?.subject !== addresses.subjectOf(typed)) throw pinErrors.invalid();
      const wanted = { ...addresses.read(typed), asLink: false, operationId };
      return database.transaction((tx) => sendPin(tx, wanted, origin));
    },

    async verify({ operationId: given, pin }, origin) {
      const operationId = fromLinked(given);
      const filter = filterOf(operationId, requireMedium());
      const isLinked = given !== operationId;
      if (isLinked && !isSameMac(given, toLinked(operationId))) return false;
      return database.transaction(async (tx) => {
        const { outcome } = await pins.tryPin(tx, filter, pin);
        if (outcome === 'right' && isLinked) await pins.moveProof(tx, operationId, given);
        const tried = { action: registrationActions.pinTried, origin };
        const { reason } = pinErrors.invalid;
        if (outcome === 'right') await audit.record(tx, { ...tried, outcome: 'success' });
        // A try on an invalid pin is not recorded: attackers must not fill the audit trail.
        if (outcome === 'wrong') await audit.record(tx, { ...tried, outcome: 'refused', reason });
        return outcome === 'right';
      });
    },

    async find(operationId, { emailAddress, mobileNumber }) {
      const medium = requireMedium();
      const given = medium === 'email' ? emailAddress : mobileNumber;
      const proof = await pins.findProof(filterOf(operationId, medium));
      const isSame = proof && given && proof.subject === addresses.subjectOf({ medium, to: given });
      if (!isSame) throw registrationErrors.addressNotProven();
      return { medium, to: proof.address };
    },

    async countName(operationId) {
      const allowance = { perDay: MOST_NAMES, cooldownSeconds: 0 };
      const isAllowed = await database.transaction(async (tx) => {
        const { exhaustion, spend } = await budgets.claim(tx, 'tried', `registration:${operationId}`, allowance);
        if (exhaustion === null) await spend();
        return exhaustion === null;
      });
      if (!isAllowed) throw registrationErrors.addressNotProven();
    },

    async take(tx, operationId, address) {
      const proof = await pins.takeProof(tx, filterOf(operationId, address.medium));
      const isProven = proof?.address === address.to;
      if (!isProven || !(await addresses.isFree(tx, address))) throw registrationErrors.addressNotProven();
    },
  };
}
