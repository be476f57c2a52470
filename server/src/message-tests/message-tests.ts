// Message tests: what a message looks like, shown on a page or sent to the administrator who asks.
import { type Account, type AccountStore, ownerNames, type VerifiedAddresses } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Budgets } from '../budgets/index.ts';
import {
  isMessageTemplate,
  type Messages,
  type MessageTemplate,
  requireOffered,
  requireUnexposed,
  type Values,
  type Words,
} from '../delivery/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { addSeconds, type Clock, secondsUntil } from '../foundation/clock.ts';
import { invalidMember } from '../foundation/errors.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Address, Medium, OfferedMedia } from '../foundation/medium.ts';
import { requireAll } from '../foundation/permissions.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Links } from '../front-ends/index.ts';
import { addressSubject, otpSettings } from '../proofs/index.ts';
import { type Settings, settingErrors } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { messageTestActions, messageTestErrors } from './declarations.ts';

/** An administrator waits for it. */
// Mutation: `600` becomes `601`. It is sent at once.
const VALID_SECONDS = 600;

const MAILS_PER_DAY = 50;

/** A message that is tested: the name of its template, texts in place of those in force, and the front end of the brand. */
export type TestedMessage = { readonly name: string; readonly value?: unknown; readonly frontEnd: string };

export interface MessageTests {
  /**
   * Returns the texts of a message with sample values, and the HTML in the brand of the front end. A missing text is ''.
   * @throws AuthError `setting.notFound`, `request.invalid` if the service would not store these texts.
   */
  preview(message: TestedMessage): Required<Words>;
  /**
   * Sends the message with sample values to the verified address of the administrator. Texts of their own for a message with a
   * secret take every permission, as storing them does. @returns the address.
   * @throws AuthError like `preview`, `request.invalid` if the message has no text for the medium, `permission.denied`,
   *   `message.noOwnAddress`, `message.tooManyTests` and `delivery.notOffered`.
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
  links: Pick<Links, 'allows'>;
  budgets: Budgets;
  audit: Pick<AuditTrail, 'record'>;
  secrets: Secrets;
  /** The public URL. */
  issuer: string;
  clock: Clock;
}): MessageTests {
  const { database, settings, messages, accounts, verifiedAddresses, budgets, audit, clock } = deps;

  /** No pin, link or code among them is valid. */
  const samples: Values = {
    pin: '123456',
    minutes: '5',
    link: `${deps.issuer}/login`,
    code: 'example',
    name: 'Thandi Mokoena',
    username: 'thandi',
    change: 'Your password was changed.',
    left: '3',
  };

  /** Returns the template, and the texts in place of its own. */
  function read({ name, value }: TestedMessage): { template: MessageTemplate; words?: Words } {
    const template = settings.find(name);
    if (!isMessageTemplate(template)) throw settingErrors.notFound();
    if (value === undefined) return { template };
    // The schema of a template is that of its texts.
    const words = settings.propose(template, value) as Words;
    requireUnexposed({ ...words }, deps.links.allows);
    return { template, words };
  }

  /** Counts an SMS against the number, as every other one: each costs money. */
  async function charge(tx: Tx, account: Account, { medium, to }: Address) {
    const { dailyLimitPerRecipient } = settings.read(otpSettings);
    const { exhaustion, spend } =
      medium === 'sms'
        ? await budgets.claim(tx, 'sent', addressSubject(deps.secrets, to), daily(dailyLimitPerRecipient))
        : await budgets.claim(tx, 'tested', `account:${account.id}`, daily(MAILS_PER_DAY));
    if (exhaustion) {
      throw messageTestErrors.tooManyTests({ retryAfterSeconds: secondsUntil(exhaustion.until, clock.now()) });
    }
    await spend();
  }

  return {
    preview: (message) => messages.preview({ ...read(message), values: samples, frontEnd: message.frontEnd }),

    async send(message, medium, by) {
      requireOffered(deps.offeredMedia, medium);
      const { template, words } = read(message);
      if (!(words ?? template.default)[medium === 'sms' ? 'sms' : 'text']) throw noText(medium);
      return database.transaction(async (tx) => {
        const held = await by.authorize(tx);
        if (words && template.isGuarded) requireAll(held);
        // A service key has no address.
        // Mutation: `by.actor.id === null ? undefined : await accounts.findIn(tx.sql, by.actor.id)` becomes `await accounts.findIn(tx.sql, by.actor.id)`. No account has the id null.
        const account = by.actor.id === null ? undefined : await accounts.findIn(tx.sql, by.actor.id);
        const address = account && verifiedAddresses.find(account, medium);
        if (!address) throw messageTestErrors.noOwnAddress();
        await charge(tx, account, address);
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

const daily = (perDay: number) => ({ perDay, cooldownSeconds: 0 });

const noText = (medium: Medium) =>
  invalidMember('means', `This message has no text for ${medium === 'sms' ? 'SMS' : 'e-mail'}.`);
