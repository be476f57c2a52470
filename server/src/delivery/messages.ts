// Messages: rendered, sealed and stored in the transaction of the change that they report, so that both commit or neither.
import type { Clock, Instant } from '../foundation/clock.ts';
import type { Medium, OfferedMedia } from '../foundation/medium.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import type { OutgoingMessage } from './channel.ts';
import { frameHtml, type MessageBrand } from './html-frame.ts';
import { OUTBOX } from './outbox.ts';
import { type AllowsOrigin, findExposed } from './secret-places.ts';
import type { MessageStore, NewMessage, StoredMessage } from './store.sql.ts';
import { escapeHtml, fillIn, type MessageTemplate, type Values, type Words } from './template.ts';

/** How long the service tries to send a notice to an account owner, in seconds. */
export const NOTICE_SECONDS = 86_400;

/** A message to a person. */
export type MessageRequest = {
  template: MessageTemplate;
  medium: Medium;
  /** Null: the service sends nothing, and takes the same time. */
  to: string | null;
  /**
   * The account that the message concerns. If its roles grant permissions of this service, it gets the built-in texts and
   * the name of the application: administrators who may change texts and brands may hold less.
   */
  account: { readonly id: number; readonly roleNames: readonly string[] } | null;
  /** The texts of a test, in place of all others. */
  words?: Words | undefined;
  values: Values;
  /** The front end whose brand the message shows. */
  frontEnd: string;
  /** The service never sends the message after this. */
  expiresAt: Instant;
};

/** The sealed part of a message. */
type Content = Pick<OutgoingMessage, 'text' | 'subject' | 'html'>;

/** A message of the development outbox. */
export type ShownMessage = Content & Pick<StoredMessage, 'id' | 'means' | 'template' | 'recipient' | 'createdAt'>;

const SEAL = 'message';

/** What the outbox shows of a message that this service cannot open. */
const UNOPENED: Content = { text: 'This message was sealed with another LATCHKEY_SECRET, and cannot be shown.' };

export interface Messages {
  /** Queues a message. The service sends it after the transaction is durable, unless its medium is off. */
  queue(tx: Tx, request: MessageRequest): Promise<void>;
  /** Returns the texts that a message would have for a person without permissions. A missing text is ''. */
  preview(request: Pick<MessageRequest, 'template' | 'words' | 'values' | 'frontEnd'>): Required<Words>;
  /** Returns the messages in the development outbox, newest first, without those of `hidden` accounts. */
  listOutbox(
    hidden: readonly number[],
    page: { skip: number; take: number },
  ): Promise<{ messages: ShownMessage[]; total: number }>;
  /** Unseals a stored message for its channel. */
  open(message: NewMessage): OutgoingMessage;
}

export function createMessages(deps: {
  store: MessageStore;
  settings: SettingReader;
  /** Returns the name and the colour that a front end shows, or those of the application. */
  findBrand: (frontEnd: string | null) => MessageBrand;
  /** Whether these roles grant a permission of this service. */
  grantPermissions: (roleNames: readonly string[]) => boolean;
  allowsOrigin: AllowsOrigin;
  offeredMedia: OfferedMedia;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Messages {
  const { store, settings, findBrand, offeredMedia, secrets, clock, random } = deps;

  /** Returns the texts of the setting, unless they would give a secret away: an older version may have stored them. */
  function readWords(template: MessageTemplate) {
    const words = settings.read(template);
    return findExposed({ ...words }, deps.allowsOrigin).length === 0 ? words : template.default;
  }

  function render({ template, medium, account, words: own, values, frontEnd }: MessageRequest): Content {
    const isBuiltIn = own === undefined && account !== null && deps.grantPermissions(account.roleNames);
    const words = own ?? (isBuiltIn ? template.default : readWords(template));
    const { sms, html, ...mail } = fill(words, findBrand(isBuiltIn ? null : frontEnd), values);
    return medium === 'sms' ? { text: sms } : { ...mail, ...(html !== '' && { html }) };
  }

  const readContent = ({ sealedContent }: NewMessage): Content => JSON.parse(secrets.unseal(SEAL, sealedContent));

  return {
    async queue(tx, request) {
      const { template, medium, to, account, expiresAt } = request;
      const message = {
        id: random.uuid(),
        means: medium,
        template: template.name,
        recipient: to ?? '',
        accountId: account?.id ?? null,
        sealedContent: secrets.seal(SEAL, JSON.stringify(render(request))),
        createdAt: clock.now(),
        expiresAt,
      };
      await store.add(tx.sql, message, to === null || !offeredMedia[medium] ? 'dropped' : 'queued');
    },

    preview: ({ template, words, values, frontEnd }) => fill(words ?? readWords(template), findBrand(frontEnd), values),

    async listOutbox(hidden, page) {
      const { messages, total } = await store.list(OUTBOX, hidden, page);
      const show = ({ sealedContent }: NewMessage): Content => {
        const text = secrets.tryUnseal(SEAL, sealedContent);
        return text === undefined ? UNOPENED : JSON.parse(text);
      };
      return { messages: messages.map((message) => ({ ...message, ...show(message) })), total };
    },

    open: (message) => ({ id: message.id, to: message.recipient, ...readContent(message) }),
  };
}

/** Returns the texts with the values of their placeholders, and the HTML in its frame. */
function fill({ sms = '', subject = '', text = '', html = '' }: Words, brand: MessageBrand, values: Values) {
  const filled = { application: brand.name, ...values };
  return {
    sms: fillIn(sms, filled),
    subject: fillIn(subject, filled),
    text: fillIn(text, filled),
    html: html === '' ? '' : frameHtml(fillIn(html, filled, escapeHtml), brand),
  };
}
