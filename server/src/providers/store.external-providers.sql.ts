// Registered external providers and their changes in SQL.
import type { Selectable } from 'kysely';
import { foldCase } from '../foundation/case-folding.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Actor } from '../foundation/events.ts';
import type { Database, ExternalProviderTable, Statements } from '../storage/database.ts';
import { type ExternalProvider, PROVIDER_TYPES } from './external-provider.ts';

/**
 * A provider with its sealed secrets. `untrustedSince`: when an administrator changed it who lacks permissions of this service. Null: who
 * saved it last has them all.
 */
export type StoredProvider = ExternalProvider & {
  readonly sealedSecret: string | null;
  readonly sealedPrivateKey: string | null;
  readonly untrustedSince: Instant | null;
};

/** What has changed of a provider. The values of a secret are null. */
export type ChangedMember = { readonly member: string; readonly oldValue: unknown; readonly newValue: unknown };

/** A change of a provider. `by` is null for a role that was deleted, or if the administrator was erased. */
export type ProviderChange = {
  /** 1 for the first change of the provider. */
  readonly number: number;
  readonly at: Instant;
  readonly by: string | null;
  readonly changes: readonly ChangedMember[];
};

/** A change to store, by the actor who makes it. */
type NewChange = Omit<ProviderChange, 'number' | 'by'> & { readonly by: Actor | null };

/** So many changes of a provider are kept. */
const MOST_CHANGES = 200;

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
    untrustedSince: row.untrusted_since,
    createdAt: row.created_at,
  };
}

/** A newer program of the same database may have stored other types. To this one, such a provider is not there. */
const isKnown = ({ type }: Selectable<ExternalProviderTable>) => PROVIDER_TYPES.some((known) => known === type);

function toRow(provider: StoredProvider): ExternalProviderTable {
  const { id, type, name, isEnabled, clientId, sealedSecret, sealedPrivateKey, ...rest } = provider;
  const { secretExpiresAt, untrustedSince, createdAt, ...settings } = rest;
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
    untrusted_since: untrustedSince,
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
      return rows.filter(isKnown).map(toProvider);
    },

    async find(id: string): Promise<StoredProvider | undefined> {
      const row = await select(database.sql, id).executeTakeFirst();
      return row && isKnown(row) ? toProvider(row) : undefined;
    },

    /** Returns the provider, which other transactions cannot change until this one ends. SQLite runs one at a time. */
    async findForUpdate(on: Statements, id: string): Promise<StoredProvider | undefined> {
      const row = await select(on, id)
        .$if(database.engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      return row && isKnown(row) ? toProvider(row) : undefined;
    },

    /** Adds a provider. @throws UniqueViolation when its name is taken, in any spelling. */
    async add(on: Statements, provider: StoredProvider): Promise<void> {
      await on.insertInto('external_provider').values(toRow(provider)).execute();
    },

    /** Replaces a provider that the transaction holds, and adds the change to its history, unless nothing that it shows has changed. */
    async replace(on: Statements, provider: StoredProvider, change: NewChange): Promise<void> {
      await on.updateTable('external_provider').set(toRow(provider)).where('id', '=', provider.id).execute();
      if (change.changes.length === 0) return;
      const ofProvider = on.selectFrom('external_provider_change').where('provider_id', '=', provider.id);
      const last = await ofProvider.select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
      const number = (last?.number ?? 0) + 1;
      await on
        .insertInto('external_provider_change')
        .values({
          provider_id: provider.id,
          number,
          changes: JSON.stringify(change.changes),
          changed_at: change.at,
          changed_by: change.by?.name ?? null,
          changed_by_id: change.by && (change.by.id ?? 0),
        })
        .execute();
      await on
        .deleteFrom('external_provider_change')
        .where('provider_id', '=', provider.id)
        .where('number', '<=', number - MOST_CHANGES)
        .execute();
    },

    /** Returns the latest changes of a provider, the newest first. */
    async readChanges(id: string): Promise<ProviderChange[]> {
      const rows = await database.sql
        .selectFrom('external_provider_change')
        .selectAll()
        .where('provider_id', '=', id)
        .orderBy('number', 'desc')
        .execute();
      return rows.map(({ number, changed_at, changed_by, changes }) => ({
        number,
        at: changed_at,
        by: changed_by,
        changes: JSON.parse(changes),
      }));
    },

    /** Removes a provider with its history. */
    async remove(on: Statements, id: string): Promise<void> {
      await on.deleteFrom('external_provider_change').where('provider_id', '=', id).execute();
      await on.deleteFrom('external_provider').where('id', '=', id).execute();
    },
  };
}
