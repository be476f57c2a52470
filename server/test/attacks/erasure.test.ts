// Erasing a person: nothing of the person stays in any table or file, whenever it was written, and others keep what is theirs.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql, type TableMetadata } from 'kysely';
import { createManagement } from '../../src/account-changes/index.ts';
import { operator } from '../../src/app/first-start.ts';
import { createChainSource, verifyChain } from '../../src/audit/index.ts';
import { createErasure } from '../../src/persons/erasure.ts';
import { personalData } from '../../src/persons/index.ts';
import { personsSlice } from '../../src/persons/slice.ts';
import { createPersonStore } from '../../src/persons/store.sql.ts';
import { addressOf, beside, createMigratedUrl, engines } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { openLocks } from '../support/locks.ts';
import { createClient, signInTo } from '../support/oauth.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const USER = '/api/services/app/User';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
/** It stands in every value of the person. */
const CANARY = 'kanarienvogel';
const LATE_SECONDS = 300;
const LAST_SECONDS = 129_600;

/** Columns that hold JSON. */
const JSON_COLUMNS = /^(roles|reservations|waiting|details)$/;

for (const engine of engines) {
  describe(`erasing a person on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let folder: string;
    let people = 0;
    let tables: TableMetadata[];
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
      const url = engine === 'sqlite' ? `sqlite:${join(folder, 'latchkey.db')}` : await createMigratedUrl(engine);
      test = await startTestService(engine, { url });
      await test.createUser('sipho', { roleNames: ['UserManager'] });
      // Once: PostgreSQL takes long for it.
      tables = await db().introspection.getTables();
    });
    after(async () => {
      await test.close();
      rmSync(folder, { recursive: true });
    });
    beforeEach(async () => {
      admin = await test.admin();
    });

    const db = () => test.service.database.sql;
    const idOf = async (keyword: string) =>
      (await test.get(`${USER}/GetAll`, { token: admin, query: { keyword } })).result.items[0]?.id ?? assert.fail();
    const erase = (id: number, token = admin) => test.post(`${USER}/Erase`, { token, body: { id } });
    const runJobs = async () => {
      for (const job of test.service.jobs) await job();
    };

    /** Adds a person with a value in every column of every table that stores something about persons. */
    async function addPerson() {
      people += 1;
      const name = `${CANARY}${people}`;
      const id = await test.createUser(name, {
        name,
        surname: name,
        emailAddress: `${name}@example.org`,
        isEmailConfirmed: true,
        mobileNumber: `+2782123${4000 + people}`,
      });
      for (const [table, { columns, ...data }] of Object.entries(personalData)) {
        if ('impersonal' in data || table === 'account' || table === 'audit' || table === 'audit_key') continue;
        for (const { column, has, since, unless } of data.rows) {
          const found = {
            accountId: id,
            lockoutSubject: `account:${id}`,
            pinSubject: `email:${name}@example.org`,
            userName: name,
            address: `${name}@example.org`,
          }[has];
          // Of a row that stays, only the emptied columns say something of the person.
          const isKept = data.erased !== 'deleted';
          const given = {
            [column]: found,
            ...(since !== undefined && { [since]: test.clock.now() }),
            ...(unless !== undefined && { [unless]: null }),
            ...(column === 'changed_by_id' && { changed_by: name }),
          };
          await insertRow(table, Object.keys(columns), given, isKept ? `kept${people}` : name);
        }
      }
      return { id, name };
    }

    const columnsOf = (table: keyof typeof personalData) => Object.keys(personalData[table].columns);

    async function insertRow(table: string, columns: string[], found: Record<string, unknown>, name: string) {
      const described = tables.find((one) => one.name === table);
      const values = columns.flatMap((column) => {
        const type = described?.columns.find((one) => one.name === column);
        if (type?.isAutoIncrementing) return [];
        if (column in found) return [[column, found[column]]];
        if (column === 'account_id') return type?.isNullable ? [] : [[column, 0]];
        const isText = /text/i.test(type?.dataType ?? '');
        const text = JSON_COLUMNS.test(column) ? `["${name}"]` : `${name} ${table} ${column} ${Object.keys(found)}`;
        return [[column, isText ? text : 1]];
      });
      await db()
        .withTables<Record<string, Record<string, unknown>>>()
        .insertInto(table)
        .values(Object.fromEntries(values))
        .execute();
    }

    /** Returns each column that has the text, as `table.column`. */
    async function findInTables(text: string): Promise<string[]> {
      const found = [];
      for (const { name: table, columns } of tables) {
        for (const { name: column } of columns) {
          const { rows } = await sql`select 1 from ${sql.table(table)}
            where cast(${sql.ref(column)} as text) like ${`%${text}%`} limit 1`.execute(db());
          if (rows.length > 0) found.push(`${table}.${column}`);
        }
      }
      return found;
    }
    const readFiles = () =>
      ['', '-wal'].map((ending) => readFileSync(join(folder, `latchkey.db${ending}`), 'latin1')).join('');

    /** Verifies the chain of all entries. */
    async function assertVerified() {
      await test.service.chainer.chainAll();
      assert.equal((await verifyChain(createChainSource(test.service.database))).misfit, undefined);
    }
    const erasuresOf = (id: number) =>
      db().selectFrom('audit_erasure').selectAll().where('account_id', '=', id).execute();
    const keysOf = (id: number) => db().selectFrom('audit_key').selectAll().where('account_id', '=', id).execute();

    /** Records a refused sign-in of an account that is gone. */
    async function recordLate({ id, name }: { id: number; name: string }) {
      const origin = { ipAddress: '192.0.2.98', userAgent: name, frontEnd: 'default-app' };
      const late = { action: { name: 'signIn.password', description: '' }, outcome: 'refused', origin } as const;
      await test.service.audit.recordAlone({ ...late, user: { id, name } });
      await test.service.chainer.chainAll();
    }

    /** Gives the number of an erased account again, as an import does. */
    async function giveAgain(id: number) {
      const of = db().selectFrom('account').selectAll().where('user_name', '=', 'sipho');
      const row = await of.executeTakeFirstOrThrow();
      const next = { ...row, id, user_name: `next${id}`, user_name_key: `next${id}`, person_id: `next${id}` };
      await test.service.database.transaction(async (tx) => {
        await test.service.accounts.lockAccounts(tx.sql);
        await tx.sql.insertInto('account').values(next).execute();
      });
    }
    const entriesOf = (id: number) =>
      db().selectFrom('audit').selectAll().where('user_id', '=', id).orderBy('id').execute();

    it('leaves nothing in any table, and nothing of others is lost', async () => {
      const [erased, other] = [await addPerson(), await addPerson()];
      await test.signIn(erased.name);
      const before = await findInTables(other.name);
      assert.ok((await findInTables(erased.name)).length > 40);
      assert.equal((await erase(erased.id)).result, true);
      assert.deepEqual(await findInTables(erased.name), []);
      assert.deepEqual(await findInTables(other.name), before);
      assert.equal((await test.get(`${USER}/Get`, { token: admin, query: { id: erased.id } })).status, 404);
      if (engine === 'sqlite') {
        assert.ok(readFiles().includes(other.name));
        assert.ok(!readFiles().includes(erased.name));
      }
    });

    it('leaves the actions, times and outcomes of the trail, and one entry that tells of it', async () => {
      const { id, name } = await addPerson();
      await test.signIn(name);
      await test.post(AUTHENTICATE, { body: { userNameOrEmailAddress: name, password: 'wrong' } });
      const kept = ['id', 'at', 'action', 'outcome', 'reason', 'front_end', 'user_id'] as const;
      const core = async () => (await entriesOf(id)).map((entry) => kept.map((column) => entry[column]));
      const former = await core();
      await erase(id);
      const now = await entriesOf(id);
      assert.deepEqual((await core()).slice(0, -1), former);
      for (const { user_name, ip_address, user_agent, details, erased_for } of now.slice(0, -1)) {
        assert.deepEqual([user_name, ip_address, user_agent, details, erased_for], [null, null, null, null, id]);
      }
      const told = now.at(-1);
      assert.deepEqual([told?.action, told?.user_name, told?.erased_for], ['account.erased', null, null]);
      assert.match(told?.details ?? '', /^{"by":"admin","byId":\d+}$/);
      await assertVerified();
    });

    it('takes the administrator out of the entries about others, and leaves what was done', async () => {
      people += 1;
      const name = `${CANARY}${people}`;
      const id = await test.createUser(name, { roleNames: ['Administrator'] });
      const token = await test.signIn(name);
      const patient = await test.createUser(`patient${people}`);
      const query = { token, ip: '192.0.2.99', headers: { 'user-agent': name } };
      await test.send('PUT', `${USER}/Update`, { ...query, body: { id: patient, surname: 'Nkosi' } });
      await test.service.chainer.chainAll();
      await erase(id);
      await test.service.chainer.chainAll();
      await runJobs();
      assert.deepEqual(await findInTables(name), []);
      assert.deepEqual(await findInTables('192.0.2.99'), []);
      const entry = (await entriesOf(patient)).find(({ action }) => action === 'account.updated');
      assert.equal(entry?.erased_by_for, id);
      assert.match(entry?.details ?? '', new RegExp(`^{"byId":${id},"changed":\\["surname"\\]`));
      assert.equal(entry?.user_name, `patient${people}`);
      await assertVerified();
      test.clock.advance(LATE_SECONDS);
      await runJobs();
      await assertVerified();
    });

    it('takes out what transactions write that had begun before', async () => {
      const { id, name } = await addPerson();
      await test.service.chainer.chainAll();
      await erase(id);
      await insertRow('message', columnsOf('message'), { account_id: id }, name);
      await recordLate({ id, name });
      const key = (await keysOf(id))[0]?.key ?? '';
      assert.ok(key.length > 20);
      await runJobs();
      assert.notDeepEqual(await findInTables(name), []);
      test.clock.advance(LATE_SECONDS);
      await runJobs();
      assert.deepEqual(await findInTables(name), []);
      assert.deepEqual(await findInTables('192.0.2.98'), []);
      await assertVerified();
      const lockouts = db().selectFrom('lockout').selectAll().where('subject', '=', `account:${id}`);
      assert.deepEqual(await lockouts.execute(), []);
      assert.deepEqual(await keysOf(id), []);
      if (engine === 'sqlite') assert.ok(![name, key].some((text) => readFiles().includes(text)));
    });

    it('takes out what a node writes that was without the database for hours', async () => {
      const { id, name } = await addPerson();
      await test.service.chainer.chainAll();
      await erase(id);
      const set = { ended_at: test.clock.now() };
      await db().updateTable('sign_out').set(set).where('account_id', '=', id).execute();
      test.clock.advance(LATE_SECONDS);
      await runJobs();
      assert.deepEqual(await keysOf(id), []);
      await recordLate({ id, name });
      const signOuts = db().selectFrom('sign_out').select('account_id').where('account_id', '=', id);
      assert.equal((await signOuts.execute()).length, 1, 'applications are still told');
      test.clock.advance(LAST_SECONDS - LATE_SECONDS);
      await runJobs();
      assert.deepEqual(await signOuts.execute(), []);
      assert.deepEqual(await findInTables(name), []);
      assert.deepEqual(await findInTables('192.0.2.98'), []);
      assert.deepEqual([await erasuresOf(id), await keysOf(id)], [[], []]);
      await assertVerified();
    });

    it('leaves what an application is told until the last try', async (context) => {
      const receiver = await startWebhookReceiver();
      context.after(() => receiver.stop());
      receiver.answer((response) => response.writeHead(503).end());
      const client = await createClient(test, { backchannelLogoutUri: receiver.url });
      const id = await test.createUser(`told${people}`);
      await signInTo(test, client, `told${people}`);
      await erase(id);
      await test.service.chainer.chainAll();
      const signOuts = db().selectFrom('sign_out').select('due_at').where('account_id', '=', id);
      const next = () => signOuts.where('state', '=', 'pending').executeTakeFirst();
      for (let waiting = await next(); waiting; waiting = await next()) {
        test.clock.advance((waiting.due_at - test.clock.now()) / 1000);
        await runJobs();
        await test.service.signOutDeliveries.deliverDue(client.id);
      }
      assert.equal(receiver.take().length, 9);
      test.clock.advance(LAST_SECONDS);
      await runJobs();
      assert.deepEqual(await signOuts.execute(), []);
    });

    it('is not delayed by a clock that was ahead', async () => {
      const { id } = await addPerson();
      await test.service.chainer.chainAll();
      await erase(id);
      await db()
        .updateTable('audit_erasure')
        .set({ erased_at: 9e12 as never })
        .where('account_id', '=', id)
        .execute();
      await runJobs();
      test.clock.advance(LATE_SECONDS);
      await runJobs();
      assert.deepEqual(await keysOf(id), []);
      test.clock.advance(LAST_SECONDS);
      await runJobs();
      assert.deepEqual(await erasuresOf(id), []);
    });

    it('goes on past erasures that are stuck', async () => {
      const { id } = await addPerson();
      await test.service.chainer.chainAll();
      await erase(id);
      // Each waits for the entry above, which is not chained yet.
      const stuck = Array.from({ length: 45 }, (_, index) => ({
        account_id: 8_000_000 + index,
        entry_id: 8_000_000,
        erased_at: 1 as never,
        step: 1 as const,
      }));
      await db().insertInto('audit_erasure').values(stuck).execute();
      await personsSlice.create(test.service).jobs[0]?.();
      assert.equal((await erasuresOf(id))[0]?.step, 2);
      await db().deleteFrom('audit_erasure').where('entry_id', '=', 8_000_000).execute();
    });

    it('goes on with the others when one fails, and gives the service a turn between any two', async () => {
      const people = [await addPerson(), await addPerson()];
      const [failing, other] = people.map(({ id }) => id);
      await test.service.chainer.chainAll();
      for (const { id } of people) await erase(id);
      await test.service.chainer.chainAll();
      test.clock.advance(LATE_SECONDS);
      const { accounts } = test.service;
      const findIn: typeof accounts.findIn = (on, id) =>
        id === failing ? Promise.reject(new Error('away')) : accounts.findIn(on, id);
      const [goOn = assert.fail('no job')] = personsSlice.create({
        ...test.service,
        accounts: { ...accounts, findIn },
      }).jobs;
      let turns = 0;
      const look = () => {
        turns += 1;
        next = setImmediate(look);
      };
      let next = setImmediate(look);
      await assert.rejects(goOn(), /away/);
      clearImmediate(next);
      assert.ok(turns >= people.length, `${turns} turns`);
      const stepOf = async (id = 0) => (await erasuresOf(id))[0]?.step;
      assert.deepEqual([await stepOf(failing), await stepOf(other)], [2, 3]);
      await personsSlice.create(test.service).jobs[0]?.();
      assert.equal(await stepOf(failing), 3);
    });

    it('answers that it is done when the entries have to wait', async () => {
      const { id, name } = await addPerson();
      const stop = engine === 'sqlite' ? "begin select raise(abort, 'stop'); end" : 'execute function stop()';
      if (engine === 'postgres') {
        await sql`create function stop() returns trigger language plpgsql as 'begin raise exception ''stop''; end'`.execute(
          db(),
        );
      }
      await sql`create trigger stop before update of erased_for on audit for each row ${sql.raw(stop)}`.execute(db());
      const { status } = await erase(id);
      await sql`drop trigger stop ${sql.raw(engine === 'sqlite' ? '' : 'on audit')}`.execute(db());
      assert.equal(status, 200);
      assert.notDeepEqual(await findInTables(name), []);
      await runJobs();
      assert.deepEqual(await findInTables(name), []);
    });

    it('leaves the pins of others who gave the same address', async () => {
      const [{ id, name }, other] = [await addPerson(), await addPerson()];
      const found = { account_id: other.id, address: `${name}@example.org` };
      await insertRow('pin', columnsOf('pin'), found, 'foreign');
      const { text } = await test.get(`${USER}/ExportPerson`, { token: admin, query: { userId: id } });
      assert.ok(text.includes(`${name}@example.org`));
      assert.ok(!text.includes('foreign'));
      await erase(id);
      const left = db().deleteFrom('pin').where('account_id', '=', other.id).where('address', '=', found.address);
      assert.equal((await left.executeTakeFirst()).numDeletedRows, 1n);
    });

    it('goes on after a crash in the middle of a long trail', async () => {
      const { id, name } = await addPerson();
      const at = test.clock.now();
      const row = { at, action: 'session.refreshed', outcome: 'success', user_id: id, user_name: name } as const;
      for (let batch = 0; batch < 3; batch += 1) {
        await db()
          .insertInto('audit')
          .values(Array.from({ length: 401 }, () => row))
          .execute();
      }
      // As after a crash: the account is gone, and the entries are there.
      const { auditErasure, database, accounts } = test.service;
      await database.transaction(async (tx) => {
        await accounts.remove(tx.sql, id);
        await auditErasure.begin(tx, id, {});
      });
      await test.service.chainer.chainAll();
      const node = await startTestService(engine, { url: await urlOf(), clock: test.clock });
      for (const job of node.service.jobs) await job();
      await node.close();
      const left = (await entriesOf(id)).filter(({ user_name }) => user_name !== null);
      assert.equal(left.length, 0);
    });

    it('keeps the entries of a new account with the same number', async () => {
      const { id, name } = await addPerson();
      await erase(id);
      await giveAgain(id);
      await test.signIn(`next${id}`);
      await test.service.chainer.chainAll();
      test.clock.advance(LATE_SECONDS);
      await runJobs();
      assert.deepEqual(await findInTables(name), []);
      assert.ok((await entriesOf(id)).some(({ user_name }) => user_name === `next${id}`));
      assert.ok(await test.signIn(`next${id}`));
      await assertVerified();
    });

    it('leaves a new account that gets the number while late rows are removed', async () => {
      const { id } = await addPerson();
      await test.service.chainer.chainAll();
      await erase(id);
      test.clock.advance(LATE_SECONDS);
      const { accounts } = test.service;
      let given: Promise<void> | undefined;
      const findIn: typeof accounts.findIn = async (on, wanted) => {
        const found = await accounts.findIn(on, wanted);
        if (wanted === id) given ??= beside(() => giveAgain(id));
        // Only a transaction makes the import wait.
        if (wanted === id && on === db()) await given;
        return found;
      };
      await personsSlice.create({ ...test.service, accounts: { ...accounts, findIn } }).jobs[0]?.();
      await given;
      assert.ok(await test.signIn(`next${id}`));
    });

    it('takes out a person whose account was deleted before, once, for administrators who hold all permissions', async () => {
      const { id, name } = await addPerson();
      const token = await test.signIn(name);
      assert.equal((await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id } })).status, 200);
      const manager = await test.signIn('sipho');
      const refused = [await erase(id, manager), await erase(9_000_000, manager), await erase(id, token)];
      assert.deepEqual(
        refused.map(({ status }) => status),
        [403, 404, 401],
      );
      assert.notDeepEqual(await findInTables(name), []);
      const answers = await Promise.all([erase(id), erase(id), erase(id)]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404]);
      // What only its name or address finds goes with time: messages after a week, pins after hours.
      const kept = (await findInTables(name)).filter((column) => !/^(message|pin|pin_budget)\./.test(column));
      assert.deepEqual(kept, []);
      assert.equal((await entriesOf(id)).filter(({ action }) => action === 'account.erased').length, 1);
      await assertVerified();
      test.clock.advance(LATE_SECONDS);
      await runJobs();
      assert.deepEqual(await keysOf(id), []);
      assert.equal((await erase(id)).status, 404);
      await assertVerified();
    });

    it('leaves an account that an import gives the number of a deleted one', async () => {
      const { id } = await addPerson();
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id } });
      const { service } = test;
      const find: typeof service.accounts.find = async (wanted) => {
        const found = await service.accounts.find(wanted);
        await giveAgain(wanted);
        return found;
      };
      const { eraseOther } = createErasure({
        ...service,
        accounts: { ...service.accounts, find },
        store: createPersonStore(service.database),
        management: createManagement(service),
      });
      const by = await service.authorization.permit(admin, 'Pages.Users', {});
      const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
      await assert.rejects(eraseOther(id, { ...by, origin }), { reason: 'account.notFound' });
      assert.ok(await test.signIn(`next${id}`));
    });

    const changeTables = ['external_provider_change', 'setting_change', 'setting_value'] as const;
    const rename = async (id: number, userName: string) => {
      const { status, text } = await test.send('PUT', `${USER}/Update`, { token: admin, body: { id, userName } });
      assert.equal(status, 200, text);
    };

    it('takes a former name out of the history of settings, though another account has it now', async () => {
      people += 1;
      const [former, given, last] = [`${CANARY}${people}a`, `${CANARY}${people}b`, `${CANARY}${people}c`];
      const id = await test.createUser(former, { roleNames: ['Administrator'] });
      for (const [name, next] of [
        [former, given],
        [given, last],
      ] as const) {
        const body = { name: 'Latchkey.OwnErasure', value: { isOffered: name === former } };
        const token = await test.signIn(name);
        assert.equal((await test.post('/api/services/app/Settings/UpdateValue', { token, body })).status, 200);
        await rename(id, next);
      }
      const other = await test.createUser(given);
      await erase(id);
      assert.deepEqual(await findInTables(former), []);
      assert.deepEqual(
        (await findInTables(given)).filter((column) => /^setting/.test(column)),
        [],
      );
      await erase(other);
      assert.deepEqual(await findInTables(given), []);
    });

    it('takes out, and hands out, changes under a former name that the trail does not keep any more', async () => {
      const { id, name: former } = await addPerson();
      for (const table of changeTables) await db().deleteFrom(table).where('changed_by_id', 'is', null).execute();
      await rename(id, `renamed${people}`);
      const { result } = await test.get(`${USER}/ExportPerson`, { token: admin, query: { userId: id } });
      const { settings, settingChanges, externalProviderChanges } = result;
      assert.deepEqual(
        [settings, settingChanges, externalProviderChanges].map((rows) => rows.length),
        [1, 1, 1],
      );
      await test.service.chainer.chainAll();
      // Longer than the trail is kept.
      test.clock.advance(400 * 86_400);
      await runJobs();
      assert.ok((await entriesOf(id)).every(({ user_name }) => user_name !== former));
      admin = await test.admin();
      await erase(id);
      assert.deepEqual(await findInTables(former), []);
      assert.deepEqual(await findInTables(`renamed${people}`), []);
    });

    it('takes out what a former version has left under a former name, unless another account has that name now', async () => {
      const addRenamed = async () => {
        const person = await addPerson();
        for (const table of changeTables) await db().deleteFrom(table).where('changed_by_id', '=', person.id).execute();
        await rename(person.id, `renamed${person.id}`);
        return person;
      };
      const alone = await addRenamed();
      await erase(alone.id);
      assert.deepEqual(await findInTables(alone.name), []);

      const { id, name: former } = await addRenamed();
      const other = await test.createUser(former);
      await erase(id);
      const left = (await findInTables(former)).filter((column) => column.endsWith('.changed_by'));
      assert.deepEqual(
        left.toSorted(),
        changeTables.map((table) => `${table}.changed_by`),
      );
      await erase(other);
      assert.deepEqual(await findInTables(former), []);
    });

    it('leaves, and hands out, nothing of an account that had the name before', async () => {
      people += 1;
      const name = `${CANARY}${people}`;
      const former = await test.createUser(name, { roleNames: ['Administrator'] });
      const body = { name: 'Latchkey.PhoneNumbers', value: { allowedCountries: ['ZA'] } };
      const change = { token: await test.signIn(name), body };
      const changed = await test.post('/api/services/app/Settings/UpdateValue', change);
      assert.equal(changed.status, 200, changed.text);
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: former } });
      test.clock.advance(1);
      const later = await test.createUser(name);
      const { result } = await test.get(`${USER}/ExportPerson`, { token: admin, query: { userId: later } });
      assert.deepEqual([result.settings, result.settingChanges], [[], []]);
      assert.equal((await erase(later)).status, 200);
      const history = await test.get('/api/services/app/Settings/GetHistory', {
        token: admin,
        query: { name: body.name },
      });
      assert.equal(history.result.items[0]?.by, name);
    });

    it('leaves, and hands out, nothing of a deleted account whose name an older one has now', async () => {
      people += 1;
      const name = `${CANARY}${people}`;
      const later = await test.createUser(`older${people}`);
      const former = await test.createUser(name, { roleNames: ['Administrator'] });
      const token = await test.signIn(name);
      const SERVICE = '/api/services/app';
      const value = { allowedCountries: ['DE'] };
      await test.post(`${SERVICE}/Settings/UpdateValue`, { token, body: { name: 'Latchkey.PhoneNumbers', value } });
      const body = { type: 'google', name, displayName: 'Google', clientId: 'id', clientSecret: 'secret' } as const;
      const { id } = (await test.post(`${SERVICE}/ExternalProvider/Create`, { token, body })).result;
      await test.send('PUT', `${SERVICE}/ExternalProvider/Update`, { token, body: { id, displayName: 'Ours' } });
      const changes = () =>
        Promise.all(
          changeTables.map(async (table) =>
            (await db().selectFrom(table).select('changed_by').where('changed_by_id', '=', former).execute()).map(
              ({ changed_by }) => changed_by,
            ),
          ),
        );
      assert.deepEqual(await changes(), [[name], [name], [name]]);
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: former } });

      await rename(later, name);
      const { result } = await test.get(`${USER}/ExportPerson`, { token: admin, query: { userId: later } });
      assert.deepEqual([result.settings, result.settingChanges, result.externalProviderChanges], [[], [], []]);
      await rename(later, `renamed${people}`);
      await rename(later, name);
      assert.equal((await erase(later)).status, 200);
      assert.deepEqual(await changes(), [[name], [name], [name]]);
      assert.equal((await erase(former)).status, 200);
      assert.deepEqual(await findInTables(name), ['external_provider.name', 'external_provider.name_key']);
    });

    it('leaves, and hands out, nothing of an operator whose name an account has', async () => {
      people += 1;
      const name = `operator${people}`;
      const id = await test.createUser(name);
      test.clock.advance(1);
      const value = { allowedCountries: ['FR'] };
      await test.service.settings.update('Latchkey.PhoneNumbers', '', value, operator(name));
      const { result } = await test.get(`${USER}/ExportPerson`, { token: admin, query: { userId: id } });
      assert.deepEqual([result.settings, result.settingChanges], [[], []]);
      assert.equal((await erase(id)).status, 200);
      const query = { name: 'Latchkey.PhoneNumbers' };
      const history = await test.get('/api/services/app/Settings/GetHistory', { token: admin, query });
      assert.equal(history.result.items[0]?.by, name);
    });

    it('is for administrators who may manage the account, and for no own account', async () => {
      const { id } = await addPerson();
      const manager = await test.signIn('sipho');
      const user = await test.signIn(`${CANARY}${people}`);
      const me = await idOf('admin');
      const refuse = async (wanted: number, token: string) => {
        const { status, error } = await erase(wanted, token);
        return [status, error.reason];
      };
      assert.deepEqual(await refuse(id, user), [403, 'permission.denied']);
      assert.deepEqual(await refuse(me, manager), [403, 'permission.denied']);
      assert.deepEqual(await refuse(me, admin), [403, 'permission.denied']);
      assert.deepEqual(await refuse(9_000_000, admin), [404, 'account.notFound']);
      assert.equal((await erase(id, manager)).status, 200);
      assert.deepEqual(await refuse(id, admin), [404, 'account.notFound']);
    });

    it('reads no trail before the administrator may erase the account', async () => {
      const me = await idOf('admin');
      const { id } = await addPerson();
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id } });
      const { service } = test;
      const { eraseOther } = createErasure({
        ...service,
        store: { ...createPersonStore(service.database), readEntries: async () => assert.fail('The trail was read.') },
        management: createManagement(service),
      });
      const by = await service.authorization.permit(await test.signIn('sipho'), 'Pages.Users', {});
      const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
      for (const wanted of [me, id])
        await assert.rejects(eraseOther(wanted, { ...by, origin }), { reason: 'permission.denied' });
      await assert.rejects(eraseOther(9_000_000, { ...by, origin }), { reason: 'account.notFound' });
    });

    describe('by the owner', () => {
      const eraseOwn = async (token: string, body: object = { currentPassword: USER_PASSWORD }) => {
        const { status, error } = await test.post(`${USER}/EraseMyAccount`, { token, body });
        return status === 200 ? [200] : [status, error.reason];
      };
      const offer = (isOffered: boolean) => test.set('Latchkey.OwnErasure', { isOffered });

      it('is off by default', async () => {
        const { name } = await addPerson();
        assert.deepEqual(await eraseOwn(await test.signIn(name)), [400, 'account.erasureNotOffered']);
      });

      it('needs the password, and leaves nothing', async () => {
        await offer(true);
        const { id, name } = await addPerson();
        const token = await test.signIn(name);
        assert.deepEqual(await eraseOwn(token, {}), [403, 'factor.reauthenticationRequired']);
        assert.deepEqual(await eraseOwn(token, { currentPassword: 'wrong' }), [400, 'password.incorrect']);
        assert.ok(await test.signIn(name));
        assert.deepEqual(await eraseOwn(token), [200]);
        assert.deepEqual(await findInTables(name), []);
        const told = (await entriesOf(id)).at(-1);
        assert.deepEqual([told?.action, told?.ip_address, told?.details], ['account.erased', null, null]);
        assert.deepEqual(await eraseOwn(token), [401, 'token.revoked']);
        await assertVerified();
      });

      it('needs the second factor of an account that has one', async () => {
        await offer(true);
        const factors = useFactors({ here: test, there: test, close: async () => {} });
        await factors.allow({ authenticator: true });
        const { name } = await addPerson();
        await db().deleteFrom('passkey').execute();
        await db().deleteFrom('authenticator').execute();
        const token = await test.signIn(name);
        await factors.enroll(token);
        test.clock.advance(301);
        assert.deepEqual(await eraseOwn(token), [403, 'factor.secondFactorRequired']);
      });

      it('is refused to administrators, whose acts would leave the trail with them', async () => {
        await offer(true);
        const body = { currentPassword: 'correct horse battery' };
        assert.deepEqual(await eraseOwn(admin, body), [403, 'permission.denied']);
        const id = await test.createUser(`second${people}`, { roleNames: ['Administrator'] });
        assert.deepEqual(await eraseOwn(await test.signIn(`second${people}`)), [403, 'permission.denied']);
        assert.deepEqual(await eraseOwn(await test.signIn('sipho')), [403, 'permission.denied']);
        assert.equal((await erase(id)).status, 200);
      });
    });

    async function urlOf() {
      if (engine === 'sqlite') return `sqlite:${join(folder, 'latchkey.db')}`;
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db());
      return addressOf(process.env.LATCHKEY_TEST_POSTGRES ?? '', rows[0]?.name ?? '');
    }
  });
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`erasing a person while the person acts, on ${name}`, () => {
    let setUp: SetUp;
    before(async () => {
      setUp = await start();
    });
    after(() => setUp.close());

    it('leaves nothing in the trail and in the outbox, and the chain verifies', async () => {
      const { here, there } = setUp;
      const admin = await here.admin();
      const people = Array.from({ length: often(4, 20) }, (_, index) => `${CANARY}race${index}`);
      const ids: number[] = [];
      for (const person of people) {
        ids.push(await here.createUser(person, { emailAddress: `${person}@example.org`, isEmailConfirmed: true }));
      }
      const answers = await Promise.all(
        people.flatMap((person, index) => [
          ...[here, there, here, there].map((node) =>
            node.post(AUTHENTICATE, { body: { userNameOrEmailAddress: person, password: USER_PASSWORD } }),
          ),
          there.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: person } }),
          here.post(`${USER}/SendEmailLink`, { body: { username: person } }),
          there.get(`${USER}/ExportPerson`, { token: admin, query: { userId: ids[index] ?? 0 } }),
          here.post(`${USER}/Erase`, { token: admin, body: { id: ids[index] } }),
          there.post(`${USER}/Erase`, { token: admin, body: { id: ids[index] } }),
        ]),
      );
      const broken = answers.filter(({ status }) => status >= 500 && status !== 503);
      assert.deepEqual(
        broken.map(({ text }) => text),
        [],
      );
      const { service, clock } = here;
      const { sql: statements } = service.database;
      const left = await statements.selectFrom('account').select('id').where('id', 'in', ids).execute();
      for (const { id } of left) await here.post(`${USER}/Erase`, { token: admin, body: { id } });
      await service.chainer.chainAll();
      for (const wait of [0, LATE_SECONDS]) {
        clock.advance(wait);
        for (const job of [...service.jobs, ...there.service.jobs]) await job();
      }
      const named = (text: string | null) => text?.includes(CANARY);
      for (const entry of await statements.selectFrom('audit').selectAll().where('user_id', 'in', ids).execute()) {
        assert.ok(!named(entry.user_name) && !named(entry.details), entry.action);
      }
      for (const { recipient } of await statements.selectFrom('message').select('recipient').execute()) {
        assert.ok(!named(recipient));
      }
      await service.chainer.chainAll();
      assert.equal((await verifyChain(createChainSource(service.database))).misfit, undefined);
    });
  });
}

it('an erasure and a request for a link of the person do not wait for each other', async (context) => {
  const url = await createMigratedUrl('postgres');
  const test = await startTestService('postgres', { url });
  context.after(() => test.close());
  const locks = await openLocks(url);
  context.after(() => locks.close());
  await test.set('Shesha.Security', { useResetPasswordViaEmailLink: true });
  const id = await test.createUser('thandi', { emailAddress: 'thandi@example.org', isEmailConfirmed: true });
  const ask = () => test.post(`${USER}/SendEmailLink`, { body: { username: 'thandi' } });
  assert.equal((await ask()).status, 200);
  test.clock.advance(60);
  const admin = await test.admin();
  // The request has taken its budgets, and its link is next after the pin.
  await locks.hold('select from pin for update');
  const asking = ask();
  await locks.untilWaiting(1);
  const erasing = test.post(`${USER}/Erase`, { token: admin, body: { id } });
  await locks.untilWaiting(2);
  await locks.release();
  const answers = await Promise.all([asking, erasing]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
});
