// Audit: who did what, from where, when, and with what outcome.
export { auditRoutes } from './routes.ts';
export { createAuditStore } from './store.sql.ts';
export { type AuditTrail, createAuditTrail, type RepeatableRefusal } from './trail.ts';
