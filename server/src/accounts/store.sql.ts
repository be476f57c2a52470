// The account store in SQL.
import { sql } from 'kysely';
import { inChunks } from '../foundation/batch.ts';
import type { Instant } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Database, Given, Statements } from '../storage/database.ts';
import { type Account, type AccountInput, type Credential, nameKey } from './account.ts';
import { CHANGED } from './imported-password.ts';
import { createAccountLists } from './store.lists.ts';
import { columns, type NewAccount, toAccount, toNewRow, toRow } from './store.rows.ts';

/** Keys of the user names and e-mail addresses that existing accounts have. */
export type TakenKeys = { userNames: ReadonlySet<string>; emailAddresses: ReadonlySet<string> };

/** The key of PostgreSQL's advisory lock for all accounts. */
const ACCOUNTS_LOCK = 7_205_759_403;

/** What applications are told of a person, besides the addresses. */
const identifying = ['user_name', 'name', 'surname', 'is_email_confirmed', 'is_mobile_confirmed'] as const;

/** Returns the stored lists of roles with a role. Accounts share few lists. */
async function findRoleLists(on: Statements, isRole: (name: string) => boolean): Promise<string[]> {
  const lists = await on.selectFrom('account').select('roles').distinct().execute();
  return lists.map(({ roles }) => roles).filter((roles) => JSON.parse(roles).some(isRole));
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Keeps an id from other accounts when its own is deleted. */
async function retireId(on: Statements, id: number): Promise<void> {
  await on
    .insertInto('deleted_account')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @param random makes the `personId` of each new account. */
export function createAccountStore(database: Database, random: Pick<Random, 'uuid'>) {
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
    /** Returns the committed account. The fast read. */
    async find(id: number): Promise<Account | undefined> {
      const row = await read(id);
      return row && toAccount(row);
    },

    /** Returns the account as the transaction sees it. */
    async findIn(on: Statements, id: number): Promise<Account | undefined> {
      const [row] = await selectById(on, { id });
      return row && toAccount(row);
    },

    /** Returns the account as entries of the audit trail name it. */
    async readUser(on: Statements, id: number): Promise<{ id: number; name: string | null }> {
      const account = await this.findIn(on, id);
      return { id, name: account?.userName ?? null };
    },

    /** Returns those of these accounts that exist, as the transaction sees them, in no order. */
    async findAllIn(on: Statements, ids: readonly number[]): Promise<Account[]> {
      if (database.engine === 'postgres' && ids.length > 1) return (await selectAllById(on, { ids })).map(toAccount);
      const rows = [];
      for (const id of ids) rows.push(...(await selectById(on, { id })));
      return rows.map(toAccount);
    },

    /** Returns the account as the transaction sees it, and locks it until the transaction ends. */
    async findForUpdate(on: Statements, id: number): Promise<Account | undefined> {
      // On both engines, an update that changes nothing takes the row's lock.
      const row = await on
        .updateTable('account')
        .set((eb) => ({ is_active: eb.ref('is_active') }))
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toAccount(row);
    },

    /** Likewise those of these accounts that exist, in no order. At most a thousand. */
    async findAllForUpdate(on: Statements, ids: readonly number[]): Promise<Account[]> {
      const rows = await on
        .updateTable('account')
        .set((eb) => ({ is_active: eb.ref('is_active') }))
        .where('id', 'in', ids)
        .returning(columns)
        .execute();
      return rows.map(toAccount);
    },

    /** Finds an account by user name, else by e-mail address, in any spelling with the same key. */
    async findByName(on: Statements, name: string): Promise<(Account & { credential: Credential }) | undefined> {
      const key = nameKey(name);
      const rows = await selectByName(on, { key });
      const row = rows.find(({ user_name_key }) => user_name_key === key) ?? rows[0];
      return row && { ...toAccount(row), credential: { hash: row.password_hash, version: row.password_version } };
    },

    /** Returns the committed credential, or with `on` the credential as the transaction sees it. */
    async findCredential(id: number, on?: Statements): Promise<Credential | undefined> {
      const query = on?.selectFrom('account').select(credential).where('id', '=', id);
      const row = await (query ? query.executeTakeFirst() : readCredential(id));
      return row && { hash: row.password_hash, version: row.password_version };
    },

    /** Whether a person chose the account's password. An imported password counts as chosen, a generated one does not. */
    async hasChosenPassword(on: Statements, id: number): Promise<boolean> {
      const row = await on
        .selectFrom('account')
        .select('id')
        .where('id', '=', id)
        .where('password_changed_at', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Whether the account had a verified address before its last change, or an external login that was removed. */
    async hadOwner(on: Statements, id: number): Promise<boolean> {
      const row = await on
        .selectFrom('account')
        .select('id')
        .where('id', '=', id)
        .where('had_owner', '=', 1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Records that these accounts have had an owner: see `hadOwner`. At most a thousand. */
    async recordOwners(on: Statements, ids: readonly number[]): Promise<void> {
      await on.updateTable('account').set({ had_owner: 1 }).where('id', 'in', ids).execute();
    },

    /** Returns the ids of up to two accounts that have this number or, with `confirmed`, have verified it. */
    async findByMobile(
      on: Statements,
      mobileNumber: string,
      { confirmed }: { confirmed: boolean } = { confirmed: false },
    ): Promise<number[]> {
      let query = on.selectFrom('account').select('id').where('mobile', '=', mobileNumber);
      if (confirmed) query = query.where('is_mobile_confirmed', '=', 1);
      const rows = await query.limit(2).execute();
      return rows.map(({ id }) => id);
    },

    /** Adds an account. @returns its id, or `undefined` when its user name or e-mail address is taken. */
    async add(on: Statements, input: NewAccount, now: Instant): Promise<number | undefined> {
      const row = await on
        .insertInto('account')
        .values(toNewRow(input, random.uuid(), now))
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    /** Adds accounts together. @returns for each its id, or `undefined` when its user name or e-mail address is taken. */
    async addAll(on: Statements, inputs: readonly NewAccount[], now: Instant): Promise<(number | undefined)[]> {
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

    /** Returns the keys of the candidates' names and addresses that are taken. */
    async findTaken(
      on: Statements,
      candidates: readonly Pick<Account, 'userName' | 'emailAddress'>[],
    ): Promise<TakenKeys> {
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

    /** Replaces the members of an account. @throws UniqueViolation when the user name or e-mail address is taken. */
    async replace(on: Statements, id: number, input: AccountInput, now: Instant): Promise<void> {
      const row = toRow(input);
      await on
        .updateTable('account')
        .set((eb) => {
          const haveSameAddresses = eb.and([
            eb('email', 'is not distinct from', row.email),
            eb('mobile', 'is not distinct from', row.mobile),
          ]);
          const isSamePerson = eb.and([
            haveSameAddresses,
            ...identifying.map((column) => eb(column, '=', row[column])),
          ]);
          const version = eb.ref('password_version');
          const hasVerified = eb.or([eb('is_email_confirmed', '=', 1), eb('is_mobile_confirmed', '=', 1)]);
          return {
            ...row,
            had_owner: eb.case().when(hasVerified).then<0 | 1>(1).else(eb.ref('had_owner')).end(),
            updated_at: eb.case().when(isSamePerson).then(eb.ref('updated_at')).else(now).end(),
            password_version: eb
              .case()
              .when(eb.and([haveSameAddresses, eb('is_active', '=', row.is_active)]))
              .then(version)
              .else(eb(version, '+', 1))
              .end(),
          };
        })
        .where('id', '=', id)
        .execute();
    },

    /** Records that the owner has filled in all extra information. @returns whether this call was the first to record it. */
    async completeRegistration(on: Statements, id: number, now: Instant): Promise<boolean> {
      const row = await on
        .updateTable('account')
        .set({ registration_completed_at: now })
        .where('id', '=', id)
        .where('registration_completed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Records that the owner has proven this address. @returns whether it is still the account's. */
    async confirmEmail(on: Statements, id: number, address: string, now: Instant): Promise<boolean> {
      const update = on.updateTable('account').set((eb) => ({
        is_email_confirmed: 1,
        updated_at: eb.case().when('is_email_confirmed', '=', 1).then(eb.ref('updated_at')).else(now).end(),
      }));
      return (
        (await update.where('id', '=', id).where('email', '=', address).returning('id').executeTakeFirst()) !==
        undefined
      );
    },

    async setActive(on: Statements, id: number, isActive: boolean): Promise<void> {
      await on
        .updateTable('account')
        .set((eb) => ({ is_active: isActive ? 1 : 0, password_version: eb('password_version', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },

    retireId,

    async remove(on: Statements, id: number): Promise<void> {
      await retireId(on, id);
      // No foreign key deletes them with the account, and they do not expire.
      await on.deleteFrom('application_consent').where('account_id', '=', id).execute();
      await on.deleteFrom('account').where('id', '=', id).execute();
    },

    /** Stores a stronger hash of the same password, if that is still the current one. */
    async upgradeHash(
      on: Statements,
      id: number,
      { passwordVersion, upgradedHash: hash }: { passwordVersion: number; upgradedHash: string | undefined },
    ): Promise<void> {
      if (hash === undefined) return;
      const update = on.updateTable('account').set({ password_hash: hash }).where('id', '=', id);
      await update.where('password_version', '=', passwordVersion).execute();
    },

    /**
     * Records a sign-in and locks the account until the transaction ends. It requires an active account and, with
     * `passwordVersion`, that the verified password is still the current one. `upgradedHash` is a stronger hash of the same
     * password, which replaces the stored one.
     * @returns the account, or `undefined` when nothing was recorded.
     */
    async recordSignIn(
      on: Statements,
      id: number,
      { passwordVersion, upgradedHash }: { passwordVersion?: number; upgradedHash?: string | undefined },
      now: Instant,
    ): Promise<Account | undefined> {
      const [row] = await recordSignIn(on, { id, version: passwordVersion ?? null, hash: upgradedHash ?? null, now });
      return row && toAccount(row);
    },

    /** Sets a new password. With `provenVersion`, only if that is still the current version. @returns whether it was set. */
    async setPassword(
      on: Statements,
      id: number,
      { hash, mustChange, provenVersion }: { hash: string; mustChange: boolean; provenVersion?: number },
      now: Instant,
    ): Promise<boolean> {
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

    /** Takes a role from all accounts. @param isRole whether the name of a role of an account is this role's. */
    async removeRole(on: Statements, isRole: (name: string) => boolean): Promise<void> {
      for (const roles of await findRoleLists(on, isRole)) {
        const names: string[] = JSON.parse(roles);
        const kept = JSON.stringify(names.filter((name) => !isRole(name)));
        let last = 0;
        await inChunks(async (most) => {
          // After the last one: to begin again would pass all that is changed by now.
          const ofRoles = on.selectFrom('account').select('id').where('roles', '=', roles);
          const some = await ofRoles.where('id', '>', last).orderBy('id').limit(most).execute();
          const first = last + 1;
          last = some.at(-1)?.id ?? last;
          const change = on.updateTable('account').set({ roles: kept }).where('roles', '=', roles);
          await change.where('id', '>=', first).where('id', '<=', last).execute();
          return some.length;
        });
      }
    },

    /**
     * Takes one lock for all accounts until the transaction ends. Use it for rules across accounts that have no row to lock,
     * such as "one administrator is left" or "this number is free".
     */
    async lockAccounts(on: Statements): Promise<void> {
      // One lock for all accounts: transactions that lock rows in different orders would deadlock. SQLite runs one at a time.
      if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`.execute(on);
    },

    /** Likewise, and waits for all transactions that hold or change an account. Until this one ends, others wait to do so. */
    async lockEveryAccount(on: Statements): Promise<void> {
      if (database.engine !== 'postgres') return;
      await sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`.execute(on);
      await sql`lock table ${sql.table('account')} in exclusive mode`.execute(on);
    },

    ...createAccountLists(database),

    isEmpty: async (): Promise<boolean> =>
      !(await database.sql.selectFrom('account').select('id').limit(1).executeTakeFirst()),
  };
}
