// Attacks on one-time pins: guessing, replaying and redirecting them, and using them after their account has changed.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { newAccount } from '../../src/accounts/index.ts';
import { accountSubject } from '../../src/lockout/index.ts';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { patiently } from '../support/patience.ts';
import {
  ADMIN_PASSWORD,
  type SentMessage,
  startTestService,
  type TestAnswer,
  type TestService,
  USER_PASSWORD,
} from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const SIGN_IN = '/api/TokenAuth/OtpAuthenticate';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
const WRONG_PASSWORD = 'a wrong guess at it';
const LOCKOUT = 'Abp.Zero.UserManagement.UserLockOut';
const MAX_ATTEMPTS = 5;
const MAX_FAILURES = 5;
const LOCK_SECONDS = 300;
const COOLDOWN = 60;
const DAY = 86_400;

type Received = { operationId: string; pin: string };

const pinOf = ({ text }: SentMessage) => text.match(/^\w+/)?.[0] ?? assert.fail(text);
const wrongFor = (pin: string) => `${pin.slice(0, -1)}${(Number(pin.at(-1)) + 1) % 10}`;
const reasons = (answers: readonly TestAnswer[]) => {
  const groups = Object.groupBy(answers, ({ error }) => error?.reason ?? 'success');
  return Object.fromEntries(Object.entries(groups).map(([reason, some]) => [reason, some?.length]));
};

/** The requests of an attacker: asks for a pin by a name or number, and gives one. */
const ask = (node: TestService, userNameOrMobileNo: string) => node.post(SEND_PIN, { body: { userNameOrMobileNo } });
const give = (node: TestService, operationId: string, code: string, frontEnd = 'default-app') =>
  node.post(SIGN_IN, { body: { operationId, code }, headers: { 'sha-frontend-application': frontEnd } });

