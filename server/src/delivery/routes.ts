// The endpoints of delivery: the means that are on, and the development outbox.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { NamedObject, Nullable, PagedItems, paging, toPage } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import { requestErrors } from '../foundation/errors.ts';
import type { OfferedMedia } from '../foundation/medium.ts';
import type { MessageDispatcher } from './message-dispatcher.ts';
import type { Messages } from './messages.ts';
import { OUTBOX } from './outbox.ts';

const OutboxMessageDto = NamedObject('OutboxMessageDto', {
  id: Type.String(),
  at: Type.String({ format: 'date-time' }),
  means: Type.Union([Type.Literal('email'), Type.Literal('sms')]),
  to: Type.String(),
  subject: Nullable(Type.String()),
  text: Type.String(),
  html: Nullable(Type.String()),
});

export type DeliveryRouteDeps = {
  messages: Messages;
  messageDispatcher: MessageDispatcher;
  offeredMedia: OfferedMedia;
  /** Finds the accounts that hold more permissions of this service than these. */
  findAbove: (held: readonly string[]) => Promise<readonly number[]>;
};

export function deliveryRoutes({ messages, messageDispatcher, offeredMedia, findAbove }: DeliveryRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Delivery/GetMeans',
      summary: 'Whether the service sends e-mail and SMS. A call that needs a means that is off answers 400.',
      access: 'public',
      result: NamedObject('OfferedMeans', { email: Type.Boolean(), sms: Type.Boolean() }),
      handle: async () => offeredMedia,
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Outbox/GetAll',
      summary:
        'List the messages in the development outbox, newest first, without those of accounts that hold more permissions than the caller. 404 if every means has a gateway.',
      access: 'pages:maintenance',
      query: Type.Object(paging),
      result: PagedItems(OutboxMessageDto),
      async handle({ input, caller }) {
        if (Object.values(messageDispatcher.channels).every(({ name }) => name !== OUTBOX))
          throw requestErrors.notFound();
        const { messages: shown, total } = await messages.listOutbox(await findAbove(caller.held), toPage(input));
        const items = shown.map(({ id, createdAt, means, recipient, subject, text, html }) => ({
          id,
          at: toIsoString(createdAt),
          means,
          to: recipient,
          subject: subject ?? null,
          text,
          html: html ?? null,
        }));
        return { items, totalCount: total };
      },
    }),
  ];
}
