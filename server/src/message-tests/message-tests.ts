// Message tests: what a message looks like, shown on a page or sent to the administrator who asks.
import { type Account, type AccountStore, ownerNames, type VerifiedAddresses } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Budgets } from '../budgets/index.ts';
import {
  isMessageTemplate,
  type Messages,
  type MessageTemplate,
  requireOffered,
  type Values,
  type Words,
} from '../delivery/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Clock, secondsUntil } from '../foundation/clock.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Medium, OfferedMedia } from '../foundation/medium.ts';
import { type Settings, settingErrors } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { messageTestActions, messageTestErrors } from './declarations.ts';

/** Somebody waits for a test. */
const VALID_SECONDS = 600;

/** Each SMS costs money. */
const TESTS_PER_DAY = 50;

/** A message that is tested: the name of its template, texts in place of those in force, and the front end of the brand. */
export type TestedMessage = { readonly name: string; readonly value?: unknown; readonly frontEnd: string };

export interface MessageTests {
  /**
   * Returns the texts of a message with sample values, and the HTML in the brand of the front end. What the message has not
   * is ''. @throws AuthError `setting.notFound`, `request.invalid` if the service would not store these texts.
   */
  preview(message: TestedMessage): Required<Words>;
  /**
   * Sends the message with sample values to the verified address of the administrator. @returns the address.
   * @throws AuthError like `preview`, `message.noOwnAddress`, `message.tooManyTests` and `delivery.notOffered`.
   */
  send(message: TestedMessage, medium: Medium, by: Manager): Promise<string>;
}

export function createMessageTests(deps: {
  database: Database;
  settings: Settings;
  messages: Messages;
  accounts: AccountStore;
  verifiedAddresses: VerifiedAddresses;
  offeredMedia: OfferedMedia;
  budgets: Budgets;
  audit: Pick<AuditTrail, 'record'>;
  /** The public URL. */
  issuer: string;
  clock: Clock;
}): MessageTests {
  const { database, settings, messages, accounts, verifiedAddresses, offeredMedia, budgets, audit, issuer, clock } =
    deps;

  /** No pin, link or code among them is valid. */
  const samples: Values = {
    pin: '123456',
    minutes: '5',
    link: `${issuer}/login`,
    code: 'example',
    name: 'Thandi Mokoena',
    username: 'thandi',
    change: 'Your password was changed.',
    left: '3',
  };

  function read({ name, value }: TestedMessage): { template: MessageTemplate; words: Words } {
    const template = settings.find(name);
    if (!isMessageTemplate(template)) throw settingErrors.notFound();
    const words = value === undefined ? settings.read(template) : (settings.propose(template, value) as Words);
    return { template, words };
  }

  async function charge(tx: Tx, { id }: Account) {
    const allowance = { perDay: TESTS_PER_DAY, cooldownSeconds: 0 };
    const { exhaustion, spend } = await budgets.claim(tx, 'tested', `account:${id}`, allowance);
    if (exhaustion) {
      throw messageTestErrors.tooManyTests({ retryAfterSeconds: secondsUntil(exhaustion.until, clock.now()) });
    }
    await spend();
  }

  return {
    preview: (message) => messages.preview(read(message).words, samples, message.frontEnd),

    async send(message, medium, by) {
      requireOffered(offeredMedia, medium);
      const { template, words } = read(message);
      return database.transaction(async (tx) => {
        await by.authorize(tx);
        // A service key has no address.
        const account = by.actor.id === null ? undefined : await accounts.findIn(tx.sql, by.actor.id);
        const address = account && verifiedAddresses.find(account, medium);
        if (!address) throw messageTestErrors.noOwnAddress();
        await charge(tx, account);
        const { to } = address;
        const values = { ...samples, ...ownerNames(account) };
        const expiresAt = addSeconds(clock.now(), VALID_SECONDS);
        await messages.queue(tx, {
          template,
          words,
          medium,
          to,
          account,
          values,
          frontEnd: message.frontEnd,
          expiresAt,
        });
        await audit.record(tx, {
          action: messageTestActions.tested,
          outcome: 'success',
          user: by.actor,
          origin: by.origin,
          details: { means: medium, template: template.name, to: maskAddress(to) },
        });
        return to;
      });
    },
  };
}
