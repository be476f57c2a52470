// Importing users through the API: each line by the rules of the command and of creating one account.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashSync as bcrypt } from '@node-rs/bcrypt';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';

for (const engine of engines) {
  describe(`importing users on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    const importLines = (lines: readonly (object | string)[], more: object = {}) =>
      test.post(`${USER}/Import`, {
        token,
        body: { lines: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))), ...more },
      });
    const outcomesOf = async (lines: readonly (object | string)[], more: object = {}) => {
      const answer = await importLines(lines, more);
      assert.equal(answer.status, 200, answer.text);
      return answer.result.items;
    };
    const find = async (keyword: string) =>
      (await test.get(`${USER}/GetAll`, { token, query: { keyword } })).result.items;

    it('names the columns that it left out', async () => {
      const lines = [
        { UserName: 'left-out', Id: 7, ShoeSize: 43 },
        { UserName: 'left-in', TENANTID: 7 },
      ];
      const { items, unknownColumns } = (await importLines(lines, { dryRun: true })).result;
      assert.deepEqual(unknownColumns, ['Id', 'ShoeSize']);
      assert.deepEqual(
        items.map(({ outcome }) => outcome),
        ['added', 'skipped'],
      );
    });

    it('adds the accounts, refuses wrong lines, and says which', async () => {
      const items = await outcomesOf(
        [
          {
            userName: 'sent-1',
            name: 'Ayşe',
            emailAddress: 'sent-1@example.org',
            mobileNumber: '+27 82 765 4321',
            roleNames: ['Clerk'],
            requireChangePassword: true,
            isEmailConfirmed: true,
          },
          { userName: 'sent-1' },
          { userName: 'sent 2' },
          { userName: 'sent-3', shoeSize: 43 },
          { userName: 'sent-4', isDeleted: true },
          'no json',
          { UserName: 'sent-5', PhoneNumber: '+27827654322', IsActive: false, SecurityStamp: 'x' },
          { userName: 'sent-6', mobileNumber: '+27827654321' },
        ],
        { allowNewRoles: true },
      );
      assert.deepEqual(
        items.map(({ outcome, reason }) => [outcome, reason]),
        [
          ['added', null],
          ['refused', 'account.duplicate'],
          ['refused', 'request.invalid'],
          ['refused', 'request.invalid'],
          ['skipped', null],
          ['refused', 'request.invalid'],
          ['added', null],
          ['refused', 'account.duplicate'],
        ],
      );
      assert.deepEqual(
        items.map(({ userName }) => userName),
        ['sent-1', 'sent-1', 'sent 2', 'sent-3', 'sent-4', null, 'sent-5', 'sent-6'],
      );
      assert.match(items[3]?.messages.join() ?? '', /unknown members: "shoeSize"/);
      const [first] = await find('sent-1');
      assert.equal(first?.id, items[0]?.userId);
      assert.deepEqual(
        [first?.name, first?.mobileNumber, first?.roleNames, first?.requireChangePassword, first?.isEmailConfirmed],
        ['Ayşe', '+27827654321', ['Clerk'], true, true],
      );
      const [fifth] = await find('sent-5');
      assert.deepEqual([fifth?.isActive, fifth?.mobileNumber], [false, '+27827654322']);
      const { result } = await test.get('/api/services/app/Audit/GetAll', {
        token,
        query: { action: 'account.created', userId: first?.id ?? 0 },
      });
      assert.deepEqual(
        result.items.map(({ details }) => Object(details).by),
        ['admin'],
      );
    });

    it('changes nothing in a dry run, and names the keys that only one account may have', async () => {
      await test.createUser('held', { emailAddress: 'held@example.org', mobileNumber: '+27827654400' });
      const items = await outcomesOf(
        [
          { userName: 'Dry-1', emailAddress: 'Dry-1@Example.org', mobileNumber: '+27 82 765 4411' },
          { userName: 'DRY-1' },
          { userName: 'HELD' },
          { userName: 'dry-2', emailAddress: 'HELD@example.org' },
          { userName: 'dry-3', mobileNumber: '+27827654400' },
          { userName: 'dry-4', roleNames: ['Unheard Of'] },
        ],
        { dryRun: true, allowNewRoles: true },
      );
      assert.deepEqual(
        items.map(({ outcome, reason, userId }) => [outcome, reason, userId]),
        [
          ['added', null, null],
          ['added', null, null],
          ['refused', 'account.duplicate', null],
          ['refused', 'account.duplicate', null],
          ['refused', 'account.duplicate', null],
          ['added', null, null],
        ],
      );
      const [first, second] = items;
      assert.deepEqual(first?.keys, ['name dry-1', 'mail dry-1@example.org', 'number +27827654411']);
      assert.deepEqual(second?.keys, ['name dry-1']);
      assert.deepEqual(await find('dry-'), []);
      const roles = await test.get('/api/services/app/Role/GetAll', { token, query: { maxResultCount: 100 } });
      assert.ok(roles.result.items.every(({ name }) => name !== 'Unheard Of'));
    });

    it('keeps password hashes that the command would keep', async () => {
      const [good, bad, costly] = await outcomesOf([
        { userName: 'hashed', passwordHash: bcrypt(USER_PASSWORD, 4) },
        { userName: 'mishashed', passwordHash: 'secret in the clear' },
        { userName: 'costly', passwordHash: `$2b$20$${'a'.repeat(53)}` },
      ]);
      assert.deepEqual([good?.outcome, bad?.outcome, costly?.outcome], ['added', 'refused', 'refused']);
      assert.ok(!bad?.messages.join().includes('in the clear'));
      assert.ok(await test.signIn('hashed'));
    });

    it('leaves ids, person ids and external logins to the command', async () => {
      const items = await outcomesOf([
        { userName: 'beyond-1', id: 7 },
        { userName: 'beyond-2', personId: '00000000-0000-4000-8000-000000000000' },
        { userName: 'beyond-3', externalLogins: [{ provider: 'Acme', providerKey: 'x' }] },
        { userName: 'beyond-4', lockedUntil: '2040-01-01T00:00:00Z' },
      ]);
      assert.deepEqual(
        items.map(({ outcome }) => outcome),
        ['refused', 'refused', 'refused', 'refused'],
      );
    });

    it('deactivates who is banned in the other system', async () => {
      const [banned, free] = await outcomesOf([
        { userName: 'banned-1', bannedUntil: '2999-01-01T00:00:00Z', isActive: true },
        { userName: 'banned-2', bannedUntil: '2000-01-01T00:00:00Z' },
      ]);
      assert.deepEqual([banned?.outcome, free?.outcome], ['added', 'added']);
      const { accounts, database } = test.service;
      const isActive = async (name: string) => (await accounts.findByName(database.sql, name))?.isActive;
      assert.deepEqual([await isActive('banned-1'), await isActive('banned-2')], [false, true]);
    });

    it('reads cells as databases and spreadsheets write them, and skips accounts of a tenant', async () => {
      const items = await outcomesOf([
        { userName: ' cell-1 ', emailAddress: ' cell-1@example.org ', isActive: 'FALSCH', name: '\\N', TenantId: '' },
        { UserName: 'cell-2', IsActive: 'f', RequireChangePassword: 1, Password: 'NULL', TenantId: 'NULL' },
        { userName: 'cell-3', passwordHash: `  ${bcrypt(USER_PASSWORD, 4)}  `, isActive: 'VRAI' },
        { UserName: 'cell-4', TenantId: '3' },
        { userName: 'cell-5', tenantId: 3 },
        { userName: 'NULL', emailAddress: 'cell-6@example.org' },
        '{"userName":"cell-7","userName":"cell-8"}',
      ]);
      assert.deepEqual(
        items.map(({ outcome, userName, messages }) => [outcome, userName, ...messages]),
        [
          ['added', 'cell-1'],
          ['added', 'cell-2'],
          ['added', 'cell-3'],
          ['skipped', 'cell-4', 'of a tenant'],
          ['skipped', 'cell-5', 'of a tenant'],
          ['added', 'cell-6@example.org'],
          ['refused', 'cell-8', 'The line gives twice: userName.'],
        ],
      );
      const [[first], [second]] = [await find('cell-1'), await find('cell-2')];
      assert.deepEqual([first?.emailAddress, first?.isActive, first?.name], ['cell-1@example.org', false, '']);
      assert.deepEqual([second?.isActive, second?.requireChangePassword], [false, true]);
      assert.ok(await test.signIn('cell-3'));
    });

    it('adds roles and administrators only when told to, and says which lines bring them', async () => {
      const lines = [
        { userName: 'brings-1', roleNames: ['Ghost'] },
        { userName: 'brings-2', roleNames: ['USERMANAGER'] },
        { userName: 'brings-3', roleNames: ['Ghost', 'Administrator'] },
        { userName: 'brings-4' },
      ];
      const told = async (more: object) =>
        (await outcomesOf(lines, more)).map(({ outcome, reason, newRoles, isAdministrator }) => [
          reason ?? outcome,
          ...newRoles,
          isAdministrator,
        ]);
      const without = [
        ['import.newRole', 'Ghost', false],
        ['import.administrator', true],
        ['import.newRole', 'Ghost', true],
        ['added', false],
      ];
      assert.deepEqual(await told({ dryRun: true }), without);
      const all = { allowNewRoles: true, allowAdministrators: true };
      assert.deepEqual(await told({ dryRun: true, ...all }), [
        ['added', 'Ghost', false],
        ['added', true],
        ['added', 'Ghost', true],
        ['added', false],
      ]);
      assert.deepEqual(await told({}), without);
      assert.deepEqual(
        (await find('brings-')).map(({ userName }) => userName),
        ['brings-4'],
      );
      const roles = await test.get('/api/services/app/Role/GetAll', { token, query: { maxResultCount: 100 } });
      assert.ok(roles.result.items.every(({ name }) => name !== 'Ghost'));
      const reasonsOf = async (more: object) => (await told(more)).map(([reason]) => reason);
      const [denied, taken] = ['import.administrator', 'account.duplicate'];
      assert.deepEqual(await reasonsOf({ allowNewRoles: true }), ['added', denied, denied, taken]);
      assert.deepEqual(await reasonsOf(all), [taken, 'added', 'added', taken]);
    });

    it('takes a bounded number of lines', async () => {
      assertRefused(await importLines([]), 400, 'request.invalid');
      assertRefused(await importLines(Array.from({ length: 101 }, () => ({ userName: 'x' }))), 400, 'request.invalid');
      assertRefused(await importLines(['x'.repeat(16_385)]), 400, 'request.invalid');
      assertRefused(await importLines(Array.from({ length: 10 }, () => 'x'.repeat(8000))), 413, 'request.tooLarge');
    });
  });
}