/** Requests a pin as the owner, and reads the message that arrives. */
async function receive(node: TestService, name: string): Promise<Received> {
  const { result } = await ask(node, name);
  const [message, ...others] = await node.deliver();
  assert.ok(message && others.length === 0, `one message for ${name}`);
  return { operationId: result.operationId, pin: pinOf(message) };
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`concurrent attempts with pins, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let count = 10;
    let userName: string;
    let id: number;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      // Waiting attempts sleep in real time. If a hundred of them spun, no other would get a connection.
      Object.assign(here.clock, { sleep: pause });
    });
    beforeEach(async () => {
      count += 1;
      userName = `victim${count}`;
      id = await here.createUser(userName, { mobileNumber: `+278212345${count}`, isMobileConfirmed: true });
    });
    after(() => setUp.close());

    const giveAtOnce = (times: number, operationId: string, code: string) =>
      Promise.all(
        Array.from({ length: times }, (_, n) => patiently(() => give(n % 2 ? here : there, operationId, code))),
      );
    const triesOf = async (operationId: string) => {
      const pins = here.service.database.sql.selectFrom('pin').select('tries');
      return (await pins.where('operation_id', '=', operationId).executeTakeFirstOrThrow()).tries;
    };
    const unlock = async () => here.post(`${USER}/UnlockUser`, { token: await here.admin(), body: { userId: id } });

    it('open one session when the right pin is sent a hundred times', async () => {
      const { operationId, pin } = await receive(here, userName);
      const answers = await giveAtOnce(100, operationId, pin);
      assert.deepEqual(reasons(answers), { success: 1, 'pin.invalid': 99 });
      const token = answers.find(({ status }) => status === 200)?.result.accessToken;
      const { items } = (await there.get('/api/services/app/Session/GetAll', { token })).result;
      assert.equal(items.length, 1);
    });

    it('are verified up to the lock out of a hundred wrong ones, and then not even when right', async () => {
      const { operationId, pin } = await receive(here, userName);
      const answers = await giveAtOnce(100, operationId, wrongFor(pin));
      const counts = { 'pin.invalid': MAX_FAILURES - 1, 'signIn.lockedOut': 101 - MAX_FAILURES };
      assert.deepEqual(reasons(answers), counts);
      assert.equal(await triesOf(operationId), MAX_FAILURES);
      assertRefused(await give(there, operationId, pin), 401, 'signIn.lockedOut');
      await unlock();
      assertRefused(await give(there, operationId, pin), 401, 'pin.invalid');
    });

    it('are verified up to the attempts of the pin, when these are fewer', async () => {
      await here.set('Shesha.Otp', { maxAttempts: 3 });
      const { operationId, pin } = await receive(here, userName);
      assert.deepEqual(reasons(await giveAtOnce(100, operationId, wrongFor(pin))), { 'pin.invalid': 100 });
      assert.equal(await triesOf(operationId), 3);
      assertRefused(await give(there, operationId, pin), 401, 'pin.invalid');
      await here.set('Shesha.Otp', { maxAttempts: MAX_ATTEMPTS });
      await there.signIn(userName);
    });

    it('do not lock an account whose right pin is sent among the allowed number of wrong ones', async () => {
      const { operationId, pin } = await receive(here, userName);
      const codes = [pin, ...Array(MAX_FAILURES - 1).fill(wrongFor(pin))];
      const answers = await Promise.all(
        codes.map((code, n) => patiently(() => give(n % 2 ? here : there, operationId, code))),
      );
      assert.deepEqual(answers[0]?.status, 200);
      await there.signIn(userName);
    });

    it('send one message to an account for fifty concurrent requests by name and number', async () => {
      const names = Array.from({ length: 50 }, (_, n) => (n % 2 ? userName : `+278212345${count}`));
      const answers = await Promise.all(names.map((one, n) => patiently(() => ask(n % 3 ? here : there, one))));
      assert.deepEqual(reasons(answers), { success: 2, 'pin.cooldown': 48 });
      assert.equal((await here.deliver()).length, 1);
    });
  });
}

for (const engine of engines) {
  describe(`pins in an attacker’s hands, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let count = 10;
    let userName: string;
    let number: string;
    let id: number;

    before(async () => {
      test = await startTestService(engine);
      const appKey = 'lax';
      const token = await test.admin();
      await test.post('/api/services/app/FrontEndApp/Create', { token, body: { appKey, name: 'Lax' } });
      await test.set(`${LOCKOUT}.IsEnabled`, false, appKey);
      await test.set('Shesha.Security', { mobileLoginPinLifetime: 600 });
    });
    beforeEach(async () => {
      count += 1;
      userName = `victim${count}`;
      number = `+278212345${count}`;
      id = await test.createUser(userName, { mobileNumber: number, isMobileConfirmed: true });
      admin = await test.signIn('admin', ADMIN_PASSWORD);
    });
    after(() => test.close());

    const tryPassword = (password = WRONG_PASSWORD) =>
      test.post(AUTHENTICATE, { body: { userNameOrEmailAddress: userName, password } });
    const manage = async (action: string, userId = id) => {
      const { status, text } = await test.post(`${USER}/${action}`, { token: admin, body: { userId } });
      assert.equal(status, 200, text);
    };
    const update = async (changes: object) => {
      const answer = await test.send('PUT', `${USER}/Update`, { token: admin, body: { id, ...changes } });
      assert.equal(answer.status, 200, answer.text);
      // The owner is told of a changed address.
      await test.deliver();
    };
    const assertDead = async ({ operationId, pin }: Received, hint?: string) =>
      assertRefused(await give(test, operationId, pin), 401, 'pin.invalid', hint);

    it('count with wrong passwords towards one lock, which refuses the right pin without getting longer', async () => {
      const { operationId, pin } = await receive(test, userName);
      for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
        assertRefused(await tryPassword(), 401, 'signIn.invalidCredentials');
      }
      const locking = await give(test, operationId, wrongFor(pin));
      assertRefused(locking, 401, 'signIn.lockedOut');
      assert.equal(locking.headers['retry-after'], String(LOCK_SECONDS));
      test.clock.advance(LOCK_SECONDS - 1);
      for (let turn = 0; turn < 10; turn += 1) {
        const refused = await give(test, operationId, pin);
        assertRefused(refused, 401, 'signIn.lockedOut');
        assert.equal(refused.headers['retry-after'], '1');
      }
      assertRefused(await tryPassword(USER_PASSWORD), 401, 'signIn.lockedOut');
      test.clock.advance(1);
      assert.equal((await give(test, operationId, pin)).status, 200);
    });

    it('also lock the password when they are wrong', async () => {
      const { operationId, pin } = await receive(test, userName);
      for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
        assertRefused(await give(test, operationId, wrongFor(pin)), 401, 'pin.invalid');
      }
      assertRefused(await tryPassword(), 401, 'signIn.lockedOut');
      assertRefused(await tryPassword(USER_PASSWORD), 401, 'signIn.lockedOut');
    });

    it('are limited per day for an attacker who keeps requesting new ones while lockout is off', async () => {
      await test.set('Shesha.Otp', { maxAttempts: 10 });
      for (let round = 0; round < 5; round += 1) {
        const { operationId, pin } = await receive(test, userName);
        for (let turn = 0; turn < 10; turn += 1) {
          assertRefused(await give(test, operationId, wrongFor(pin), 'lax'), 401, 'pin.invalid');
        }
        test.clock.advance(COOLDOWN);
      }
      const { operationId, pin } = await receive(test, userName);
      assertRefused(await give(test, operationId, pin, 'lax'), 401, 'pin.invalid');
      assert.equal((await tryPassword(USER_PASSWORD)).status, 200, 'the password is none the worse');
      test.clock.advance(DAY - 5 * COOLDOWN);
      admin = await test.admin();
      const next = await receive(test, userName);
      assert.equal((await give(test, next.operationId, next.pin)).status, 200);
      await test.set('Shesha.Otp', { maxAttempts: MAX_ATTEMPTS });
    });

    it('are superseded by a newer pin, requested by any name of the account', async () => {
      const older = await receive(test, userName);
      test.clock.advance(COOLDOWN);
      const newer = await receive(test, number);
      await assertDead(older);
      await assertDead({ ...newer, operationId: older.operationId });
      assert.equal((await give(test, newer.operationId, newer.pin)).status, 200);
    });

    it('do not sign in when they were issued for another purpose', async () => {
      const recipient = { subject: accountSubject(id), to: number };
      for (const purpose of ['reset-password', 'verify-mobile', 'verify-email'] as const) {
        const request = { purpose, budgetSubject: `unknown:${purpose}`, accountId: id, recipient, ttlSeconds: 300 };
        const { database, pins } = test.service;
        const { operationId, pin } = await database.transaction((tx) => pins.issue(tx, request));
        assert.ok(pin !== null);
        await assertDead({ operationId, pin }, purpose);
        test.clock.advance(COOLDOWN);
      }
    });

    it('reveal that the account is deactivated only when they are right', async () => {
      const { operationId, pin } = await receive(test, userName);
      await manage('InactivateUser');
      assertRefused(await give(test, operationId, wrongFor(pin)), 401, 'pin.invalid');
      assertRefused(await give(test, operationId, pin), 401, 'signIn.notActive');
      assertRefused(await give(test, operationId, pin), 401, 'pin.invalid');
      await manage('ActivateUser');
      await assertDead({ operationId, pin });
    });

    it('are refused when the account was deleted, or its address changed or is no longer verified', async () => {
      const changes = {
        'another number': () => update({ mobileNumber: `+278312345${count}`, isMobileConfirmed: true }),
        'no number': () => update({ mobileNumber: null }),
        'the number unverified': () => update({ mobileNumber: number, isMobileConfirmed: false }),
        deletion: () => test.send('DELETE', `${USER}/Delete?id=${id}`, { token: admin }),
      };
      for (const [what, change] of Object.entries(changes)) {
        await update({ mobileNumber: number, isMobileConfirmed: true });
        const received = await receive(test, userName);
        await change();
        await assertDead(received, what);
        test.clock.advance(COOLDOWN);
      }
    });

    it('open no session that outlives a change of their number', async () => {
      const own = await test.signIn(userName);
      const numbers = [`+278312346${count}`, number];
      for (const mobileNumber of [...numbers, ...numbers]) {
        const wanted = { currentPassword: USER_PASSWORD, mobileNumber };
        const { result, text } = await test.post(`${USER}/ChangeMyAddress`, { token: own, body: wanted });
        const [sent] = await test.deliver();
        const { operationId, pin } = await receive(test, userName);
        const change = { operationId: result.operationId, pin: pinOf(sent ?? assert.fail(text)) };
        const [signedIn, changed] = await Promise.all([
          give(test, operationId, pin),
          test.post(`${USER}/VerifyMyAddress`, { token: own, body: change }),
        ]);
        assert.equal(changed.status, 200, changed.text);
        const token = signedIn.result?.accessToken;
        if (token) assert.equal((await test.get('/api/services/app/Session/GetAll', { token })).status, 401);
        test.clock.advance(COOLDOWN);
        // What the owner is told of the change.
        await test.deliver();
      }
    });

    it('are sent to verified numbers and addresses only', async () => {
      const emailAddress = `unproven${count}@example.com`;
      await update({ isMobileConfirmed: false, emailAddress });
      for (const name of [userName, number, emailAddress]) assert.equal((await ask(test, name)).status, 200);
      assert.deepEqual(await test.deliver(), []);
      test.clock.advance(COOLDOWN);
      await update({ isEmailConfirmed: true });
      await ask(test, number);
      assert.deepEqual(await test.deliver(), [], 'also when the unverified number is typed');
      await receive(test, userName);
    });

    it('are sent to a number that two accounts have verified only when a user name is typed', async () => {
      const { accounts, database, clock } = { ...test.service, clock: test.clock };
      const other = newAccount(`twin${count}`, { mobileNumber: number, isMobileConfirmed: true });
      await accounts.add(database.sql, { ...other, passwordHash: null }, clock.now());
      assert.equal((await ask(test, number)).status, 200);
      assert.deepEqual(await test.deliver(), []);
      const { operationId, pin } = await receive(test, userName);
      assert.equal((await give(test, operationId, pin)).result.userId, id);
      test.clock.advance(COOLDOWN);
      const twins = await receive(test, `twin${count}`);
      assert.notEqual((await give(test, twins.operationId, twins.pin)).result.userId, id);
      await update({ isMobileConfirmed: false });
      test.clock.advance(COOLDOWN);
      await receive(test, number);
    });

    it('are not sent to disallowed countries, and the answer does not reveal that', async () => {
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['NA'] });
      for (const name of [userName, number]) {
        const { status, result } = await ask(test, name);
        assert.deepEqual([status, Object.keys(result)], [200, ['operationId']]);
        assert.deepEqual(await test.deliver(), []);
      }
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['NA', 'ZA'] });
      test.clock.advance(COOLDOWN);
      await receive(test, userName);
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
    });

    it('can be requested up to the daily limit, and again a day after the first request', async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        await receive(test, userName);
        test.clock.advance(1000);
      }
      const refused = await ask(test, userName);
      assertRefused(refused, 429, 'pin.dailyLimit');
      assert.equal(refused.headers['retry-after'], String(DAY - 10_000));
      assert.equal((await ask(test, number)).status, 200, 'this name has its own limit');
      assert.deepEqual(await test.deliver(), [], 'the daily limit of the address is used up');
      test.clock.advance(DAY - 10_001);
      assert.equal((await ask(test, userName)).headers['retry-after'], '1');
      test.clock.advance(1);
      await receive(test, userName);
    });

    it('are nowhere in the database or the log, and their hashes are useless elsewhere', async () => {
      await test.set('Shesha.Otp', { passwordLength: 12, alphabet: 'ABCDEFGHJKMNPQRSTUVWXYZ' });
      const other = await test.createUser(`other${count}`, {
        mobileNumber: `+278312345${count}`,
        isMobileConfirmed: true,
      });
      const [mine, theirs] = [await receive(test, userName), await receive(test, `other${count}`)];
      const { sql: statements } = test.service.database;
      const rows = await statements.selectFrom('pin').selectAll().execute();
      const mac = rows.find(({ operation_id }) => operation_id === mine.operationId)?.mac ?? assert.fail();
      await statements.updateTable('pin').set({ mac }).where('operation_id', '=', theirs.operationId).execute();
      await assertDead({ operationId: theirs.operationId, pin: mine.pin });
      await assertDead(theirs);
      assert.equal((await give(test, mine.operationId, mine.pin)).result.userId, id);
      assert.notEqual(other, id);
      const haystack = `${test.logs.join('')}${await readTables()}`;
      assert.ok(
        haystack.includes(mine.operationId) && haystack.includes('sealed_content'),
        'the database has rows to search',
      );
      for (const { pin } of [mine, theirs]) {
        for (const form of [pin, pin.toLowerCase(), Buffer.from(pin).toString('base64'), encodeURIComponent(pin)]) {
          assert.ok(!haystack.includes(form));
        }
      }
      await test.set('Shesha.Otp', { passwordLength: 6, alphabet: '0123456789' });
    });

    async function readTables() {
      const { sql: statements } = test.service.database;
      const names =
        engine === 'sqlite'
          ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
          : sql<{
              name: string;
            }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
      const tables = (await names.execute(statements)).rows.map(async ({ name }) =>
        JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(statements)).rows),
      );
      return (await Promise.all(tables)).join('\n');
    }
  });
}
