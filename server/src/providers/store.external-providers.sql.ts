// Registered external providers in SQL.
import type { Selectable } from 'kysely';
import { foldCase } from '../foundation/case-folding.ts';
import type { Database, ExternalProviderTable, Statements } from '../storage/database.ts';
import type { ExternalProvider } from './external-provider.ts';

/** A provider with its sealed secrets. */
export type StoredProvider = ExternalProvider & {
  readonly sealedSecret: string | null;
  readonly sealedPrivateKey: string | null;
};

function toProvider(row: Selectable<ExternalProviderTable>): StoredProvider {
  return {
    ...JSON.parse(row.settings),
    id: row.id,
    type: row.type,
    name: row.name,
    isEnabled: row.is_enabled === 1,
    clientId: row.client_id,
    sealedSecret: row.sealed_secret,
    sealedPrivateKey: row.sealed_private_key,
    secretExpiresAt: row.secret_expires_at,
    createdAt: row.created_at,
  };
}

function toRow(provider: StoredProvider): ExternalProviderTable {
  const { id, type, name, isEnabled, clientId, sealedSecret, sealedPrivateKey, ...rest } = provider;
  const { secretExpiresAt, createdAt, ...settings } = rest;
  return {
    id,
    type,
    name,
    name_key: foldCase(name),
    settings: JSON.stringify(settings),
    is_enabled: isEnabled ? 1 : 0,
    client_id: clientId,
    sealed_secret: sealedSecret,
    sealed_private_key: sealedPrivateKey,
    secret_expires_at: secretExpiresAt,
    created_at: createdAt,
  };
}

export type ExternalProviderStore = ReturnType<typeof createExternalProviderStore>;

export function createExternalProviderStore(database: Database) {
  const select = (on: Statements, id: string) => on.selectFrom('external_provider').selectAll().where('id', '=', id);
  return {
    /** Returns all providers, the oldest first. */
    async readAll(on: Statements): Promise<StoredProvider[]> {
      const rows = await on.selectFrom('external_provider').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toProvider);
    },

    async find(id: string): Promise<StoredProvider | undefined> {
      const row = await select(database.sql, id).executeTakeFirst();
      return row && toProvider(row);
    },

    /** Returns the provider, which other transactions cannot change until this one ends. SQLite runs one at a time. */
    async findForUpdate(on: Statements, id: string): Promise<StoredProvider | undefined> {
      const row = await select(on, id)
        .$if(database.engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      return row && toProvider(row);
    },

    /** Adds a provider. @throws UniqueViolation when its name is taken, in any spelling. */
    async add(on: Statements, provider: StoredProvider): Promise<void> {
      await on.insertInto('external_provider').values(toRow(provider)).execute();
    },

    async replace(on: Statements, provider: StoredProvider): Promise<void> {
      await on.updateTable('external_provider').set(toRow(provider)).where('id', '=', provider.id).execute();
    },

    async remove(on: Statements, id: string): Promise<void> {
      await on.deleteFrom('external_provider').where('id', '=', id).execute();
    },
  };
}
