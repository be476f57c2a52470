// Adapters: verify the bearer token of a request in Express, in Fastify, and in servers that take a `Request`.
import { type Claims, TokenRejected, type Verifier } from './interface.ts';

/** A request of Node. The adapters set `auth`. */
type NodeRequest = { readonly headers: { readonly authorization?: string | undefined }; auth?: Claims };

/**
 * Returns middleware for Express that sets `request.auth` to the claims. It passes a `TokenRejected` on to the error handler;
 * that of Express sends its status and headers.
 */
export function expressVerifier(
  verifier: Verifier,
): (request: NodeRequest, response: unknown, next: (error?: unknown) => void) => Promise<void> {
  return async (request, _response, next) => {
    try {
      request.auth = await verifyHeader(verifier, request.headers.authorization);
    } catch (error) {
      return next(error);
    }
    next();
  };
}

/**
 * Returns a hook for Fastify, for `onRequest`, that sets `request.auth` to the claims. It throws `TokenRejected`; Fastify sends
 * its status and headers.
 */
export function fastifyVerifier(verifier: Verifier): (request: NodeRequest) => Promise<void> {
  return async (request) => {
    request.auth = await verifyHeader(verifier, request.headers.authorization);
  };
}

/** Returns the claims of the token in a request's `Authorization` header. @throws TokenRejected */
export function verifyRequest(verifier: Verifier, request: { readonly headers: Headers }): Promise<Claims> {
  return verifyHeader(verifier, request.headers.get('authorization'));
}

/** The challenge for a request without a token has no error code, but a parameter (RFC 6750, 3 and 3.1). */
const MISSING = 'Bearer realm="latchkey"';

/** Returns the claims of the token in an `Authorization: Bearer` header (RFC 6750, 2.1). @throws TokenRejected */
export async function verifyHeader(verifier: Verifier, header: string | null | undefined): Promise<Claims> {
  const token = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new TokenRejected('invalid', 'The request has no bearer token.', MISSING);
  return verifier.verify(token);
}
