// Webhooks: events for other systems.
export { createDeliveries } from './deliveries.ts';
export { WebhookMembers } from './routes.ts';
export { webhooksSlice } from './slice.ts';
export { createWebhookStore } from './store.sql.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';
