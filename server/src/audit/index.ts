// The audit trail: who did what, from where, when, and with what outcome.
export { createAuditRetention } from './retention.ts';
export { auditDefinitions, createAuditSlice } from './slice.ts';
export { createAuditStore } from './store.sql.ts';
export { type AuditTrail, createAuditTrail } from './trail.ts';
