// The verifier for Express, with the type of `request.auth`.
import type { Claims } from 'latchkey-sdk/verify';

declare global {
  namespace Express {
    interface Request {
      /** The claims of the token. Only routes after `expressVerifier` have them. */
      auth: Claims;
    }
  }
}

export * from 'latchkey-sdk/verify';
