// latchkey import users --update: changes what was imported before, and nothing that was changed here since.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hashSync as bcrypt } from '@node-rs/bcrypt';
import { createDatabaseUrl, enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

const OLD = 'gravel staple lantern';
const NEW = 'lantern gravel staple';
const oldHash = bcrypt(OLD, 4);
const newHash = bcrypt(NEW, 4);
const person = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

for (const engine of enginesAtLength) {
  describe(`latchkey import users again on ${engine}`, () => {
    let site: Site;
    let env: Record<string, string>;
    let service: TestService;
    before(async () => {
      site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createDatabaseUrl(engine);
      env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      service = await startTestService(engine, { url, secret: SECRET });
    });
    after(async () => {
      await service.close();
      await site.close();
    });

    async function importRows(rows: readonly object[], ...words: string[]) {
      writeFileSync(join(site.folder, 'users.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
      const { code, out, err } = await site.run(
        ['import', 'users', 'users.jsonl', '--report', 'report.jsonl', '--allow-new-roles', ...words],
        { env },
      );
      const report = readFileSync(join(site.folder, 'report.jsonl'), 'utf8').split('\n').filter(Boolean);
      return { code, last: out.trim().split('\n').at(-1), out, err, report: report.map((line) => JSON.parse(line)) };
    }
    const get = async (id: number) => {
      const query = { id };
      return (await service.get('/api/services/app/User/Get', { token: await service.admin(), query })).result;
    };
    const signIn = async (userNameOrEmailAddress: string, password: string) =>
      (await service.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress, password } })).status;

    it('changes the members that the file gives, found by id or by user name', async () => {
      const first = await importRows([
        {
          Id: 501,
          UserName: 'ann',
          EmailAddress: 'ann@example.com',
          Name: 'Ann',
          Surname: 'Lee',
          Password: oldHash,
          Roles: ['Clerk'],
        },
        {
          Id: 502,
          UserName: 'bob',
          EmailAddress: 'bob@example.com',
          Name: 'Bob',
          Password: oldHash,
          PersonId: person(2),
        },
        { UserName: 'cleo', Name: 'Cleo' },
      ]);
      assert.deepEqual([first.code, first.last], [0, 'Imported 3, refused 0.']);
      const token = await service.signIn('ann', OLD);

      const rows = [
        {
          Id: 501,
          UserName: 'anna',
          EmailAddress: 'ann@example.com',
          Name: 'Anna',
          Roles: [{ Name: 'Clerk' }, { Name: 'Driver' }],
        },
        {
          Id: 502,
          UserName: 'bob',
          EmailAddress: 'bob@example.com',
          Name: 'Bob',
          Password: oldHash,
          PersonId: person(2),
        },
        {
          UserName: 'CLEO',
          Surname: 'Roe',
          externalLogins: [{ provider: 'Corp', providerKey: 'c-1' }],
          LastLoginTime: '2020-01-01 00:00',
        },
        { UserName: 'dan' },
      ];
      const dry = await importRows(rows, '--update', '--dry-run');
      assert.match(
        dry.out,
        /^Would import 1, updated 2, unchanged 1, refused 0\.\nWOULD +USERS +WHY\nimport +1 +-\nupdate +2 +-\nnot change +1 +-\n$/m,
      );
      assert.equal((await get(501)).userName, 'ann');

      const { code, last } = await importRows(rows, '--update');
      assert.deepEqual([code, last], [0, 'Imported 1, updated 2, unchanged 1, refused 0.']);
      const ann = await get(501);
      assert.deepEqual(
        [ann.userName, ann.name, ann.surname, ann.emailAddress, ann.roleNames],
        ['anna', 'Anna', 'Lee', 'ann@example.com', ['Clerk', 'Driver']],
      );
      const audit = await service.get('/api/services/app/Audit/GetAll', {
        token: await service.admin(),
        query: { action: 'account.updated' },
      });
      const details = audit.result.items.map((item) => item.details as { by: string; changed: string[] });
      assert.deepEqual(
        details.map(({ by, changed }) => [by, changed.toSorted()]),
        [
          ['import', ['externalLogins', 'lastSignInAt', 'surname', 'userName']],
          ['import', ['name', 'roleNames', 'userName']],
        ],
      );
      // No password changed, so that the session stays.
      const mine = await service.get('/api/services/app/Session/GetAll', { token });
      assert.equal(mine.status, 200);
    });

    it('sets a password that was changed there, ends the sessions, and deletes the security answers', async () => {
      const token = await service.signIn('anna', OLD);
      await service.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      const questions = () => service.get('/api/services/app/User/GetMySecurityQuestions', { token });
      const answers = (await questions()).result.questions
        .slice(0, 3)
        .map(({ id }: { id: string }) => ({ questionId: id, answer: `the answer to ${id}` }));
      const body = { currentPassword: OLD, answers };
      assert.equal((await service.post('/api/services/app/User/SetMySecurityQuestions', { token, body })).status, 200);
      const answered = () => service.service.database.sql.selectFrom('security_answer').select('account_id').execute();
      assert.equal((await answered()).length, 3);
      const { last } = await importRows([{ Id: 501, UserName: 'anna', Password: newHash }], '--update');
      assert.equal(last, 'Imported 0, updated 1, refused 0.');
      assert.deepEqual([await signIn('anna', OLD), await signIn('anna', NEW)], [401, 200]);
      assert.equal((await service.get('/api/services/app/Session/GetAll', { token })).status, 401);
      assert.deepEqual(await answered(), []);
      await service.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: false });
    });

    it('never overwrites a password that was changed here, unless asked', async () => {
      const token = await service.signIn('bob', OLD);
      const body = { currentPassword: OLD, newPassword: USER_PASSWORD };
      assert.equal((await service.post('/api/services/app/User/ChangePassword', { token, body })).status, 200);
      const row = { Id: 502, UserName: 'bob', Password: newHash };
      for (const more of [{}, { Name: 'Robert' }]) {
        const { code, report } = await importRows([{ ...row, ...more }], '--update');
        assert.deepEqual([code, report], [0, [{ line: 1, userName: 'bob', password: 'kept' }]]);
      }
      assert.deepEqual([await signIn('bob', NEW), await signIn('bob', USER_PASSWORD)], [401, 200]);
      assert.equal((await get(502)).name, 'Robert');
      const { last } = await importRows([row], '--update', '--overwrite-passwords');
      assert.equal(last, 'Imported 0, updated 1, refused 0.');
      assert.deepEqual([await signIn('bob', USER_PASSWORD), await signIn('bob', NEW)], [401, 200]);
    });

    it('tells the owner of an external login that is added, once', async () => {
      const row = { userName: 'linked', emailAddress: 'linked@example.com', isEmailConfirmed: true };
      await importRows([row]);
      await service.deliver();
      const linking = { ...row, externalLogins: [{ provider: 'Corp', providerKey: 'l-1' }] };
      assert.equal((await importRows([linking], '--update')).last, 'Imported 0, updated 1, refused 0.');
      // The clock of the command is that of the machine.
      service.clock.advance(60);
      const [message, ...more] = await service.deliver();
      assert.deepEqual([message?.to, more], ['linked@example.com', []]);
      assert.match(String(message?.text), /An administrator linked a sign-in with Corp\./);
      await importRows([linking], '--update');
      assert.deepEqual(await service.deliver(), []);
    });

    it('says which second factors it leaves out, because only new accounts get them', async () => {
      const row = { userName: 'factorless', passwordHash: oldHash };
      const app = { totp: 'otpauth://totp/ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
      await importRows([row]);
      for (const flag of ['--dry-run', '--update']) {
        const { out, report } = await importRows([{ ...row, ...app }], '--update', flag);
        assert.deepEqual(report, [{ line: 1, userName: 'factorless', factors: 'left out' }]);
        if (flag === '--dry-run') assert.match(out, /^not change {2}1 +without the second factors of the file/m);
      }
      assert.equal(await signIn('factorless', OLD), 200);
      await importRows([{ userName: 'factored', passwordHash: oldHash, ...app }]);
      assert.deepEqual((await importRows([{ userName: 'factored', ...app }], '--update')).report, []);
    });

    it('leaves accounts alone that were not imported, and says which keys collide', async () => {
      const local = await service.createUser('local', { emailAddress: 'local@example.com' });
      const [admin] = (
        await service.get('/api/services/app/User/GetAll', {
          token: await service.admin(),
          query: { keyword: 'admin' },
        })
      ).result.items;
      const { code, report } = await importRows(
        [
          { Id: local, UserName: 'local', Name: 'Mallory', Password: newHash },
          { Id: admin?.id, UserName: 'mallory', Password: newHash },
          { Id: 501, UserName: 'bob' },
          { Id: 501, UserName: 'anna', EmailAddress: 'LOCAL@example.com' },
          { Id: 502, UserName: 'bob', externalLogins: [{ provider: 'Corp', providerKey: 'c-1' }] },
          { Id: 502, UserName: 'bob', PersonId: person(2), Name: 'Bobby' },
          { Id: 502, UserName: 'bob', Name: 'Bobbie' },
          { Id: 700, UserName: 'eve', PersonId: person(2) },
        ],
        '--update',
      );
      const taken = (keys: string) => [`Taken, by an account or by an earlier line: ${keys}.`];
      assert.equal(code, 1);
      assert.deepEqual(report, [
        { line: 1, userName: 'local', reasons: taken('the id, the user name') },
        { line: 2, userName: 'mallory', reasons: taken('the id') },
        {
          line: 3,
          userName: 'bob',
          reasons: [
            'The id belongs to one imported account, and the user name to another one. If the file is of another system, add --renumber.',
          ],
        },
        { line: 4, userName: 'anna', reasons: taken('the e-mail address') },
        { line: 5, userName: 'bob', reasons: taken('the external login at Corp') },
        { line: 7, userName: 'bob', reasons: taken('the id, the user name') },
        { line: 8, userName: 'eve', reasons: taken('the person id') },
      ]);
      assert.deepEqual(
        [(await get(local)).name, (await get(501)).emailAddress, (await get(502)).name],
        ['', 'ann@example.com', 'Bobby'],
      );
      assert.equal(await signIn('local', USER_PASSWORD), 200);
    });

    it('gives a new id for a taken one when asked, and reports both', async () => {
      const rows = [
        { Id: 501, UserName: 'fay', PersonId: person(2), Password: oldHash },
        { Id: 800, UserName: 'gus' },
        { Id: 501, UserName: 'hal' },
      ];
      const dry = await importRows(rows, '--renumber', '--dry-run');
      assert.match(dry.out, /^import +2 +with a new id, because its own is taken$/m);
      const { code, report, last } = await importRows(rows, '--renumber');
      assert.deepEqual([code, last], [0, 'Imported 3, refused 0.']);
      assert.deepEqual(
        report.map(({ line, formerId }) => [line, formerId]),
        [
          [1, 501],
          [3, 501],
        ],
      );
      assert.ok(report.every(({ id }) => id > 800));
      assert.equal((await get(report[0].id)).userName, 'fay');
      assert.equal(report[0].formerPersonId, person(2));
      assert.notEqual((await get(report[0].id)).personId, person(2));
      // With new numbers, the id 501 says nothing about fay.
      const again = await importRows([{ ...rows[0], PersonId: undefined, Name: 'Fay' }], '--renumber', '--update');
      assert.equal(again.last, 'Imported 0, updated 1, refused 0.');
      assert.deepEqual([(await get(report[0].id)).name, (await get(501)).name], ['Fay', 'Anna']);
    });

    it('deactivates an account that was deleted in the other system, and none that only has its name', async () => {
      const rows = [
        { Id: 950, UserName: 'ida', Password: oldHash },
        { Id: 951, UserName: 'jon', Password: oldHash },
      ];
      await importRows(rows);
      const token = await service.signIn('ida', OLD);
      const deleted = [
        { ...rows[0], IsDeleted: true },
        // A row of a tenant, a row that was never imported, and an earlier owner of a name that is in use.
        { ...rows[1], IsDeleted: true, TenantId: 3 },
        { Id: 952, UserName: 'kim', IsDeleted: true },
        { Id: 953, UserName: 'jon', IsDeleted: true },
      ];
      assert.equal((await importRows(deleted)).last, 'Imported 0, skipped 4, refused 0.');
      const dry = await importRows(deleted, '--update', '--dry-run');
      assert.match(dry.out, /^update +1 +deactivated, because it is deleted in the other system$/m);
      assert.equal(await signIn('ida', OLD), 200);

      const { code, last, report } = await importRows(deleted, '--update');
      assert.deepEqual([code, last], [3, 'Imported 0, updated 1, skipped 3, refused 0.']);
      assert.deepEqual(report[0], { line: 1, userName: 'ida', deactivated: true });
      assert.deepEqual([await signIn('ida', OLD), await signIn('jon', OLD)], [401, 200]);
      assert.equal((await service.get('/api/services/app/Session/GetAll', { token })).status, 401);
      assert.equal((await importRows(deleted, '--update')).last, 'Imported 0, skipped 4, refused 0.');
    });

    it('finds people of a system whose ids are texts by these ids, and gives nobody the account of another', async () => {
      const [ria, sam] = [person(970), person(971)];
      const row = (id: string, email: string | null, more: object = {}) =>
        ({ id, email, encrypted_password: oldHash, raw_app_meta_data: {}, ...more }) as const;
      const first = await importRows([row(ria, 'info@example.org'), row(sam, 'sam@example.org')], '--from', 'supabase');
      assert.equal(first.last, 'Imported 2, refused 0.', first.out);
      const { accounts, database } = service.service;
      const find = async (name: string) => (await accounts.findByName(database.sql, name)) ?? assert.fail(name);
      const before = await find('info@example.org');

      // Ria has a new address, and somebody else the one that was hers.
      const rows = [
        row(person(972), 'info@example.org', { encrypted_password: newHash }),
        row(ria, 'ria@example.org'),
        row(sam, 'sam@example.org', { banned_until: '2999-01-01 00:00:00+00' }),
      ];
      const again = await importRows(rows, '--update', '--from', 'supabase');
      assert.match(again.report[0].reasons[0], /^The user name belongs to an imported account that has another id/);
      assert.equal(again.last, 'Imported 0, updated 2, refused 1.');
      assert.deepEqual([(await find('ria@example.org')).id, await signIn('ria@example.org', OLD)], [before.id, 200]);
      assert.equal(await signIn('sam@example.org', OLD), 401, 'who is banned is deactivated');
      const third = await importRows(rows.slice(0, 1), '--update', '--from', 'supabase');
      assert.equal(third.last, 'Imported 1, refused 0.', third.out);
      assert.equal(await signIn('info@example.org', NEW), 200);

      // The system overwrites the address of a deleted user. The account has it for ever.
      const deleted = [row(ria, 'b3a8e0', { deleted_at: '2026-01-31 08:30:00+00' })];
      for (const more of [[], ['--renumber']]) {
        const gone = await importRows(deleted, '--update', '--dry-run', '--from', 'supabase', ...more);
        assert.match(gone.out, /^update +1 +deactivated, because it is deleted in the other system$/m);
      }
      const gone = await importRows(deleted, '--update', '--from', 'supabase');
      assert.equal(gone.report[0].deactivated, true);
      assert.equal(await signIn('ria@example.org', OLD), 401);

      const abp = {
        Id: person(975).toUpperCase(),
        UserName: 'tess',
        NormalizedUserName: 'TESS',
        PasswordHash: oldHash,
      };
      assert.equal((await importRows([abp])).last, 'Imported 1, refused 0.');
      const { report } = await importRows([{ ...abp, IsDeleted: true }], '--update');
      assert.deepEqual([report[0].deactivated, await signIn('tess', OLD)], [true, 401]);
    });

    it('does not give the account of a name to another number', async () => {
      await importRows([{ Id: 980, UserName: 'uma', Password: oldHash }]);
      const rows = [{ Id: 981, UserName: 'uma', Password: newHash }];
      const { report, last } = await importRows(rows, '--update');
      assert.match(report[0].reasons[0], /^The user name belongs to an imported account that has another id/);
      assert.deepEqual([last, await signIn('uma', OLD)], ['Imported 0, refused 1.', 200]);
      assert.equal((await importRows(rows, '--update', '--renumber')).last, 'Imported 0, updated 1, refused 0.');
    });

    it('takes a person of another system with the same id for another person', async () => {
      const login = { provider: 'laravel', providerKey: '961' };
      const first = [
        { Id: 960, UserName: 'lea', EmailAddress: 'lea@example.com', PersonId: person(960), Password: oldHash },
        { Id: 961, UserName: 'mia', EmailAddress: 'mia@example.com', externalLogins: [login], Password: oldHash },
      ];
      await importRows(first);
      const stranger = { UserName: 'otto', EmailAddress: 'otto@example.org', Name: 'Otto', Password: newHash };
      const others = [
        { ...stranger, Id: 960, PersonId: person(1960) },
        { Id: 961, UserName: 'nora', externalLogins: [{ provider: 'wordpress', providerKey: '961' }] },
      ];
      for (const more of [['--dry-run'], []]) {
        const refused = await importRows(others, '--update', ...more);
        assert.deepEqual([refused.code, refused.report.length], [1, 2]);
        for (const { reasons } of refused.report) {
          assert.match(
            reasons[0],
            /^Only the id is that of an imported account: .* add --renumber\. .* user name here/,
          );
        }
        const gone = others.map((row) => ({ ...row, IsDeleted: true }));
        const deleted = await importRows(gone, '--update', ...more);
        for (const { reasons } of deleted.report)
          assert.match(reasons[0], /^Only the id .* deactivate the account here/);
        assert.deepEqual([deleted.code, deleted.report.length], [1, 2]);
      }
      assert.deepEqual([(await get(960)).userName, await signIn('lea', OLD)], ['lea', 200]);

      // Everybody has one key besides the id that is still the same: of a new name, the login, the person id or the address.
      const renamed = [
        { Id: 960, UserName: 'leah', EmailAddress: 'leah@example.com', PersonId: person(960) },
        { Id: 961, UserName: 'maria', EmailAddress: 'maria@example.com', externalLogins: [login] },
      ];
      assert.equal((await importRows(renamed, '--update')).last, 'Imported 0, updated 2, refused 0.');
      const gone = renamed.map((row, index) => ({ ...row, UserName: `gone${index}`, IsDeleted: true }));
      assert.equal((await importRows(gone, '--update')).last, 'Imported 0, updated 2, refused 0.');
      // The account is inactive already, so the line needs no refusal.
      const unlike = { Id: 960, UserName: 'anonymous', IsDeleted: true };
      assert.deepEqual((await importRows([unlike], '--update')).report, [
        { line: 1, userName: 'anonymous', skipped: 'deleted' },
      ]);
    });

    it('keeps one administrator', async () => {
      const chief = { Id: 900, UserName: 'chief', roleNames: ['Administrator'], Password: oldHash };
      await importRows([chief], '--allow-administrators');
      const token = await service.signIn('chief', OLD);
      const found = await service.get('/api/services/app/User/GetAll', { token, query: { keyword: 'admin' } });
      for (const { id } of found.result.items) {
        await service.send('DELETE', '/api/services/app/User/Delete', { token, query: { id } });
      }
      const { code, report } = await importRows(
        [
          { ...chief, IsActive: false },
          { ...chief, roleNames: [] },
          { ...chief, IsDeleted: true },
        ],
        '--update',
      );
      assert.deepEqual([code, report.length], [1, 3]);
      for (const { reasons } of report) assert.match(reasons[0], /^This is the last active administrator/);
    });
  });
}
