// The errors and audit actions of webhooks.
import { defineErrors } from '../foundation/errors.ts';
import { defineActions } from '../foundation/events.ts';

/** Why a call about a webhook is refused. */
export const webhookErrors = defineErrors('webhook', {
  notFound: { status: 404, message: 'There is no webhook with this id.' },
  deliveryNotFound: {
    status: 404,
    message: 'There is no delivery with this id. The last 100 of each webhook are kept.',
  },
  disabled: { status: 409, message: 'This webhook is disabled. Enable it first.' },
  tooMany: { status: 409, message: 'There are as many webhooks as the service allows. Delete one first.' },
});

/** What happens to webhooks. Details hold the id and the host: the rest of an address may be a secret. */
export const webhookActions = defineActions('webhook', {
  created: 'An administrator made a webhook, which sends events to another system.',
  updated: 'An administrator changed a webhook.',
  deleted: 'An administrator deleted a webhook, with the events that waited for it.',
  secretRotated: 'An administrator gave a webhook another secret. The former one also signs for a day.',
  tested: 'An administrator sent a test to a webhook.',
  redelivered: 'An administrator let a webhook send an event again.',
  disabled: 'The service disabled a webhook: its receiver is gone, or has failed for five days.',
  full: 'The service queues no new events for a webhook for now: 100,000 wait.',
});
