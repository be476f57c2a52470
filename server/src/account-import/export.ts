// Account export: all accounts as lines that the import takes, for another installation of this service or for another system.
import { administrationActions } from '../account-changes/index.ts';
import type { Account, AccountImportStore, AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { ExternalLoginStore } from '../external-logins/index.ts';
import type { Authenticators, Passkeys } from '../factors/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { type Instant, toIsoString } from '../foundation/clock.ts';
import { accountSubject, type Lockouts } from '../lockout/index.ts';
import type { Database, Tx } from '../storage/database.ts';

export interface LineExport {
  /**
   * Records the export in the audit trail, and returns the lines of all accounts in pieces, by id.
   * @param withCredentials also password hashes, the secrets of authenticator apps, and passkeys.
   */
  export(withCredentials: boolean, by: Manager): Promise<AsyncGenerator<ExportedPiece>>;
}

/** Whole lines, and how many accounts they are. */
export type ExportedPiece = { readonly text: string; readonly count: number };

export function createLineExport(deps: {
  database: Database;
  accounts: AccountStore;
  imports: AccountImportStore;
  externalLoginStore: ExternalLoginStore;
  authenticators: Authenticators;
  passkeys: Passkeys;
  lockouts: Lockouts;
  audit: AuditTrail;
}): LineExport {
  const { database, accounts, imports, externalLoginStore, authenticators, passkeys, lockouts, audit } = deps;

  async function readCredentials(tx: Tx, ids: readonly number[]) {
    const [hashes, apps] = [await imports.readHashes(tx.sql, ids), await authenticators.reveal(tx.sql, ids)];
    const appOf = new Map(apps.map((app) => [app.accountId, app]));
    const keysOf = Map.groupBy(await passkeys.reveal(tx.sql, ids), ({ accountId }) => accountId);
    return (id: number) => {
      const [app, keys = []] = [appOf.get(id), keysOf.get(id)];
      return {
        passwordHash: hashes.get(id) ?? null,
        ...(app && { totp: { secret: app.secret, creationTime: toIsoString(app.enrolledAt) } }),
        ...(keys.length > 0 && {
          passkeys: keys.map(({ id: _, accountId: __, createdAt, lastUsedAt, ...passkey }) => ({
            ...passkey,
            creationTime: toIsoString(createdAt),
            lastUsedTime: toTime(lastUsedAt),
          })),
        }),
      };
    };
  }

  async function* readPieces(withCredentials: boolean, by: Manager): AsyncGenerator<ExportedPiece> {
    for await (const found of accounts.readBatches([])) {
      const ids = found.map(({ id }) => id);
      const locks = await lockouts.readLocks(ids.map(accountSubject));
      const lines = await database.transaction(async (tx) => {
        await by.authorize(tx);
        const logins = Map.groupBy(await externalLoginStore.listAll(tx.sql, ids), ({ accountId }) => accountId);
        const credentialsOf = withCredentials ? await readCredentials(tx, ids) : () => ({});
        return found.map((account) => {
          const lockedUntil = locks.get(accountSubject(account.id)) ?? null;
          const externalLogins = logins.get(account.id) ?? [];
          return { ...toLine(account), ...toState(lockedUntil, externalLogins), ...credentialsOf(account.id) };
        });
      });
      yield { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''), count: lines.length };
    }
  }

  return {
    async export(withCredentials, by) {
      const count = await accounts.count([]);
      await database.transaction(async (tx) => {
        await by.authorize(tx);
        await audit.record(tx, {
          action: administrationActions.exported,
          outcome: 'success',
          user: by.actor,
          origin: by.origin,
          details: { format: 'latchkey', count, withCredentials },
        });
      });
      return readPieces(withCredentials, by);
    },
  };
}

const toTime = (instant: Instant | null) => (instant === null ? null : toIsoString(instant));

/** Returns the members of the account itself. */
const toLine = ({ mustChangePassword, lastSignInAt, createdAt, updatedAt: _, ...same }: Account) => ({
  ...same,
  requireChangePassword: mustChangePassword,
  creationTime: toIsoString(createdAt),
  lastLoginTime: toTime(lastSignInAt),
});

const toState = (lockedUntil: Instant | null, logins: readonly { provider: string; providerKey: string }[]) => ({
  ...(lockedUntil !== null && { lockedUntil: toIsoString(lockedUntil) }),
  ...(logins.length > 0 && {
    externalLogins: logins.map(({ provider, providerKey }) => ({ provider, providerKey })),
  }),
});
