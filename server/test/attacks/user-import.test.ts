// Attacks on import and export: neither may give what the single calls refuse, in parallel or with a right that has ended.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashSync as bcrypt } from '@node-rs/bcrypt';
import type { Download, Route } from '../../src/contract/route.ts';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const USER = '/api/services/app/User';
const SESSION = '/api/services/app/Session';

/** More accounts than one batch of an export has. */
const MANY = 1200;

const toLines = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line));

for (const engine of enginesAtLength) {
  describe(`import and export on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let manager: string;
    before(async () => {
      test = await startTestService(engine);
      admin = await test.admin();
      await test.createUser('manager', { roleNames: ['UserManager'] });
      manager = await test.signIn('manager');
    });
    after(() => test.close());

    const send = (token: string, lines: readonly object[], more: object = {}) =>
      test.post(`${USER}/Import`, { token, body: { lines: toLines(lines), ...more } });
    const exportAs = (token: string | null, query: Record<string, string>) =>
      test.get(`${USER}/Export`, { token, query: { format: 'csv', ...query } });

    it('gives no role that the administrator does not hold, in no spelling', async () => {
      const lines = [
        { userName: 'crony-1', roleNames: ['Administrator'] },
        { userName: 'crony-2', roleNames: ['ADMINISTRATOR'] },
        { userName: 'crony-3', Roles: ['Clerk', 'Administrator'] },
        { userName: 'crony-4', roleNames: ['UserManager'] },
      ];
      const told = { allowNewRoles: true, allowAdministrators: true };
      for (const dryRun of [true, false]) {
        const { result } = await send(manager, lines, { dryRun, ...told });
        assert.deepEqual(
          result.items.map(({ outcome, reason }) => [outcome, reason]),
          [
            ['refused', 'permission.denied'],
            ['refused', 'permission.denied'],
            ['refused', 'permission.denied'],
            ['added', null],
          ],
        );
      }
    });

    it('takes password hashes from no administrator who may not change the password rules', async () => {
      const line = { userName: 'weak', passwordHash: bcrypt('a', 4) };
      for (const dryRun of [true, false]) {
        const [refused] = (await send(manager, [line], { dryRun })).result.items;
        assert.deepEqual([refused?.outcome, refused?.reason], ['refused', 'permission.denied']);
      }
      assert.deepEqual((await send(manager, [{ userName: 'weak' }])).result.items[0]?.outcome, 'added');
      const answer = await test.post('/api/TokenAuth/Authenticate', {
        body: { userNameOrEmailAddress: 'weak', password: 'a' },
      });
      assertRefused(answer, 401, 'signIn.invalidCredentials');
    });

    it('is closed to other people', async () => {
      await test.createUser('plain');
      const plain = await test.signIn('plain');
      assertRefused(await send(plain, [{ userName: 'made' }]), 403, 'permission.denied');
      assertRefused(await exportAs(plain, {}), 403, 'permission.denied');
      assertRefused(await exportAs(null, {}), 401, 'token.missing');
      assertRefused(await exportAs(admin, { format: 'xlsx' }), 400, 'request.invalid');
    });

    it('refuses each line from the moment at which the role is taken away', async () => {
      const id = await test.createUser('leaver', { roleNames: ['UserManager'] });
      const leaver = await test.signIn('leaver');
      let ending: Promise<{ status: number }> | undefined;
      test.service.events.subscribe(({ user }) => {
        if (user?.name === 'late-0')
          ending = test.send('PUT', `${USER}/Update`, { token: admin, body: { id, roleNames: [] } });
      });
      const lines = Array.from({ length: 100 }, (_, index) => ({ userName: `late-${index}` }));
      const { status, result } = await send(leaver, lines);
      assert.deepEqual([status, (await ending)?.status], [200, 200]);
      const first = result.items.findIndex(({ outcome }) => outcome === 'refused');
      assert.ok(first > 0, String(first));
      assert.ok(result.items.slice(first).every(({ outcome, reason }) => outcome === 'refused' && reason !== null));
      assertRefused(await send(leaver, lines, { dryRun: true }), 403, 'permission.denied');
    });

    it('exports no secret, begins no cell like a formula, and is recorded', async () => {
      const formula = '=HYPERLINK("http://evil.example","x")';
      await test.createUser('exported', { name: formula, surname: '@SUM(A1)', mobileNumber: '+27827654500' });
      const csv = await exportAs(admin, { keyword: 'exported' });
      assert.equal(csv.status, 200);
      assert.match(String(csv.headers['content-type']), /^text\/csv/);
      assert.equal(csv.headers['content-disposition'], 'attachment; filename="users.csv"');
      assert.equal(csv.headers['cache-control'], 'no-store');
      assert.equal(csv.text.split('\r\n').length, 3);
      assert.ok(csv.text.includes(`"'=HYPERLINK(""http://evil.example"",""x"")",'@SUM(A1),`), csv.text);
      assert.ok(csv.text.includes(`'+27827654500`));
      const jsonl = await exportAs(admin, { keyword: 'exported', format: 'jsonl' });
      const account = JSON.parse(jsonl.text);
      assert.deepEqual([account.name, account.mobileNumber], [formula, '+27827654500']);
      const names = Object.keys(account);
      assert.deepEqual(csv.text.replace('\ufeff', '').split('\r\n')[0], names.join(','));
      const stored = await test.service.database.sql
        .selectFrom('account')
        .select('password_hash')
        .where('user_name', '=', 'exported')
        .executeTakeFirstOrThrow();
      assert.ok(stored.password_hash && !jsonl.text.includes(stored.password_hash.slice(-20)));
      assert.ok(!/password[^C]|hash|secret(?!ond)/i.test(names.join().replace('requireChangePassword', '')));
      const { result } = await test.get('/api/services/app/Audit/GetAll', {
        token: admin,
        query: { action: 'account.exported' },
      });
      assert.deepEqual(
        result.items.map(({ userName, details }) => [userName, details]),
        [
          ['admin', { format: 'jsonl', count: 1 }],
          ['admin', { format: 'csv', count: 1 }],
        ],
      );
    });

    it('ends an export with the session that asked for it', async () => {
      const line = (index: number) => ({ userName: `many-${index}` });
      for (let from = 0; from < MANY; from += 100) {
        const lines = Array.from({ length: 100 }, (_, index) => line(from + index));
        assert.ok((await send(admin, lines)).result.items.every(({ outcome }) => outcome === 'added'));
      }
      const whole = await exportAs(admin, { keyword: 'many-', format: 'jsonl' });
      const exported = whole.text.trim().split('\n');
      assert.equal(new Set(exported.map((one) => JSON.parse(one).userName)).size, MANY);

      const route: Route | undefined = test.service.routes.find(({ path }) => path === `${USER}/Export`);
      assert.ok(route);
      const caller = await test.service.guard.authorize(route, manager);
      const origin = { ipAddress: null, userAgent: null, frontEnd: 'default-app' };
      const call = { input: { format: 'jsonl', keyword: 'many-' }, caller, origin };
      const { pieces } = (await route.handle(call as never)) as Download;
      const reading = pieces[Symbol.asyncIterator]();
      assert.equal((await reading.next()).value.trim().split('\n').length, 500);
      await test.post(`${SESSION}/EndOthers`, { token: await test.signIn('manager') });
      await assert.rejects(reading.next(), { reason: 'token.revoked' });
    });
  });
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`parallel imports on ${name}`, () => {
    let setUp: SetUp;
    before(async () => {
      setUp = await start();
    });
    after(() => setUp.close());

    it('add each account, address and number once', async () => {
      const { here, there } = setUp;
      const [first, second] = [await here.admin(), await there.admin()];
      const lines = (turn: number) =>
        toLines([
          { userName: turn % 2 ? 'twin' : 'TWIN' },
          { userName: `mail-${turn}`, emailAddress: 'twin@example.org' },
          { userName: `number-${turn}`, mobileNumber: '+27827654600' },
        ]);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, turn) =>
          turn % 2
            ? here.post(`${USER}/Import`, { token: first, body: { lines: lines(turn) } })
            : there.post(`${USER}/Import`, { token: second, body: { lines: lines(turn) } }),
        ),
      );
      for (const index of [0, 1, 2]) {
        const outcomes = answers.map(({ result }) => result.items[index]);
        assert.equal(outcomes.filter((one) => one?.outcome === 'added').length, 1, String(index));
        assert.equal(outcomes.filter((one) => one?.reason === 'account.duplicate').length, 7, String(index));
      }
    });
  });
}
