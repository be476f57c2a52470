// Sessions for Fastify, with the type of `request.signedIn`.
import type { SignedIn } from 'latchkey-sdk/session';

declare module 'fastify' {
  interface FastifyRequest {
    /** The open session, or null. Only routes after the hook `fastifySessions` have it. */
    signedIn: SignedIn | null;
  }
}

export * from 'latchkey-sdk/session';
