// The audit trail, as a slice of the service.
import type { KeyInUse } from '../contract/feed-stream.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import type { Chainer } from './chainer.ts';
import { auditActions, erasureActions } from './declarations.ts';
import { createAuditExport } from './export.ts';
import type { AuditFeed } from './feed.ts';
import type { AuditRetention } from './retention.ts';
import { auditFeedEndpoint } from './routes.feed.ts';
import { auditRoutes } from './routes.ts';
import { auditSettings } from './settings.ts';
import type { ChainStore } from './store.chain.sql.ts';
import type { AuditTrail } from './trail.ts';

export const auditSlice = {
  declarations: { settings: [auditSettings], actions: [auditActions, erasureActions] },
  create: (deps: {
    database: Database;
    audit: AuditTrail;
    auditRetention: AuditRetention;
    chainStore: ChainStore;
    chainer: Chainer;
    auditFeed: AuditFeed;
    serviceKeys: { authenticate(key: string | undefined, permission: 'audit'): Promise<KeyInUse> };
    clock: Clock;
  }) => ({
    routes: auditRoutes({ ...deps, auditExport: createAuditExport(deps) }),
    endpoints: auditFeedEndpoint({
      feed: deps.auditFeed,
      authenticate: (key) => deps.serviceKeys.authenticate(key, 'audit'),
      clock: deps.clock,
    }),
    jobs: [deps.auditRetention.deleteExpired],
    background: deps.audit,
    duty: deps.chainer,
  }),
};
