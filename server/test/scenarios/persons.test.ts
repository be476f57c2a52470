// Persons: an export has everything that is stored about one person, and nothing of another.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createManagement } from '../../src/account-changes/index.ts';
import { createPersonExport } from '../../src/persons/export.ts';
import { createPersonStore } from '../../src/persons/store.sql.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';

const EXPORT = '/api/services/app/User/ExportPerson';
const MISSING = 4_000_000;

for (const engine of engines) {
  describe(`the export of a person on ${engine}`, () => {
    let test: TestService;
    let thandi: number;
    let admin: string;
    before(async () => {
      test = await startTestService(engine);
      thandi = await test.createUser('thandi', {
        name: 'Thandi',
        surname: 'Nkosi',
        emailAddress: 'thandi@example.org',
        isEmailConfirmed: true,
        mobileNumber: '+27821234567',
      });
      await test.createUser('lerato', { emailAddress: 'lerato@example.org' });
      await test.createUser('sipho', { roleNames: ['UserManager'] });
    });
    after(() => test.close());
    beforeEach(async () => {
      admin = await test.admin();
    });

    async function read(token: string, query: Record<string, number> = {}) {
      const answer = await test.get(EXPORT, { token, query });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        { ...answer.body, result: null },
        {
          result: null,
          targetUrl: null,
          success: true,
          error: null,
          unAuthorizedRequest: false,
          __abp: true,
        },
      );
      return answer;
    }
    const refuse = async (token: string | null, userId: number) => {
      const { status, error } = await test.get(EXPORT, { token, query: { userId } });
      return [status, error.reason];
    };

    it('has the account, its sessions, messages and entries, and no secret', async () => {
      await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: 'thandi' } });
      await test.post('/api/services/app/User/SendEmailLink', { body: { username: 'thandi' } });
      const token = await test.signIn('thandi');
      const { result, text } = await read(token);
      const { account, sessions, messages, auditEntries, exportedAt } = result;
      assert.equal(exportedAt, new Date(test.clock.now()).toISOString());
      assert.deepEqual(
        [account.id, account.userName, account.emailAddress, account.mobileNumber, account.isEmailConfirmed],
        [thandi, 'thandi', 'thandi@example.org', '+27821234567', true],
      );
      assert.deepEqual([account.password, account.roleNames], ['present', []]);
      assert.equal(sessions.at(-1)?.token, 'present');
      assert.ok(messages.length > 0 && messages.every(({ recipient }) => recipient === 'thandi@example.org'));
      assert.ok(auditEntries.some(({ action, ipAddress }) => action === 'signIn.password' && ipAddress !== null));
      const row = await test.service.database.sql.selectFrom('account').selectAll().where('id', '=', thandi).execute();
      const sealed = await test.service.database.sql.selectFrom('message').select('sealed_content').execute();
      const macs = await test.service.database.sql.selectFrom('pin').select('mac').execute();
      const jtis = await test.service.database.sql.selectFrom('session').select('current_jti').execute();
      const secrets = [
        row[0]?.password_hash,
        ...sealed.map((one) => one.sealed_content),
        ...macs.map(({ mac }) => mac),
      ];
      for (const secret of [...secrets, ...jtis.map((one) => one.current_jti)]) {
        if (secret) assert.ok(!text.includes(secret), secret);
      }
    });

    it('has nothing of others, such as of the administrator who acted', async () => {
      const answer = await test.post('/api/services/app/User/UnlockUser', { token: admin, body: { userId: thandi } });
      assert.equal(answer.status, 200);
      await test.post('/api/services/app/User/SignOutEverywhere', {
        token: admin,
        body: { userId: thandi },
        ip: '192.0.2.77',
      });
      const { result, text } = await read(await test.signIn('thandi'));
      const [ended] = result.auditEntries.filter(({ action }) => action === 'account.signedOutEverywhere');
      assert.deepEqual(ended?.details, { by: 'administrator', count: 1 });
      for (const foreign of ['lerato', '192.0.2.77', '"admin"']) assert.ok(!text.includes(foreign), foreign);
    });

    it('has all entries of a long trail once, and those of no former account with the same number', async () => {
      const id = await test.createUser('long');
      const { sql } = test.service.database;
      const row = { outcome: 'success', user_id: id, user_name: 'long' } as const;
      const at = test.clock.now();
      const entries = Array.from({ length: 1203 }, () => ({ ...row, at, action: 'session.refreshed' }));
      const former = { ...row, user_name: 'former' };
      // The account with this number that was deleted before.
      const before = (seconds: number) => at - seconds * 1000;
      await sql
        .insertInto('audit')
        .values([
          { ...former, at: before(9) as typeof at, action: 'signIn.password' },
          { ...former, at: before(8) as typeof at, action: 'account.deleted' },
        ])
        .execute();
      for (let start = 0; start < entries.length; start += 401) {
        await sql
          .insertInto('audit')
          .values(entries.slice(start, start + 401))
          .execute();
      }
      const { result, text } = await read(await test.signIn('long'));
      const ids = result.auditEntries.map((entry) => entry.id);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(result.auditEntries.filter(({ action }) => action === 'session.refreshed').length, 1203);
      assert.ok(!text.includes('former'));
    });

    it('has what somebody has edited so that it cannot be read, as far as it can', async () => {
      const id = await test.createUser('edited');
      const edits = { at: 9e15 as never, details: '{' };
      const { sql } = test.service.database;
      await sql.updateTable('audit').set(edits).where('user_id', '=', id).execute();
      const [entry] = (await read(admin, { userId: id })).result.auditEntries;
      assert.deepEqual(entry?.details, { unreadable: '{' });
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: admin, query: { userId: id } });
      assert.ok(result.items.some(({ at }) => at === entry?.at));
    });

    it('is for the owner and for administrators who may manage the account', async () => {
      const [own, manager] = [await test.signIn('lerato'), await test.signIn('sipho')];
      assert.equal((await read(admin, { userId: thandi })).result.account.userName, 'thandi');
      assert.equal((await read(manager, { userId: thandi })).result.account.userName, 'thandi');
      const { result } = await read(admin);
      assert.equal(result.account.userName, 'admin');
      assert.deepEqual(await refuse(own, thandi), [403, 'permission.denied']);
      assert.deepEqual(await refuse(own, MISSING), [403, 'permission.denied']);
      assert.deepEqual(await refuse(manager, result.account.id ?? 0), [403, 'permission.denied']);
      assert.deepEqual(await refuse(admin, MISSING), [404, 'account.notFound']);
      assert.deepEqual(await refuse(null, thandi), [401, 'token.missing']);
    });

    it('is recorded', async () => {
      const own = await test.signIn('thandi');
      await read(own);
      await read(admin, { userId: thandi });
      const { result } = await test.get('/api/services/app/Audit/GetAll', {
        token: admin,
        query: { action: 'account.dataExported', userId: thandi, maxResultCount: 2 },
      });
      const [byAdmin, byOwner] = result.items;
      assert.deepEqual([byAdmin?.userName, byOwner?.userName], ['thandi', 'thandi']);
      assert.match(JSON.stringify(byAdmin?.details), /"by":"admin"/);
      assert.equal(byOwner?.details, null);
    });

    const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
    const startExport = () => {
      const { service } = test;
      const store = createPersonStore(service.database);
      return createPersonExport({ ...service, store, management: createManagement(service) });
    };

    it('is made once at a time for an account, until it ends or its reader is gone', async () => {
      await test.createUser('twice');
      const { exportOwn, exportOther } = startExport();
      const own = await test.service.authorization.authorize(await test.signIn('twice'), {});
      const by = await test.service.authorization.permit(admin, 'Pages.Users', {});
      const first = await exportOwn(own, origin);
      const refusal = { reason: 'account.exportUnderWay', status: 409 };
      await assert.rejects(exportOwn(own, origin), refusal);
      await assert.rejects(exportOther(own.accountId, { ...by, origin }), refusal);
      await Array.fromAsync(await exportOther(thandi, { ...by, origin }));
      await Array.fromAsync(first);
      // No one reads this one.
      await exportOther(own.accountId, { ...by, origin });
      await assert.rejects(exportOwn(own, origin), refusal);
      test.clock.advance(10);
      await Array.fromAsync(await exportOwn(own, origin));
      const query = { action: 'account.dataExported', userId: own.accountId };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: admin, query });
      assert.equal(result.items.filter(({ details }) => details !== null).length, 1, 'a refused one has no entry');
    });

    it('ends where the right ends', async () => {
      const id = await test.createUser('leaving');
      const token = await test.signIn('leaving');
      const own = await test.service.authorization.authorize(token, {});
      const pieces = await startExport().exportOwn(own, origin);
      await test.post('/api/services/app/User/SignOutEverywhere', { token: admin, body: { userId: id } });
      await assert.rejects(Array.fromAsync(pieces), { reason: 'token.revoked' });
    });
  });
}
