// Passkeys in SQL.
import type { Instant } from '../foundation/clock.ts';
import type { Database, PasskeyTable, Statements } from '../storage/database.ts';

/** A passkey as its owner sees it. */
export type Passkey = {
  id: string;
  name: string;
  createdAt: Instant;
  lastUsedAt: Instant | null;
  /** Whether the provider of the passkey has copied it, so that the loss of one device does not lose it. */
  isBackedUp: boolean;
};

export type StoredPasskey = Passkey & {
  accountId: number;
  /** base64url. Unique. */
  credentialId: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** The signature counter of the last assertion. 0: the authenticator does not count. */
  signCount: number;
  transports: readonly string[];
  /** The domain that the passkey is bound to. */
  rpId: string;
  /** What the authenticator calls the owner, base64url. Null: what the service derives. Empty: the former service did not store it. */
  userHandle: string | null;
};

/** What an assertion tells of its passkey. */
export type PasskeyUse = { id: string; signCount: number; isBackedUp: boolean; now: Instant };

const columns = [
  'id',
  'account_id',
  'credential_id',
  'public_key',
  'sign_count',
  'transports',
  'rp_id',
  'user_handle',
  'name',
  'is_backed_up',
  'created_at',
  'last_used_at',
] as const satisfies readonly (keyof PasskeyTable)[];

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;

export function createPasskeyStore(database: Database) {
  /** Adds passkeys whose credentials are not registered yet, for any account. @returns their number. */
  async function addAll(on: Statements, passkeys: readonly StoredPasskey[]): Promise<number> {
    const rows = await on
      .insertInto('passkey')
      .values(passkeys.map(toRow))
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .execute();
    return rows.length;
  }

  return {
    /** Returns the passkeys of the accounts, oldest first. */
    async list(on: Statements, accountIds: readonly number[]): Promise<StoredPasskey[]> {
      const rows = await on
        .selectFrom('passkey')
        .select(columns)
        .where('account_id', 'in', accountIds)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toPasskey);
    },

    /** Returns those of the accounts that have any. */
    async findOwners(on: Statements, accountIds: readonly number[]): Promise<number[]> {
      const rows = await on
        .selectFrom('passkey')
        .select('account_id')
        .distinct()
        .where('account_id', 'in', accountIds)
        .execute();
      return rows.map((row) => row.account_id);
    },

    async findByCredential(on: Statements, credentialId: string): Promise<StoredPasskey | undefined> {
      const row = await on
        .selectFrom('passkey')
        .select(columns)
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row && toPasskey(row);
    },

    /** Returns those of the credentials that are registered, for any account. */
    async findRegistered(on: Statements, credentialIds: readonly string[]): Promise<string[]> {
      const rows = await on
        .selectFrom('passkey')
        .select('credential_id')
        .where('credential_id', 'in', credentialIds)
        .execute();
      return rows.map((row) => row.credential_id);
    },

    /** @returns `false` if this credential is registered already, for any account. */
    async add(on: Statements, passkey: StoredPasskey): Promise<boolean> {
      return (await addAll(on, [passkey])) === 1;
    },

    addAll,

    async rename(on: Statements, accountId: number, id: string, name: string): Promise<boolean> {
      const row = await on
        .updateTable('passkey')
        .set({ name })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** @returns whether the account had this passkey. */
    async remove(on: Statements, accountId: number, id: string): Promise<boolean> {
      const row = await on
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** @returns whether there were any. */
    async removeAll(on: Statements, accountId: number): Promise<boolean> {
      const rows = await on.deleteFrom('passkey').where('account_id', '=', accountId).returning('id').execute();
      return rows.length > 0;
    },

    /** Records a use. @returns `false` if the passkey is gone, or its counter has not risen (WebAuthn, 6.1.1). */
    async recordUse(on: Statements, { id, signCount, isBackedUp, now }: PasskeyUse): Promise<boolean> {
      const row = await on
        .updateTable('passkey')
        .set({ sign_count: signCount, is_backed_up: isBackedUp ? 1 : 0, last_used_at: now })
        .where('id', '=', id)
        // 0 twice: the authenticator does not count.
        .where((eb) => (signCount === 0 ? eb('sign_count', '=', 0) : eb('sign_count', '<', signCount)))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Records that an assertion operation is used up. @returns `true` to one of several parallel calls. */
    async useOperation(on: Statements, mac: string, expiresAt: Instant): Promise<boolean> {
      const row = await on
        .insertInto('used_assertion')
        .values({ mac, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('mac').doNothing())
        .returning('mac')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes up to `limit` used assertion operations that expired before `before`. */
    async deleteExpired(before: Instant, limit: number): Promise<void> {
      const old = database.sql
        .selectFrom('used_assertion')
        .select('mac')
        .where('expires_at', '<', before)
        .limit(limit)
        .$call(database.skipLocked);
      await database.sql.deleteFrom('used_assertion').where('mac', 'in', old).execute();
    },
  };
}

const toRow = (passkey: StoredPasskey): PasskeyTable => ({
  id: passkey.id,
  account_id: passkey.accountId,
  credential_id: passkey.credentialId,
  public_key: passkey.publicKey,
  sign_count: passkey.signCount,
  transports: passkey.transports.join(' '),
  rp_id: passkey.rpId,
  user_handle: passkey.userHandle,
  name: passkey.name,
  is_backed_up: passkey.isBackedUp ? 1 : 0,
  created_at: passkey.createdAt,
  last_used_at: passkey.lastUsedAt,
});

const toPasskey = (row: PasskeyTable): StoredPasskey => ({
  id: row.id,
  accountId: row.account_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  signCount: row.sign_count,
  transports: row.transports === '' ? [] : row.transports.split(' '),
  rpId: row.rp_id,
  userHandle: row.user_handle,
  name: row.name,
  isBackedUp: row.is_backed_up === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
