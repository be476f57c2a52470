// The verifier of tokens for other services: offline signatures, and revocations within a bound.
import type { Verifier, VerifierOptions } from './interface.ts';
import { createObservedVerifier } from './verifier.ts';

export { expressVerifier, fastifyVerifier, verifyHeader, verifyRequest } from './adapters.ts';
export { type Claims, type RejectionReason, TokenRejected, type Verifier, type VerifierOptions } from './interface.ts';

/**
 * Returns a verifier, which begins to follow the service at once. Wait for `ready` before you serve.
 * @throws TypeError if an option is wrong.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  return createObservedVerifier(options);
}
