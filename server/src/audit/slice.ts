// The endpoint, setting and cleanup job of the audit trail.
import type { AuditRetention } from './retention.ts';
import { auditRoutes } from './routes.ts';
import { auditSettings } from './settings.ts';
import type { AuditTrail } from './trail.ts';

export const auditDefinitions = { settings: [auditSettings] };

export const createAuditSlice = ({ audit, auditRetention }: { audit: AuditTrail; auditRetention: AuditRetention }) => ({
  routes: auditRoutes(audit),
  jobs: [auditRetention.deleteExpired],
});
