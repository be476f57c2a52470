// The store of imports, in SQL: which accounts hold a key, ids that are given, and what an import set before.
import { sql } from 'kysely';
import type { Database, Statements } from '../storage/database.ts';
import { type Account, nameKey } from './account.ts';
import { importedPasswordMark } from './imported-password.ts';
import type { ImportedIdentity } from './store.rows.ts';

/** The unique keys of an account. */
export type AccountKeys = { id?: number; personId?: string; userName: string; emailAddress: string | null };

/** The stored keys of an account. `mark` is null unless the account was imported, see `compareImportedPassword`. */
export type StoredKeys = Required<AccountKeys> & { mark: string | null };

/** Returns the unique keys of an account that is to be stored. */
export function keysOf(
  { userName, emailAddress }: Pick<Account, 'userName' | 'emailAddress'>,
  { id, personId }: Pick<ImportedIdentity, 'id' | 'personId'> = {},
): AccountKeys {
  return {
    ...(id !== undefined && { id }),
    ...(personId !== undefined && { personId }),
    userName: nameKey(userName),
    emailAddress: emailAddress === null ? null : nameKey(emailAddress),
  };
}

export interface AccountImportStore {
  /** Returns the accounts that share a key with one of these. */
  findHolders(on: Statements, wanted: readonly AccountKeys[]): Promise<StoredKeys[]>;
  /** Returns those of these ids that belonged to a deleted account. */
  findRetiredIds(on: Statements, ids: readonly number[]): Promise<number[]>;
  /** Ensures that accounts without a given id get ids above this one from now on. */
  reserveIds(highest: number): Promise<void>;
  /** Changes what the account keeps of its former system. @throws UniqueViolation when the person id is taken. */
  setIdentity(on: Statements, id: number, identity: Omit<ImportedIdentity, 'id'>): Promise<void>;
  /** Records that the account has the password of this hash from an import. */
  markPassword(on: Statements, id: number, hash: string): Promise<void>;
  /** Returns the stored hashes of these accounts' passwords, except generated ones: no person knows them. */
  readHashes(on: Statements, ids: readonly number[]): Promise<Map<number, string>>;
}

export function createAccountImportStore(database: Database): AccountImportStore {
  return {
    async findHolders(on, wanted) {
      if (wanted.length === 0) return [];
      const given = <Value>(values: (Value | null | undefined)[]) => values.filter((value) => value != null);
      const keys = {
        id: given(wanted.map(({ id }) => id)),
        person_id: given(wanted.map(({ personId }) => personId)),
        user_name_key: wanted.map(({ userName }) => userName),
        email_key: given(wanted.map(({ emailAddress }) => emailAddress)),
      };
      const rows = await on
        .selectFrom('account')
        .select(['id', 'person_id', 'user_name_key', 'email_key', 'imported_password'])
        .where((eb) =>
          eb.or([
            ...(keys.id.length > 0 ? [eb('id', 'in', keys.id)] : []),
            ...(keys.person_id.length > 0 ? [eb('person_id', 'in', keys.person_id)] : []),
            eb('user_name_key', 'in', keys.user_name_key),
            ...(keys.email_key.length > 0 ? [eb('email_key', 'in', keys.email_key)] : []),
          ]),
        )
        .execute();
      return rows.map((row) => ({
        id: row.id,
        personId: row.person_id,
        userName: row.user_name_key,
        emailAddress: row.email_key,
        mark: row.imported_password,
      }));
    },

    async findRetiredIds(on, ids) {
      if (ids.length === 0) return [];
      const rows = await on.selectFrom('deleted_account').select('id').where('id', 'in', ids).execute();
      return rows.map(({ id }) => id);
    },

    async reserveIds(highest) {
      await database.transaction(({ sql: on }) =>
        database.engine === 'sqlite' ? reserveInSqlite(on, highest) : reserveInPostgres(on, highest),
      );
    },

    async setIdentity(on, id, { personId, createdAt, lastSignInAt }) {
      const changes = {
        ...(personId !== undefined && { person_id: personId }),
        ...(createdAt !== undefined && { created_at: createdAt }),
        ...(lastSignInAt !== undefined && { last_sign_in_at: lastSignInAt }),
      };
      if (Object.keys(changes).length === 0) return;
      await on.updateTable('account').set(changes).where('id', '=', id).execute();
    },

    async markPassword(on, id, hash) {
      await on
        .updateTable('account')
        .set({ imported_password: importedPasswordMark(hash) })
        .where('id', '=', id)
        .execute();
    },

    async readHashes(on, ids) {
      const rows = await on
        .selectFrom('account')
        .select(['id', 'password_hash'])
        .where('id', 'in', ids)
        .where('password_changed_at', 'is not', null)
        .execute();
      return new Map(rows.flatMap(({ id, password_hash: hash }) => (hash === null ? [] : [[id, hash]])));
    },
  };
}

/** SQLite counts in a table of its own, which has no row before the first account. */
async function reserveInSqlite(on: Statements, highest: number) {
  await sql`insert into sqlite_sequence (name, seq) select 'account', 0
    where not exists (select 1 from sqlite_sequence where name = 'account')`.execute(on);
  await sql`update sqlite_sequence set seq = ${highest} where name = 'account' and seq < ${highest}`.execute(on);
}

async function reserveInPostgres(on: Statements, highest: number) {
  const isBelow = sql`(last_value < ${highest} or not is_called)`;
  const { rows } = await sql`select 1 from account_id_seq where ${isBelow}`.execute(on);
  if (rows.length === 0) return;
  // No other node may take an id between reading and setting the sequence: that would set it back.
  await sql`lock table account in share row exclusive mode`.execute(on);
  await sql`select setval('account_id_seq', ${highest}) from account_id_seq where ${isBelow}`.execute(on);
}
