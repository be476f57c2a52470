// The audit trail, as a slice of the service.
import type { AuditRetention } from './retention.ts';
import { auditRoutes } from './routes.ts';
import { auditSettings } from './settings.ts';
import type { AuditTrail } from './trail.ts';

export const auditDefinitions = { settings: [auditSettings] };

export const createAuditSlice = ({ audit, auditRetention }: { audit: AuditTrail; auditRetention: AuditRetention }) => ({
  routes: auditRoutes(audit),
  jobs: [auditRetention.deleteExpired],
});
