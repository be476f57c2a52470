// The account store in SQL.
import { sql } from 'kysely';
import type { Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Database, Given, Statements } from '../storage/database.ts';
import { nameKey } from './account.ts';
import { CHANGED } from './imported-password.ts';
import { createAccountLists } from './store.lists.ts';
import { columns, toAccount, toNewRow, toRow } from './store.rows.ts';
import type { AccountStore } from './store.ts';

/** The key of PostgreSQL's advisory lock for all accounts. */
const ACCOUNTS_LOCK = 7_205_759_403;

/** Returns the stored lists of roles with a role. Accounts share few lists. */
async function findRoleLists(on: Statements, isRole: (name: string) => boolean): Promise<string[]> {
  const lists = await on.selectFrom('account').select('roles').distinct().execute();
  return lists.map(({ roles }) => roles).filter((roles) => JSON.parse(roles).some(isRole));
}

/** @param random makes the `personId` of each new account. */
export function createAccountStore(database: Database, random: Pick<Random, 'uuid'>): AccountStore {
  const selectById = database.statement((on, given: Given<{ id: number }>) =>
    on.selectFrom('account').select(columns).where('id', '=', given('id')),
  );
  const selectAllById = database.statement((on, given: Given<{ ids: readonly number[] }>) =>
    on
      .selectFrom('account')
      .select(columns)
      .where('id', '=', sql<number>`any(${given('ids')}::bigint[])`),
  );
  const selectByName = database.statement((on, given: Given<{ key: string }>) =>
    on
      .selectFrom('account')
      .select([...columns, 'user_name_key', 'password_hash', 'password_version'])
      .where((eb) => eb.or([eb('user_name_key', '=', given('key')), eb('email_key', '=', given('key'))])),
  );
  const recordSignIn = database.statement(
    (on, given: Given<{ id: number; version: number | null; hash: string | null; now: Instant }>) =>
      on
        .updateTable('account')
        .set((eb) => ({
          last_sign_in_at: given('now'),
          password_hash: eb.fn.coalesce(eb.val(given('hash')), 'password_hash'),
        }))
        .where('id', '=', given('id'))
        .where('is_active', '=', 1)
        .where((eb) => eb('password_version', '=', eb.fn.coalesce(eb.val(given('version')), 'password_version')))
        .returning(columns),
  );
  const read = database.keyedReader({ table: 'account', key: 'id', columns });
  const credential = ['password_hash', 'password_version'] as const;
  const readCredential = database.keyedReader({ table: 'account', key: 'id', columns: credential });
  return {
    async find(id) {
      const row = await read(id);
      return row && toAccount(row);
    },

    async findIn(on, id) {
      const [row] = await selectById(on, { id });
      return row && toAccount(row);
    },

    async findAllIn(on, ids) {
      if (database.engine === 'postgres' && ids.length > 1) return (await selectAllById(on, { ids })).map(toAccount);
      const rows = [];
      for (const id of ids) rows.push(...(await selectById(on, { id })));
      return rows.map(toAccount);
    },

    async findForUpdate(on, id) {
      // On both engines, an update that changes nothing takes the row's lock.
      const row = await on
        .updateTable('account')
        .set((eb) => ({ is_active: eb.ref('is_active') }))
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toAccount(row);
    },

    async findByName(on, name) {
      const key = nameKey(name);
      const rows = await selectByName(on, { key });
      const row = rows.find(({ user_name_key }) => user_name_key === key) ?? rows[0];
      return row && { ...toAccount(row), credential: { hash: row.password_hash, version: row.password_version } };
    },

    async findCredential(id, on) {
      const query = on?.selectFrom('account').select(credential).where('id', '=', id);
      const row = await (query ? query.executeTakeFirst() : readCredential(id));
      return row && { hash: row.password_hash, version: row.password_version };
    },

    async hasChosenPassword(on, id) {
      const row = await on
        .selectFrom('account')
        .select('id')
        .where('id', '=', id)
        .where('password_changed_at', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    async findByMobile(on, mobileNumber, { confirmed } = { confirmed: false }) {
      let query = on.selectFrom('account').select('id').where('mobile', '=', mobileNumber);
      if (confirmed) query = query.where('is_mobile_confirmed', '=', 1);
      const rows = await query.limit(2).execute();
      return rows.map(({ id }) => id);
    },

    async add(on, input, now) {
      const row = await on
        .insertInto('account')
        .values(toNewRow(input, random.uuid(), now))
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    async addAll(on, inputs, now) {
      if (inputs.length === 0) return [];
      const rows = inputs.map((input) => toNewRow(input, random.uuid(), now));
      const added = await on
        .insertInto('account')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'person_id'])
        .execute();
      const ids = new Map(added.map((row) => [row.person_id, row.id]));
      return rows.map(({ person_id }) => ids.get(person_id));
    },

    async findTaken(on, candidates) {
      const userNames = candidates.map(({ userName }) => nameKey(userName));
      const emails = candidates.flatMap(({ emailAddress }) => (emailAddress === null ? [] : [nameKey(emailAddress)]));
      const byUserName = await on
        .selectFrom('account')
        .select('user_name_key')
        .where('user_name_key', 'in', userNames)
        .execute();
      const byEmail =
        emails.length === 0
          ? []
          : await on.selectFrom('account').select('email_key').where('email_key', 'in', emails).execute();
      return {
        userNames: new Set(byUserName.map((row) => row.user_name_key)),
        emailAddresses: new Set(byEmail.map((row) => row.email_key ?? '')),
      };
    },

    async replace(on, id, input) {
      const row = toRow(input);
      await on
        .updateTable('account')
        .set((eb) => {
          const isSame = eb.and([
            eb('email', 'is not distinct from', row.email),
            eb('mobile', 'is not distinct from', row.mobile),
            eb('is_active', '=', row.is_active),
          ]);
          const version = eb.ref('password_version');
          return {
            ...row,
            password_version: eb
              .case()
              .when(isSame)
              .then(version)
              .else(eb(version, '+', 1))
              .end(),
          };
        })
        .where('id', '=', id)
        .execute();
    },

    async completeRegistration(on, id, now) {
      const row = await on
        .updateTable('account')
        .set({ registration_completed_at: now })
        .where('id', '=', id)
        .where('registration_completed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async confirmEmail(on, id, address) {
      const update = on.updateTable('account').set({ is_email_confirmed: 1 }).where('id', '=', id);
      return (await update.where('email', '=', address).returning('id').executeTakeFirst()) !== undefined;
    },

    async setActive(on, id, isActive) {
      await on
        .updateTable('account')
        .set((eb) => ({ is_active: isActive ? 1 : 0, password_version: eb('password_version', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },

    async remove(on, id) {
      await on.deleteFrom('account').where('id', '=', id).execute();
    },

    async upgradeHash(on, id, { passwordVersion, upgradedHash: hash }) {
      if (hash === undefined) return;
      const update = on.updateTable('account').set({ password_hash: hash }).where('id', '=', id);
      await update.where('password_version', '=', passwordVersion).execute();
    },

    async recordSignIn(on, id, { passwordVersion, upgradedHash }, now) {
      const [row] = await recordSignIn(on, { id, version: passwordVersion ?? null, hash: upgradedHash ?? null, now });
      return row && toAccount(row);
    },

    async setPassword(on, id, { hash, mustChange, provenVersion }, now) {
      let query = on
        .updateTable('account')
        .set((eb) => ({
          password_hash: hash,
          password_version: eb('password_version', '+', 1),
          password_changed_at: now,
          must_change_password: mustChange ? 1 : 0,
          // Null stays null: the account was not imported.
          imported_password: eb.case().when('imported_password', 'is not', null).then(CHANGED).end(),
        }))
        .where('id', '=', id);
      if (provenVersion !== undefined) query = query.where('password_version', '=', provenVersion);
      return (await query.returning('id').executeTakeFirst()) !== undefined;
    },

    async removeRole(on, isRole) {
      for (const roles of await findRoleLists(on, isRole)) {
        const names: string[] = JSON.parse(roles);
        const kept = JSON.stringify(names.filter((name) => !isRole(name)));
        await on.updateTable('account').set({ roles: kept }).where('roles', '=', roles).execute();
      }
    },

    async lockAccounts(on) {
      // One lock for all accounts: transactions that lock rows in different orders would deadlock. SQLite runs one at a time.
      if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`.execute(on);
    },

    ...createAccountLists(database),

    isEmpty: async () => !(await database.sql.selectFrom('account').select('id').limit(1).executeTakeFirst()),
  };
}
