// Webhooks, as a slice of the service.
import type { Dispatcher } from '../foundation/dispatcher.ts';
import { webhookActions, webhookErrors } from './declarations.ts';
import { webhookRoutes } from './routes.ts';
import type { Webhooks } from './webhooks.ts';

export const webhooksSlice = {
  declarations: { errors: [webhookErrors], actions: [webhookActions] },
  create: ({ webhooks, deliveries }: { webhooks: Webhooks; deliveries: Dispatcher<string> }) => ({
    routes: webhookRoutes(webhooks),
    jobs: [webhooks.correctDueTimes, webhooks.deleteExpired, webhooks.tellHead],
    duty: deliveries,
  }),
};
