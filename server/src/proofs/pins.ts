// One-time pins: issues them within budgets that apply equally to known and unknown names, and verifies them once.
import { nameKey } from '../accounts/index.ts';
import type { Allowance, Budgets } from '../budgets/index.ts';
import { addSeconds, type Clock, type Instant, secondsUntil } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import { pinErrors } from './declarations.ts';
import {
  boundText,
  type DrawPin,
  generatePin,
  isSameMac,
  type Pin,
  type PinForm,
  type Purpose,
  proofsSince,
  readPin,
} from './pin.ts';
import { otpSettings } from './settings.ts';
import type { PinFilter, PinStore, SubjectPart } from './store.sql.ts';

/** The service deletes pins this long after they expire. */
const KEPT_SECONDS = 3600;
const REMOVAL_BATCH = 500;

/** A request for a pin. */
export type PinRequest = {
  purpose: Purpose;
  /** The subject that the request names, with or without an account. The caller sees its cooldown and daily limit. */
  budgetSubject: string;
  /** The account that the name stands for, even if the service sends it no pin. Wrong tries count against it. */
  accountId: number | null;
  /** Who gets the pin. If null, the service sends no pin, and the caller cannot tell. */
  recipient: Recipient | null;
  /** The subject of a pin that is not sent. By default `budgetSubject`. */
  decoySubject?: string;
  ttlSeconds: number;
  /** Issues the new pin under this existing operation. */
  operationId?: string;
};

/** The subject of the pin, and the address that it goes to. */
export type Recipient = { readonly subject: string; readonly to: string };

/** An issued pin. `pin` is null when it must not be sent. */
export type IssuedPin = { operationId: string; pin: string | null; expiresAt: Instant };

/**
 * The result of a try. `dead` means that the service did not compare the pin, so the try reveals nothing about it: there
 * is no such pin any more, or the text is none. A text that no pin can be costs no try.
 */
export type PinTry = { outcome: 'right'; pin: Pin } | { outcome: 'wrong' } | { outcome: 'dead' };

export interface Pins {
  /**
   * Issues a pin that replaces any older one of the same purpose and subject. What the caller can observe depends only on
   * `budgetSubject`. If the cooldown or daily limit of the address or account is reached under another name, `pin` is null.
   * @throws AuthError `pin.cooldown`, `pin.dailyLimit`.
   */
  issue(tx: Tx, request: PinRequest): Promise<IssuedPin>;
  /** Finds a pin in any state. */
  find(filter: PinFilter): Promise<Pin | undefined>;
  /** Whether a try of this text would be compared. Locks nothing: callers ask before they lock an account for a stranger. */
  canTry(filter: PinFilter, typed: string): Promise<boolean>;
  /**
   * Tries a pin. Of concurrent tries, at most the allowed number are compared, and at most one is right.
   * @param mayBeRight false if the caller has named another account or address: the try then counts, and is wrong.
   */
  tryPin(tx: Tx, filter: PinFilter, typed: string, mayBeRight?: boolean): Promise<PinTry>;
  /** Finds a redeemed pin, as long as `takeProof` accepts it. */
  findProof(filter: PinFilter): Promise<Pin | undefined>;
  /** Takes a redeemed pin as the proof of its address: once, within 15 minutes. */
  takeProof(tx: Tx, filter: PinFilter): Promise<Pin | undefined>;
  /** Gives a redeemed pin another operation id. The former one proves nothing any more. */
  moveProof(tx: Tx, operationId: string, to: string): Promise<void>;
  /** Revokes the pins of a purpose by the beginning or end of their subjects. */
  revoke(tx: Tx, purpose: Purpose, subjects: SubjectPart): Promise<void>;
  /** Revokes all pins of these accounts. */
  revokeOfAccounts(tx: Tx, accountIds: readonly number[]): Promise<void>;
  /** Cleanup job: deletes one batch of expired pins. */
  deleteExpired(): Promise<void>;
}

/**
 * Returns the subject of the budget of messages to an address, which all of its spellings share. It does not tell the address,
 * and so the budget stays when the owner is erased. Otherwise an attacker could register and erase an account again and again.
 */
export const addressSubject = (secrets: Pick<Secrets, 'mac'>, to: string) =>
  `address:${secrets.mac('budget', nameKey(to))}`;

