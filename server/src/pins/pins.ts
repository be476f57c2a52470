// One-time pins: asked for within budgets that known and unknown names share, tried a few times, given right once.
import { addSeconds, type Clock, type Instant, secondsUntil } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import { type Allowance, type Budget, budgetAt, findExhaustion, useOnce } from './budget.ts';
import { pinErrors } from './errors.ts';
import { boundText, generatePin, isSameMac, normalizePin, type Pin, type Purpose, proofsSince } from './pin.ts';
import { otpSettings } from './settings.ts';
import type { BudgetKind, PinFilter, PinStore, SubjectPart } from './store.ts';

/** Pins and budgets are kept this long after they mean nothing any more. */
const PINS_KEPT_SECONDS = 3600;
const BUDGETS_KEPT_SECONDS = 2 * 86_400;
/** A pin that is asked for uses up to four budgets. */
const REMOVAL_BATCH = { pins: 500, budgets: 2000 };

/** Somebody asks for a pin. */
export type PinRequest = {
  purpose: Purpose;
  /**
   * Whom the request names, whether there is such an account or not: its cooldown and daily limit are what the caller is
   * told of.
   */
  asked: string;
  /** The account that is meant, also when it is not reached: wrong tries count against it. */
  accountId: number | null;
  /** Who is to get the pin; null: nobody, and nothing that is visible tells. */
  recipient: Recipient | null;
  /** Whom the pin is about that nobody gets; absent: `asked`. */
  unreached?: string;
  ttlSeconds: number;
  /** Sends a new pin under an operation that there is already. */
  operationId?: string;
};

/** `subject` is whom the pin is about; `addressKey` the folded address, whose budget all spellings share. */
export type Recipient = { subject: string; address: string; addressKey: string };

/** A pin that was made; `pin` is null when nobody is to get one. */
export type IssuedPin = { operationId: string; pin: string | null; expiresAt: Instant };

/** What a try came to. `dead`: it was not even looked at, so that nothing was learned by it. */
export type PinTry = { outcome: 'right'; pin: Pin } | { outcome: 'wrong' } | { outcome: 'dead' };

export interface Pins {
  /**
   * Makes a pin that takes the place of any older one of the same purpose and subject. What the caller can see depends on
   * the name or address `asked` alone; an address or account that was sent a pin a moment ago by another name is quietly
   * sent none. Ends in `pin.cooldown`, `pin.dailyLimit`.
   */
  issue(tx: Tx, request: PinRequest): Promise<IssuedPin>;
  /** The operation of these purposes, whatever its state. */
  find(filter: PinFilter): Promise<Pin | undefined>;
  /** Tries a pin. Of any number of parallel tries at most the allowed number is looked at, and one is right. */
  tryPin(tx: Tx, filter: PinFilter, typed: string): Promise<PinTry>;
  /** The proof that an operation's right pin was, as long as `takeProof` would take it. */
  findProof(filter: PinFilter): Promise<Pin | undefined>;
  /** Takes the proof that an operation's right pin was, once and for 15 minutes. */
  takeProof(tx: Tx, filter: PinFilter): Promise<Pin | undefined>;
  /** Ends the pins of a purpose whose subjects begin or end so. */
  revoke(tx: Tx, purpose: Purpose, subjects: SubjectPart): Promise<void>;
  /** One batch of housekeeping. */
  deleteExpired(): Promise<void>;
}

