// The audit trail: who did what, from where, when, and with what outcome.

export { exportChain, readChain } from './chain-file.ts';
export { createChainer } from './chainer.ts';
export { type AuditErasure, createAuditErasure } from './erasure.ts';
export { type AuditFeedItem, createAuditFeed } from './feed.ts';
export { createAuditRetention } from './retention.ts';
export { auditSlice } from './slice.ts';
export { type ChainStore, createChainSource, createChainStore, findStandstill } from './store.chain.sql.ts';
export { createErasureStore } from './store.erasure.sql.ts';
export { createAuditStore } from './store.sql.ts';
export { type AuditTrail, createAuditTrail } from './trail.ts';
export { type Verdict, verifyChain } from './verification.ts';
