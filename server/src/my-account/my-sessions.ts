// The caller's sessions: lists them, and ends them.
import type { AccountStore } from '../accounts/index.ts';
import type { Applications } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { SignedIn } from '../foundation/authority.ts';
import type { Origin } from '../foundation/events.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type ListedSession, type Session, type Sessions, sessionActions, toListed } from '../tokens/index.ts';

export interface MySessions {
  /** `current`: whether it is the caller's. */
  list(owner: SignedIn): Promise<(ListedSession & { current: boolean })[]>;
  /** Ends one session of the account. @throws AuthError `session.notFound`. */
  end(owner: SignedIn, sessionId: string, origin: Origin): Promise<void>;
  /** Ends all sessions except the caller's. Records it only if there were others. */
  endOthers(owner: SignedIn, origin: Origin): Promise<void>;
}

export function createMySessions(deps: {
  database: Database;
  accounts: AccountStore;
  sessions: Sessions;
  applications: Pick<Applications, 'findById'>;
  audit: AuditTrail;
}): MySessions {
  const { database, accounts, sessions, applications, audit } = deps;

  const nameOf = ({ applicationId }: Pick<Session, 'applicationId'>) =>
    applicationId === null ? undefined : applications.findById(applicationId)?.name;

  async function recordEnded(
    tx: Tx,
    owner: SignedIn,
    origin: Origin,
    details: { count: number; application?: string },
  ) {
    const user = await accounts.readUser(tx.sql, owner.accountId);
    await audit.record(tx, { action: sessionActions.ended, outcome: 'success', user, origin, details });
  }

  return {
    async list({ accountId, sessionId }) {
      const open = await sessions.listOpen(accountId);
      return open.map((session) => ({ ...toListed(session, nameOf(session)), current: session.id === sessionId }));
    },

    async end(owner, sessionId, origin) {
      await database.transaction(async (tx) => {
        await owner.authorize(tx);
        const session = await sessions.findOpen(tx, sessionId);
        await sessions.end(tx, owner.accountId, sessionId);
        const application = session && nameOf(session);
        await recordEnded(tx, owner, origin, { count: 1, ...(application !== undefined && { application }) });
      });
    },

    async endOthers(owner, origin) {
      await database.transaction(async (tx) => {
        await owner.authorize(tx);
        const count = await sessions.endOfAccount(tx, owner.accountId, owner.sessionId);
        if (count > 0) await recordEnded(tx, owner, origin, { count });
      });
    },
  };
}
