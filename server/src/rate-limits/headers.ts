// The headers that show a client its budget (IETF draft-ietf-httpapi-ratelimit-headers, structured fields of RFC 9651).
import type { Policy } from './settings.ts';
import type { Decision } from './window.ts';

/** The header fields of every response under a rate limit, allowed or refused: `"login";q=10;w=60` and `"login";r=9;t=60`. */
export type RateLimitHeaders = { 'RateLimit-Policy': string; RateLimit: string };

/** Returns the budget as header values. The error of a refusal adds `Retry-After`. */
export function rateLimitHeaders(policy: Policy, decision: Decision): RateLimitHeaders {
  return {
    'RateLimit-Policy': `"${policy}";q=${decision.limit};w=${decision.windowSeconds}`,
    RateLimit: `"${policy}";r=${decision.remaining};t=${decision.resetSeconds}`,
  };
}
