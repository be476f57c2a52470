// Sessions of any account, for administrators: lists them, and ends one.
import { administrationActions, createManagement } from '../account-changes/index.ts';
import type { AccountStore } from '../accounts/index.ts';
import type { Applications } from '../applications/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createLockManaged } from '../authorization/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Roles } from '../roles/index.ts';
import type { CanSignIn } from '../sign-in-ways/index.ts';
import type { Database } from '../storage/database.ts';
import { type ListedSession, type Session, type Sessions, toListed } from '../tokens/index.ts';

export interface SessionAdministration {
  /** The open sessions, newest first. @throws AuthError `account.notFound`, `permission.denied`. */
  list(accountId: number, by: Manager): Promise<ListedSession[]>;
  /** @throws AuthError `account.notFound`, `session.notFound`, `permission.denied`. */
  end(accountId: number, sessionId: string, by: Manager): Promise<void>;
}

export function createSessionAdministration(deps: {
  database: Database;
  accounts: AccountStore;
  roles: Roles;
  sessions: Sessions;
  applications: Pick<Applications, 'findById'>;
  canSignIn: CanSignIn;
  audit: AuditTrail;
}): SessionAdministration {
  const { database, sessions, applications } = deps;
  const { manage, record } = createManagement(deps);
  const lockManaged = createLockManaged(deps);

  const nameOf = ({ applicationId }: Pick<Session, 'applicationId'>) =>
    applicationId === null ? undefined : applications.findById(applicationId)?.name;

  return {
    async list(accountId, by) {
      await database.transaction((tx) => lockManaged(tx, accountId, by));
      const open = await sessions.listOpen(accountId);
      return open.map((session) => toListed(session, nameOf(session)));
    },

    async end(accountId, sessionId, by) {
      await manage(accountId, by, async (tx, account) => {
        const session = await sessions.findOpen(tx, sessionId);
        await sessions.end(tx, accountId, sessionId);
        const application = session && nameOf(session);
        await record(tx, administrationActions.sessionEnded, account, by, {
          ...(application !== undefined && { application }),
        });
      });
    },
  };
}
