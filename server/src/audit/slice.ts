// The audit trail, as a slice of the service.
import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import type { Chainer } from './chainer.ts';
import { auditActions } from './declarations.ts';
import { createAuditExport } from './export.ts';
import type { AuditRetention } from './retention.ts';
import { auditRoutes } from './routes.ts';
import { auditSettings } from './settings.ts';
import type { ChainStore } from './store.chain.sql.ts';
import type { AuditTrail } from './trail.ts';

export const auditSlice = {
  declarations: { settings: [auditSettings], actions: [auditActions] },
  create: (deps: {
    database: Database;
    audit: AuditTrail;
    auditRetention: AuditRetention;
    chainStore: ChainStore;
    chainer: Chainer;
    clock: Clock;
  }) => ({
    routes: auditRoutes({ ...deps, auditExport: createAuditExport(deps) }),
    jobs: [deps.auditRetention.deleteExpired],
    background: deps.audit,
    duty: deps.chainer,
  }),
};
