// Rate limits: throttle the requests of an address, by policy.
export { rateLimitActions, rateLimitErrors } from './declarations.ts';
export { rateLimitHeaders } from './headers.ts';
export { createRateLimits, type RateLimits } from './limits.ts';
export type { Policy } from './settings.ts';
export { rateLimitsSlice } from './slice.ts';
export { createMemoryRateLimitStore } from './store.memory.ts';
export { createSqlRateLimitStore } from './store.sql.ts';
export type { Decision } from './window.ts';