export function createPins(deps: {
  store: PinStore;
  budgets: Budgets;
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  drawPin?: DrawPin | undefined;
}): Pins {
  const { store, budgets, settings, secrets, clock, random, drawPin = (form) => generatePin(random, form) } = deps;
  const { claim } = budgets;
  const readSettings = () => settings.read(otpSettings);
  const readForm = (): PinForm => {
    const { alphabet, passwordLength: length } = readSettings();
    return { alphabet, length };
  };

  /** Spends the budgets of an address and its account if both allow it. A request without recipient does the same work. */
  async function maySend(tx: Tx, request: PinRequest, allowance: Allowance) {
    const { budgetSubject, recipient } = request;
    const accountId = recipient ? request.accountId : budgetSubject;
    const address = recipient ? addressSubject(secrets, recipient.to) : `address:${budgetSubject}`;
    const claims = [await claim(tx, 'sent', address, allowance)];
    // A caller who names their own account has already spent its budget under `budgetSubject`.
    if (accountId !== null && recipient?.subject !== budgetSubject) {
      const { cooldownSeconds } = allowance;
      claims.push(await claim(tx, 'sent', `account:${accountId}`, { perDay: Infinity, cooldownSeconds }));
    }
    const isAllowed = claims.every(({ exhaustion }) => exhaustion === null);
    for (const { spend, keep } of claims) await (isAllowed ? spend() : keep());
    return isAllowed;
  }

  const macOf = (pin: Omit<Pin, 'mac'>, typed: string) => secrets.mac('pin', boundText(pin, typed));

  return {
    async issue(tx, request) {
      const { purpose, budgetSubject, accountId, recipient, ttlSeconds, operationId = random.uuid() } = request;
      const { decoySubject = budgetSubject } = request;
      const now = clock.now();
      const { resendCooldown, dailyLimitPerRecipient } = readSettings();
      const allowance = { perDay: dailyLimitPerRecipient, cooldownSeconds: resendCooldown };
      const { exhaustion, spend } = await claim(tx, 'asked', budgetSubject, allowance);
      if (exhaustion) {
        throw pinErrors[exhaustion.reason]({ retryAfterSeconds: secondsUntil(exhaustion.until, now) });
      }
      await spend();
      const sendTo = (await maySend(tx, request, allowance)) ? recipient : null;
      const expiresAt = addSeconds(now, ttlSeconds);
      const bound = {
        operationId,
        purpose,
        subject: sendTo?.subject ?? decoySubject,
        accountId,
        address: recipient?.to ?? '',
        createdAt: now,
        expiresAt,
      };
      const pin = drawPin(readForm());
      const mac = macOf(bound, pin);
      await store.replace(tx.sql, { ...bound, mac: sendTo ? mac : '' });
      return { operationId, pin: sendTo ? pin : null, expiresAt };
    },

    find: (filter) => store.find(filter),

    canTry: async (filter, typed) =>
      readPin(typed, readForm()) !== undefined && store.hasTry(filter, readSettings().maxAttempts, clock.now()),

    async tryPin(tx, filter, typed, mayBeRight = true) {
      const given = readPin(typed, readForm());
      if (given === undefined) return { outcome: 'dead' };
      const now = clock.now();
      const { maxAttempts, dailyAttemptsPerAccount } = readSettings();
      const pin = await store.takeTry(tx.sql, filter, maxAttempts, now);
      if (!pin) return { outcome: 'dead' };
      const allowance = { perDay: dailyAttemptsPerAccount, cooldownSeconds: 0 };
      const triedSubject = pin.accountId === null ? pin.subject : `account:${pin.accountId}`;
      const { exhaustion, spend } = await claim(tx, 'tried', triedSubject, allowance);
      if (exhaustion) return { outcome: 'dead' };
      if (isSameMac(pin.mac, macOf(pin, given)) && mayBeRight) {
        await store.markRedeemed(tx.sql, pin.operationId, now);
        return { outcome: 'right', pin };
      }
      await spend();
      return { outcome: 'wrong' };
    },

    findProof: (filter) => store.findProof(filter, proofsSince(clock.now())),

    takeProof: (tx, filter) => store.takeProof(tx.sql, filter, proofsSince(clock.now())),

    moveProof: (tx, operationId, to) => store.move(tx.sql, operationId, to),

    revoke: (tx, purpose, subjects) => store.deleteOfSubjects(tx.sql, purpose, subjects),

    revokeOfAccounts: (tx, accountIds) => store.deleteOfAccounts(tx.sql, accountIds),

    deleteExpired: () => store.deleteExpired(addSeconds(clock.now(), -KEPT_SECONDS), REMOVAL_BATCH),
  };
}
