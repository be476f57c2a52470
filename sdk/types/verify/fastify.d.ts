// The verifier for Fastify, with the type of `request.auth`.
import type { Claims } from 'latchkey-sdk/verify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The claims of the token. Only routes after the hook `fastifyVerifier` have them. */
    auth: Claims;
  }
}

export * from 'latchkey-sdk/verify';
