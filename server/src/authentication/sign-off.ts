// Signing off: ends the session of a token. The token is the authority for it.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { isRefusal } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Database } from '../storage/database.ts';
import { type Sessions, sessionActions } from '../tokens/index.ts';

/**
 * Ends the token's session, also with a token that a refresh has superseded. Does nothing for a token that is invalid or
 * expired, or whose session has ended.
 */
export type SignOff = (token: string, origin: Origin) => Promise<void>;

export function createSignOff(deps: {
  database: Database;
  accounts: AccountStore;
  sessions: Sessions;
  audit: AuditTrail;
}): SignOff {
  const { database, accounts, sessions, audit } = deps;
  return async (token, origin) => {
    try {
      const verified = await sessions.verify(token);
      await database.transaction(async (tx) => {
        const id = await sessions.signOff(tx, verified);
        if (id === undefined) return;
        const user = await accounts.readUser(tx.sql, id);
        await audit.record(tx, { action: sessionActions.signedOff, outcome: 'success', user, origin });
      });
    } catch (error) {
      // Any other error is a fault, and the session may still be open.
      if (!isRefusal(error)) throw error;
    }
  };
}
