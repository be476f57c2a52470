// Audit: who did what, from where, when, and with what outcome.
export { createAuditRetention } from './retention.ts';
export { auditRoutes } from './routes.ts';
export { auditSettings } from './settings.ts';
export { createAuditStore } from './store.sql.ts';
export { type AuditTrail, createAuditTrail, type RepeatableRefusal } from './trail.ts';
