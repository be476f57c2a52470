// Row locks on PostgreSQL: cleanup jobs wait for no other transaction, and trusted devices are locked in one order.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createLoginFlowStore } from '../../src/authentication/store.sql.ts';
import { createBudgetStore } from '../../src/budgets/store.sql.ts';
import { createMessageStore } from '../../src/delivery/store.sql.ts';
import { createTrustedDeviceStore, type TrustedDeviceStore } from '../../src/factors/store.devices.sql.ts';
import { createPasskeyStore } from '../../src/factors/store.passkeys.sql.ts';
import { createFactorOperationStore } from '../../src/factors/store.sql.ts';
import { type Instant, toInstant } from '../../src/foundation/clock.ts';
import { createGrantStore } from '../../src/grants/store.sql.ts';
import { createLockoutStore } from '../../src/lockout/store.sql.ts';
import { createAssertionStore } from '../../src/oauth/store.sql.ts';
import { createNoticeStore } from '../../src/owner-notices/store.sql.ts';
import { createSecretStore } from '../../src/proofs/store.secrets.sql.ts';
import { createPinStore } from '../../src/proofs/store.sql.ts';
import { createAuthorizationRequestStore } from '../../src/providers/store.sql.ts';
import { createSignOutStore } from '../../src/sign-outs/store.sql.ts';
import type { Database, Tables, Tx } from '../../src/storage/database.ts';
import { createSessionStore } from '../../src/tokens/store.sql.ts';
import { createMigratedUrl, openPatiently } from '../support/databases.ts';
import { type Locks, openLocks } from '../support/locks.ts';

type Job = (database: Database) => (before: Instant, limit: number) => Promise<unknown>;

/** Each job by its table. */
const jobs: { [Name in keyof Tables]?: Job } = {
  session: (database) => createSessionStore(database).deleteExpired,
  application_grant: (database) => createGrantStore(database).deleteOld,
  login_flow: (database) => createLoginFlowStore(database).deleteExpired,
  factor_operation: (database) => createFactorOperationStore(database).deleteExpired,
  trusted_device: (database) => createTrustedDeviceStore(database).deleteExpired,
  used_assertion: (database) => createPasskeyStore(database).deleteExpired,
  used_client_assertion: (database) => createAssertionStore(database).deleteExpired,
  authorization_request: (database) => createAuthorizationRequestStore(database).deleteExpired,
  pin: (database) => createPinStore(database).deleteExpired,
  reset_token: (database) => createSecretStore(database).deleteExpired,
  pin_budget: (database) => createBudgetStore(database).deleteExpired,
  lockout: (database) => createLockoutStore(database).deleteUnknown,
  owner_notice: (database) => createNoticeStore(database).deleteIdle,
  message: (database) => createMessageStore(database).deleteSettled,
  sign_out: (database) => createSignOutStore(database).deleteOld,
};

/** Columns whose value matters to the job. */
const chosen: Record<string, string> = {
  'lockout.subject': 'unknown:x',
  'owner_notice.waiting': '[]',
  'message.settled_at': '1',
};

describe('row locks on PostgreSQL', () => {
  let database: Database;
  let locks: Locks;
  before(async () => {
    const url = await createMigratedUrl('postgres');
    database = await openPatiently(url);
    locks = await openLocks(url);
    await addRow('account');
  });
  after(async () => {
    await locks.close();
    await database.close();
  });

  afterEach(() => locks.release());

  /** Adds a row of long ago. */
  async function addRow(table: string, given: Record<string, string> = {}) {
    const { rows: columns } = await sql<{ column_name: string; data_type: string; needed: boolean }>`
      select column_name, data_type, is_nullable = 'NO' and column_default is null and is_identity = 'NO' as needed
      from information_schema.columns where table_schema = current_schema() and table_name = ${table}`.execute(
      database.sql,
    );
    const values = columns.flatMap(({ column_name: name, data_type: type, needed }) => {
      const value = given[name] ?? chosen[`${table}.${name}`] ?? (needed ? (type === 'text' ? 'x' : '1') : undefined);
      return value === undefined ? [] : [[name, value] as const];
    });
    await sql`insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.ref(name)))})
      values (${sql.join(values.map(([, value]) => sql.lit(value)))})`.execute(database.sql);
  }

  for (const [table, job] of Object.entries(jobs)) {
    it(`leaves rows of ${table} that another transaction has locked to the next run`, async () => {
      const run = () => job(database)(toInstant(1_000_000), 10);
      const count = async () => (await sql`select from ${sql.table(table)}`.execute(database.sql)).rows.length;
      await addRow(table);
      await locks.hold(`select from ${table} for update`);
      await run();
      assert.equal(await count(), 1);
      await locks.release();
      await run();
      assert.equal(await count(), 0);
    });
  }

  const changes: Record<string, (store: TrustedDeviceStore, tx: Tx) => Promise<void>> = {
    'the removal of all': (store, tx) => store.removeAll(tx.sql),
    'the removal of an account’s': (store, tx) => store.removeOfAccount(tx.sql, 1),
    'another key of their front end': (store, tx) => store.moveFrontEnd(tx.sql, 'x', 'y'),
    'the end of their front end': (store, tx) => store.moveFrontEnd(tx.sql, 'x', null),
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`${name} locks trusted devices in the order of their ids`, async () => {
      await sql`delete from trusted_device`.execute(database.sql);
      for (const id of ['b', 'a']) await addRow('trusted_device', { id, mac: id });
      const lockOf = (id: string) => `select from trusted_device where id = '${id}' for update`;
      await locks.hold(lockOf('a'));
      const changed = database.transaction((tx) => change(createTrustedDeviceStore(database), tx));
      await locks.untilWaiting(1);
      await locks.hold(lockOf('b'));
      await locks.release();
      await changed;
    });
  }
});
