// Lists of accounts: what they tell of each account, and the order of accounts without a value.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/databases.ts';
import { enrollApp } from '../support/factors.ts';
import { startTestService, type TestService } from '../support/service.ts';

const USER = '/api/services/app/User';
const SESSION_SECONDS = 2_592_000;

for (const engine of engines) {
  describe(`lists of users on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    const list = async (query: Record<string, string | number | boolean>) =>
      (await test.get(`${USER}/GetAll`, { token, query })).result.items;

    it('tell locks, a required password change and second factors', async () => {
      const id = await test.createUser('told-app');
      await test.createUser('told-plain', { requireChangePassword: true });
      await test.createUser('told-locked');
      await enrollApp(test, { id, userName: 'told-app' });
      for (let count = 0; count < 5; count += 1) {
        const body = { userNameOrEmailAddress: 'told-locked', password: 'not it at all' };
        await test.post('/api/TokenAuth/Authenticate', { body });
      }
      const told = (await list({ keyword: 'told-', sorting: 'userName' })).map((user) => [
        user.userName,
        user.hasSecondFactor,
        user.lockedUntil !== null,
        user.factorLockedUntil !== null,
        user.requireChangePassword,
      ]);
      assert.deepEqual(told, [
        ['told-app', true, false, false, false],
        ['told-locked', false, true, false, false],
        ['told-plain', false, false, false, true],
      ]);
      const { result } = await test.get(`${USER}/Get`, { token, query: { id } });
      assert.deepEqual([result.hasSecondFactor, result.hasPassword], [true, true]);
    });

    it('find accounts by their state, role, addresses, factors and day of creation', async () => {
      const names = async (query: Record<string, string | boolean>) =>
        (await list({ keyword: 'found-', sorting: 'userName', ...query })).map(({ userName }) => userName.slice(6));
      const app = await test.createUser('found-app', { roleNames: ['Nurse'], emailAddress: 'found-app@example.org' });
      await enrollApp(test, { id: app, userName: 'found-app' });
      await test.createUser('letters', { name: 'JÜRGEN', surname: 'MÜLLER' });
      for (const keyword of ['müller', 'Jürgen Müller', 'ÜRGEN MÜ']) {
        assert.deepEqual(
          (await list({ keyword })).map(({ userName }) => userName),
          ['letters'],
        );
      }
      await test.createUser('found-change', { requireChangePassword: true, roleNames: ['Head_Nurse'] });
      await test.createUser('found-off', { isActive: false, roleNames: ['Head%Nurse', 'Nurse'] });
      for (let count = 0; count < 5; count += 1) {
        const body = { userNameOrEmailAddress: 'found-change', password: 'not it at all' };
        await test.post('/api/TokenAuth/Authenticate', { body });
      }
      test.clock.advance(60);
      const moment = new Date(test.clock.now()).toISOString();
      await test.createUser('found-late', { mobileNumber: '+27821234999', isMobileConfirmed: true });
      await test.signIn('found-late');
      assert.deepEqual(await names({ isActive: false }), ['off']);
      assert.deepEqual(await names({ isLockedOut: true }), ['change']);
      assert.deepEqual(await names({ isLockedOut: false }), ['app', 'late', 'off']);
      assert.deepEqual(await names({ requireChangePassword: true }), ['change']);
      assert.deepEqual(await names({ roleName: 'NURSE' }), ['app', 'off']);
      assert.deepEqual(await names({ roleName: 'Head_Nurse' }), ['change']);
      assert.deepEqual(await names({ hasSignedIn: true }), ['late']);
      assert.deepEqual(await names({ notSignedInSince: moment }), ['app', 'change', 'off']);
      const afterwards = new Date(test.clock.now() + 1).toISOString();
      assert.deepEqual(await names({ notSignedInSince: afterwards, hasSignedIn: true }), ['late']);
      assert.deepEqual(await names({ hasSecondFactor: true }), ['app']);
      assert.deepEqual(await names({ hasSecondFactor: false, isActive: true }), ['change', 'late']);
      assert.deepEqual(await names({ hasUnverifiedAddress: true }), ['app']);
      assert.deepEqual(await names({ hasUnverifiedAddress: false }), ['change', 'late', 'off']);
      assert.deepEqual(await names({ createdFrom: moment }), ['late']);
      assert.deepEqual(await names({ createdTo: moment }), ['app', 'change', 'off']);
      const query = { format: 'jsonl', keyword: 'found-', hasSecondFactor: true };
      const file = await test.get(`${USER}/Export`, { token, query });
      assert.deepEqual(JSON.parse(file.text).userName, 'found-app');
      test.clock.advance(900);
      assert.deepEqual(await names({ isLockedOut: true }), [], 'a lock that has ended');
    });

    it('find accounts with an open session: neither ended, nor expired', async () => {
      const names = async (hasOpenSession: boolean) =>
        (await list({ keyword: 'open-', sorting: 'userName', hasOpenSession })).map(({ userName }) =>
          userName.slice(5),
        );
      const openSessions = async () => {
        test.clock.advance(60);
        return (await test.get('/api/services/app/Overview/Get', { token })).result.openSessions;
      };
      for (const name of ['open-never', 'open-off', 'open-old', 'open-twice']) await test.createUser(name);
      const before = await openSessions();
      await test.post('/api/TokenAuth/SignOff', { token: await test.signIn('open-off') });
      await test.signIn('open-old');
      assert.deepEqual([await names(true), await openSessions()], [['old'], before + 1]);
      // From now on, the administrator has another session.
      test.clock.advance(SESSION_SECONDS - 180);
      token = await test.admin();
      const [, last] = [await test.signIn('open-twice'), await test.signIn('open-twice')];
      assert.deepEqual(await names(true), ['old', 'twice']);
      assert.deepEqual(await names(false), ['never', 'off']);
      test.clock.advance(180);
      assert.deepEqual(await names(true), ['twice']);
      const file = await test.get(`${USER}/Export`, {
        token,
        query: { format: 'jsonl', keyword: 'open-', hasOpenSession: true },
      });
      assert.deepEqual(JSON.parse(file.text).userName, 'open-twice');
      await test.post('/api/TokenAuth/SignOff', { token: last });
      assert.deepEqual([await names(true), await openSessions()], [['twice'], 2], 'one of two sessions is open');
    });

    it('begin with accounts without the value, and end with them in the reverse order', async () => {
      await test.createUser('order-b', { emailAddress: 'b@example.org' });
      await test.createUser('order-none');
      await test.createUser('order-a', { emailAddress: 'a@example.org' });
      await test.signIn('order-b');
      test.clock.advance(1);
      await test.signIn('order-a');
      const orders = { emailAddress: ['none', 'a', 'b'], lastLoginTime: ['none', 'b', 'a'] };
      for (const [column, names] of Object.entries(orders)) {
        const wanted = names.map((name) => `order-${name}`);
        for (const [direction, order] of [
          ['asc', wanted],
          ['desc', wanted.toReversed()],
        ] as const) {
          const found = await list({ keyword: 'order-', sorting: `${column} ${direction}` });
          assert.deepEqual(
            found.map(({ userName }) => userName),
            order,
            `${column} ${direction}`,
          );
        }
      }
      const second = await list({ keyword: 'order-', sorting: 'emailAddress asc', skipCount: 1, maxResultCount: 1 });
      assert.deepEqual(
        second.map(({ userName }) => userName),
        ['order-a'],
      );
    });
  });
}
