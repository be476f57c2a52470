// The calls with which administrators manage webhooks.
import { type Static, Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { Items, NamedObject, Nullable, Text, Uuid } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import { toIsoString } from '../foundation/clock.ts';
import type { Delivery } from './store.sql.ts';
import type { Webhook } from './webhook.ts';
import type { Webhooks } from './webhooks.ts';

const members = {
  url: Text({ minLength: 1, maxLength: 2000, description: 'https, on the public internet.' }),
  actions: Type.Array(Text({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Actions of the audit trail: signIn.password, signIn.* for a group, or * for all.',
  }),
  isEnabled: Type.Optional(Type.Boolean({ description: 'Of a new webhook, true by default.' })),
  description: Type.Optional(Text({ maxLength: 1000 })),
};

/** The input for a new webhook. The command line checks it too. */
export const WebhookMembers = Type.Object(members);

const dto = {
  id: Type.String(),
  url: Type.String(),
  actions: Type.Array(Type.String()),
  description: Type.String(),
  isEnabled: Type.Boolean(),
  disabledBecause: Nullable(
    Type.Enum(['gone', 'failing'], {
      description: 'Why the service has disabled it: the receiver answered 410, or failed for five days.',
    }),
  ),
  failingSince: Nullable(Type.String({ format: 'date-time', description: 'Since when every try has failed.' })),
  fullSince: Nullable(
    Type.String({ format: 'date-time', description: 'Since when it gets no new events, because 100,000 wait.' }),
  ),
  createdAt: Type.String({ format: 'date-time' }),
};
const WebhookDto = NamedObject('WebhookDto', dto);

const WebhookDeliveryDto = NamedObject('WebhookDeliveryDto', {
  id: Type.String(),
  eventId: Type.String({ description: 'The header webhook-id, the same at every try.' }),
  type: Type.String(),
  at: Type.String({ format: 'date-time' }),
  state: Type.Enum(['queued', 'sent', 'failed']),
  tries: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'The HTTP status of the last answer.' })),
  durationMs: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  nextTryAt: Nullable(Type.String({ format: 'date-time' })),
});

const toDto = (webhook: Webhook): Static<typeof WebhookDto> => ({
  id: webhook.id,
  url: webhook.url,
  actions: [...webhook.actions],
  description: webhook.description,
  isEnabled: webhook.isEnabled,
  disabledBecause: webhook.disabledBecause,
  failingSince: webhook.failingSince === null ? null : toIsoString(webhook.failingSince),
  fullSince: webhook.fullSince === null ? null : toIsoString(webhook.fullSince),
  createdAt: toIsoString(webhook.createdAt),
});

const toDeliveryDto = (delivery: Delivery): Static<typeof WebhookDeliveryDto> => ({
  id: delivery.id,
  eventId: delivery.eventId,
  type: delivery.type,
  at: toIsoString(delivery.createdAt),
  state: delivery.state,
  tries: delivery.tries,
  status: delivery.lastStatus,
  durationMs: delivery.lastDurationMs,
  error: delivery.lastError,
  // A test is due before it was queued.
  nextTryAt:
    delivery.state === 'queued'
      ? toIsoString(delivery.dueAt > delivery.createdAt ? delivery.dueAt : delivery.createdAt)
      : null,
});

export function webhookRoutes(webhooks: Webhooks): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Webhook/GetAll',
      summary: 'List the webhooks, the oldest first. Their secrets are not shown again.',
      access: 'pages:maintenance',
      result: Items(WebhookDto),
      handle: async () => ({ items: (await webhooks.list()).map(toDto) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Webhook/Create',
      summary: 'Make a webhook, which receives events. The answer has the secret that signs them, which is shown once.',
      access: 'pages:maintenance',
      body: WebhookMembers,
      result: NamedObject('NewWebhook', { ...dto, secret: Type.String() }),
      async handle({ input, ...call }) {
        const { webhook, secret } = await webhooks.create(input, toManager(call));
        return { ...toDto(webhook), secret };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/services/app/Webhook/Update',
      summary:
        'Change a webhook. Absent members stay as they are. While it is disabled, it gets no new events, and those that wait are kept for a week.',
      access: 'pages:maintenance',
      body: Type.Object({ id: Uuid, ...Type.Partial(WebhookMembers).properties }),
      result: WebhookDto,
      handle: async ({ input: { id, ...input }, ...call }) =>
        toDto(await webhooks.update(id.toLowerCase(), input, toManager(call))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/services/app/Webhook/Delete',
      summary: 'Delete a webhook, and the events that wait for it.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: Type.Boolean(),
      async handle({ input, ...call }) {
        await webhooks.remove(input.id.toLowerCase(), toManager(call));
        return true;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Webhook/RotateSecret',
      summary:
        'Give a webhook another secret. For 24 hours both sign. Another rotation in that time ends the former one at once.',
      access: 'pages:maintenance',
      body: Type.Object({ id: Uuid }),
      result: NamedObject('WebhookSecret', { secret: Type.String() }),
      handle: async ({ input, ...call }) => ({
        secret: await webhooks.rotateSecret(input.id.toLowerCase(), toManager(call)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Webhook/SendTest',
      summary: 'Send the event webhook.test to a webhook. The list of deliveries tells what came of it.',
      access: 'pages:maintenance',
      body: Type.Object({ id: Uuid }),
      result: NamedObject('QueuedDelivery', { deliveryId: Type.String() }),
      handle: async ({ input, ...call }) => ({
        deliveryId: await webhooks.sendTest(input.id.toLowerCase(), toManager(call)),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/services/app/Webhook/GetDeliveries',
      summary: 'List the last 100 deliveries to a webhook, newest first.',
      access: 'pages:maintenance',
      query: Type.Object({ id: Uuid }),
      result: Items(WebhookDeliveryDto),
      handle: async ({ input }) => ({
        items: (await webhooks.listDeliveries(input.id.toLowerCase())).map(toDeliveryDto),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Webhook/Redeliver',
      summary: 'Deliver an event again, with the same webhook-id.',
      access: 'pages:maintenance',
      body: Type.Object({ deliveryId: Uuid }),
      result: Type.Boolean(),
      async handle({ input, ...call }) {
        await webhooks.redeliver(input.deliveryId.toLowerCase(), toManager(call));
        return true;
      },
    }),
  ];
}
