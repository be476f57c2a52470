// The headers that tell a client its budget (IETF draft-ietf-httpapi-ratelimit-headers, structured fields of RFC 9651).
import type { Policy } from './settings.ts';
import type { Decision } from './window.ts';

/** The header fields of every answer under a rate limit, allowed or not: `"login";q=10;w=60` and `"login";r=9;t=60`. */
export type RateLimitHeaders = { 'RateLimit-Policy': string; RateLimit: string };

/** Spells the budget as header values; a refusal's `Retry-After` comes with its error. */
export function rateLimitHeaders(policy: Policy, decision: Decision): RateLimitHeaders {
  return {
    'RateLimit-Policy': `"${policy}";q=${decision.limit};w=${decision.windowSeconds}`,
    RateLimit: `"${policy}";r=${decision.remaining};t=${decision.resetSeconds}`,
  };
}
