// The session of a token: exchanges the token for a new one.
import type { AuditTrail } from '../audit/index.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Database } from '../storage/database.ts';
import { type IssuedToken, type Sessions, sessionActions } from '../tokens/index.ts';
import type { FindRefreshedSubject } from './refreshed-subject.ts';

export interface CurrentSession {
  /**
   * Exchanges a valid token for a new one, and revokes the old one. Each token can be exchanged once.
   * @throws AuthError `token.invalid`, `token.expired`, `token.revoked`.
   */
  refresh(token: string, origin: Origin): Promise<IssuedToken>;
}

export function createCurrentSession(deps: {
  database: Database;
  sessions: Sessions;
  findRefreshedSubject: FindRefreshedSubject;
  audit: AuditTrail;
}): CurrentSession {
  const { database, sessions, findRefreshedSubject, audit } = deps;

  return {
    async refresh(token, origin) {
      const action = sessionActions.refreshed;
      // Verify before recording: attackers must not fill the audit trail with forged tokens.
      const verified = await sessions.verify(token);
      try {
        return await database.transaction(
          (tx) =>
            sessions.refresh(tx, verified, async (id, session) => {
              const subject = await findRefreshedSubject(tx, id, session);
              if (!subject) return undefined;
              const user = { id, name: subject.userName };
              await audit.recordRepeatable(session.id, { action, outcome: 'success', user, origin }, tx);
              return subject;
            }),
          { isShared: true },
        );
      } catch (error) {
        if (isRefusal(error)) {
          const user = { id: verified.accountId, name: null };
          const refusal = { action, outcome: 'refused', reason: error.reason, user, origin } as const;
          await audit.recordRepeatable(verified.sessionId, refusal);
        }
        throw error;
      }
    },
  };
}

/** Whether the token was refused. Any other error is a fault, and the token was not verified. */
function isRefusal(error: unknown): error is AuthError {
  return error instanceof AuthError && error.status === 401;
}
