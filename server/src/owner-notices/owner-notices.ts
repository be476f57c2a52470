// Owner notices: messages that tell an account owner what has changed, so that an attacker cannot change it unnoticed.
import { type Account, type AccountStore, ownerNames, type VerifiedAddresses } from '../accounts/index.ts';
import type { Budgets } from '../budgets/index.ts';
import {
  type Messages,
  type MessageTemplate,
  NOTICE_SECONDS,
  type NoticeTemplate,
  type Values,
} from '../delivery/index.ts';
import { inRounds } from '../foundation/batch.ts';
import { addSeconds, type Clock, type Instant } from '../foundation/clock.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { DEFAULT_FRONT_END } from '../front-ends/index.ts';
import { addressSubject, otpSettings } from '../proofs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { addChange, describeChanges, isDue, nextNoticeAt } from './notice.ts';
import type { NoticeAddress, NoticeStore } from './store.sql.ts';
import { accountChangesMessage } from './templates.ts';

/**
 * Tells every verified address of the account what has changed, or only the one for `medium`. The template may use
 * `{{name}}`, `{{username}}` and the placeholders of `values`. It shows the brand of `frontEnd`, or of Default UI.
 *
 * The first message goes at once, and urgent ones always do. What else changes in the next minutes waits for one message
 * about all of it. So does what a number is not told today, because it has got its messages of the day.
 */
export type NotifyOwner = (
  tx: Tx,
  account: Account,
  template: NoticeTemplate,
  options?: { readonly medium?: Medium; readonly values?: Values; readonly frontEnd?: string },
) => Promise<void>;

export interface OwnerNotices {
  readonly notifyOwner: NotifyOwner;
  /** Job: queues the messages about changes that have waited long enough. */
  sendWaiting(): Promise<void>;
}

export function createOwnerNotices(deps: {
  database: Database;
  store: NoticeStore;
  accounts: AccountStore;
  verifiedAddresses: VerifiedAddresses;
  messages: Messages;
  budgets: Budgets;
  settings: SettingReader;
  secrets: Secrets;
  clock: Clock;
}): OwnerNotices {
  const { database, store, accounts, verifiedAddresses, messages, budgets, settings, secrets, clock } = deps;

  /** Charges an SMS to the daily budget of its number. @returns until when the number gets none, or null if it is charged. */
  async function charge(tx: Tx, { medium, to }: NoticeAddress): Promise<Instant | null> {
    if (medium !== 'sms') return null;
    const allowance = { perDay: settings.read(otpSettings).dailyLimitPerRecipient, cooldownSeconds: 0 };
    const { exhaustion, spend } = await budgets.claim(tx, 'sent', addressSubject(secrets, to), allowance);
    if (exhaustion) return exhaustion.until;
    await spend();
    return null;
  }

  async function queue(
    tx: Tx,
    account: Account,
    { medium, to }: NoticeAddress,
    message: { template: MessageTemplate; values: Values; frontEnd: string },
  ) {
    const values = { ...ownerNames(account), ...message.values };
    const expiresAt = addSeconds(clock.now(), NOTICE_SECONDS);
    await messages.queue(tx, { ...message, values, medium, to, account, expiresAt });
  }

  const sendWaitingTo = (address: NoticeAddress) =>
    database.transaction(async (tx) => {
      const now = clock.now();
      // Lock the account before the notice, like its deletion: the other order would deadlock with it.
      const account = await accounts.findForUpdate(tx.sql, address.accountId);
      const taken = account && (await store.takeDue(tx.sql, address, now));
      if (!taken || taken.waiting.length === 0) return;
      const { waiting, frontEnd } = taken;
      const waitsUntil = await charge(tx, address);
      if (waitsUntil !== null) return store.save(tx.sql, address, { waiting, frontEnd, dueAt: waitsUntil });
      const values = { change: describeChanges(waiting, address.medium) };
      await queue(tx, account, address, { template: accountChangesMessage, values, frontEnd });
      await store.save(tx.sql, address, { waiting: [], frontEnd, dueAt: nextNoticeAt(now) });
    });

  return {
    async notifyOwner(tx, account, template, { medium: only, values = {}, frontEnd = DEFAULT_FRONT_END } = {}) {
      for (const { medium, to } of verifiedAddresses.list(account)) {
        if (only !== undefined && only !== medium) continue;
        const address = { accountId: account.id, medium, to };
        const { waiting, dueAt } = await store.claim(tx.sql, address, frontEnd);
        const now = clock.now();
        const maySend = template.isUrgent || (waiting.length === 0 && isDue(dueAt, now));
        const waitsUntil = maySend ? await charge(tx, address) : dueAt;
        if (waitsUntil !== null) {
          const changes = addChange(waiting, values.change ?? template.change);
          await store.save(tx.sql, address, { waiting: changes, frontEnd, dueAt: waitsUntil });
          continue;
        }
        await queue(tx, account, address, { template, values: { change: template.change, ...values }, frontEnd });
        if (!template.isUrgent) await store.save(tx.sql, address, { waiting, frontEnd, dueAt: nextNoticeAt(now) });
      }
    },

    async sendWaiting() {
      await inRounds((most) => store.deleteIdle(clock.now(), most));
      await inRounds(async (most) => {
        const due = await store.findDue(clock.now(), most);
        for (const address of due) await sendWaitingTo(address);
        return due.length;
      });
    },
  };
}
