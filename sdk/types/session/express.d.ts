// Sessions for Express, with the type of `request.signedIn`.
import type { SignedIn } from 'latchkey-sdk/session';

declare global {
  namespace Express {
    interface Request {
      /** The open session, or null. Only routes after `expressSessions` have it. */
      signedIn: SignedIn | null;
    }
  }
}

export * from 'latchkey-sdk/session';
