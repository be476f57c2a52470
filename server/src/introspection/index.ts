// Introspection: other services ask whether a token is valid, revoke it, or let a proxy ask (RFC 7662, RFC 7009).
export { forwardAuthErrors } from './declarations.ts';
export { introspectionSlice } from './slice.ts';