export function createPins(deps: {
  store: PinStore;
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Pins {
  const { store, settings, secrets, clock, random } = deps;
  const readSettings = () => settings.read(otpSettings);

  /** A budget as it counts now, locked; `spend` writes one more use of it, `keep` none, in the same time. */
  async function claim(tx: Tx, kind: BudgetKind, subject: string, allowance: Allowance) {
    const claimed = await store.claimBudget(tx.sql, kind, subject, clock.now());
    // Only now: whoever held the budget meanwhile has used it later than this was begun.
    const now = clock.now();
    const budget: Budget = budgetAt(claimed, now);
    return {
      exhaustion: findExhaustion(budget, allowance, now),
      spend: () => store.saveBudget(tx.sql, kind, subject, useOnce(budget, now)),
      keep: () => store.saveBudget(tx.sql, kind, subject, budget),
    };
  }

  /** Spends the budgets of an address and its account, if both allow. What nobody is sent takes as long. */
  async function maySend(tx: Tx, request: PinRequest, allowance: Allowance) {
    const { asked, recipient } = request;
    const { addressKey, subject } = recipient ?? { addressKey: asked, subject: null };
    const accountId = recipient ? request.accountId : asked;
    const budgets = [await claim(tx, 'sent', `address:${addressKey}`, allowance)];
    // Whoever asks for the own account has been told of its budget already.
    if (accountId !== null && subject !== asked) {
      const { cooldownSeconds } = allowance;
      budgets.push(await claim(tx, 'sent', `account:${accountId}`, { perDay: Infinity, cooldownSeconds }));
    }
    const isAllowed = budgets.every(({ exhaustion }) => exhaustion === null);
    for (const { spend, keep } of budgets) await (isAllowed ? spend() : keep());
    return isAllowed;
  }

  const macOf = (pin: Omit<Pin, 'mac'>, typed: string) => secrets.mac('pin', boundText(pin, typed));

  return {
    async issue(tx, request) {
      const { purpose, asked, accountId, recipient, ttlSeconds, operationId = random.uuid() } = request;
      const { unreached = asked } = request;
      const now = clock.now();
      const { passwordLength, alphabet, resendCooldown, dailyLimitPerRecipient } = readSettings();
      const allowance = { perDay: dailyLimitPerRecipient, cooldownSeconds: resendCooldown };
      const { exhaustion, spend } = await claim(tx, 'asked', asked, allowance);
      if (exhaustion) {
        throw pinErrors[exhaustion.reason]({ retryAfterSeconds: secondsUntil(exhaustion.until, now) });
      }
      await spend();
      const reached = (await maySend(tx, request, allowance)) ? recipient : null;
      const expiresAt = addSeconds(now, ttlSeconds);
      const bound = {
        operationId,
        purpose,
        subject: reached?.subject ?? unreached,
        accountId,
        address: recipient?.address ?? '',
        createdAt: now,
        expiresAt,
      };
      const pin = generatePin(random, { alphabet, length: passwordLength });
      const mac = macOf(bound, pin);
      await store.replace(tx.sql, { ...bound, mac: reached ? mac : '' });
      return { operationId, pin: reached ? pin : null, expiresAt };
    },

    find: (filter) => store.find(filter),

    async tryPin(tx, filter, typed) {
      const now = clock.now();
      const { maxAttempts, dailyAttemptsPerAccount } = readSettings();
      const pin = await store.takeTry(tx.sql, filter, maxAttempts, now);
      if (!pin) return { outcome: 'dead' };
      const allowance = { perDay: dailyAttemptsPerAccount, cooldownSeconds: 0 };
      const tried = pin.accountId === null ? pin.subject : `account:${pin.accountId}`;
      const { exhaustion, spend } = await claim(tx, 'tried', tried, allowance);
      if (exhaustion) return { outcome: 'dead' };
      if (isSameMac(pin.mac, macOf(pin, normalizePin(typed)))) {
        await store.markRedeemed(tx.sql, pin.operationId, now);
        return { outcome: 'right', pin };
      }
      await spend();
      return { outcome: 'wrong' };
    },

    findProof: (filter) => store.findProof(filter, proofsSince(clock.now())),

    takeProof: (tx, filter) => store.takeProof(tx.sql, filter, proofsSince(clock.now())),

    revoke: (tx, purpose, subjects) => store.deleteOfSubjects(tx.sql, purpose, subjects),

    deleteExpired() {
      const now = clock.now();
      const before = {
        pins: addSeconds(now, -PINS_KEPT_SECONDS),
        budgets: addSeconds(now, -BUDGETS_KEPT_SECONDS),
      };
      return store.deleteExpired(before, REMOVAL_BATCH);
    },
  };
}
