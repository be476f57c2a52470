// Attacks on changes of an account's own address: with a stolen session, with addresses of other people, and by races.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newAccount } from '../../src/accounts/index.ts';
import { accountSubject } from '../../src/lockout/index.ts';
import type { Purpose } from '../../src/proofs/index.ts';
import { assertRefused, readResult } from '../support/answers.ts';
import { beside, enginesAtLength } from '../support/databases.ts';
import { patiently } from '../support/patience.ts';
import { pinIn, wrongPin } from '../support/registration.ts';
import {
  type SentMessage,
  startTestService,
  type TestAnswer,
  type TestService,
  USER_PASSWORD,
} from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const CHANGE = '/api/services/app/User/ChangeMyAddress';
const VERIFY = '/api/services/app/User/VerifyMyAddress';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SEND_SIGN_IN_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const SIGN_IN = '/api/TokenAuth/OtpAuthenticate';
const USER = '/api/services/app/User';
const OTP = '/api/services/app/Otp';
const WRONG_PASSWORD = 'a wrong guess at it';
const COOLDOWN = 60;
const MAX_FAILURES = 5;

const change = (node: TestService, token: string, wanted: object) =>
  node.post(CHANGE, { token, body: { currentPassword: USER_PASSWORD, ...wanted } });
const verify = (node: TestService, token: string, operationId: string, pin: string) =>
  node.post(VERIFY, { token, body: { operationId, pin } });
const isVerified = async (node: TestService, token: string, operationId: string, pin: string) =>
  (await patiently(() => verify(node, token, operationId, pin))).result.isSuccess;

const only = ([message, ...others]: SentMessage[]) => {
  assert.ok(message && others.length === 0, 'one message');
  return message;
};

/** Requests an address as its owner. @returns the operation, and the pin that was delivered. */
async function receive(node: TestService, token: string, wanted: object) {
  const { result, text } = await change(node, token, wanted);
  assert.ok(result, text);
  return { operationId: result.operationId as string, pin: pinIn(only(await node.deliver())) };
}

/** Returns the parts of an answer that an attacker can compare. */
function visible(answer: TestAnswer, address?: string) {
  const { status, headers, body } = answer;
  const { date: _, ...told } = headers;
  const text = JSON.stringify({ ...body, error: body.error && { ...body.error, traceId: 'any' } });
  const operation = readResult(answer)?.operationId ?? 'none';
  const shape = text.replace(operation, 'operation').replace(address ?? 'none', 'address');
  return { status, headers: { ...told, 'content-length': 'any' }, body: shape };
}

for (const [name, start] of Object.entries(setUps)) {
  describe(`races for an address, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let count = 10;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      // Waiting attempts sleep in real time. If a hundred of them spun, no other would get a connection.
      Object.assign(here.clock, { sleep: pause });
    });
    beforeEach(() => {
      count += 1;
    });
    after(() => setUp.close());

    const join = async (userName: string) => {
      const id = await here.createUser(`${userName}${count}`);
      return { id, token: await here.signIn(`${userName}${count}`) };
    };
    const holdersOf = async (member: 'email' | 'mobile', value: string) => {
      const accounts = here.service.database.sql.selectFrom('account').select('id');
      return (await accounts.where(member, '=', value).execute()).length;
    };

    for (const [member, column] of [
      ['emailAddress', 'email'],
      ['mobileNumber', 'mobile'],
    ] as const) {
      it(`gives one ${member} to one of two accounts that have verified it`, async () => {
        for (let round = 0; round < 3; round += 1) {
          const value = member === 'emailAddress' ? `race${round}.${count}@example.com` : `+27821${round}345${count}`;
          const [ann, ben] = [await join(`ann${round}`), await join(`ben${round}`)];
          const first = await receive(here, ann.token, { [member]: value });
          here.clock.advance(COOLDOWN);
          const second = await receive(here, ben.token, { [member]: value });
          const answers = await Promise.all([
            isVerified(here, ann.token, first.operationId, first.pin),
            isVerified(there, ben.token, second.operationId, second.pin),
          ]);
          assert.deepEqual(answers.toSorted(), [false, true]);
          assert.equal(await holdersOf(column, value), 1);
        }
      });
    }

    it('gives one e-mail address to the account that verified it or to one that is created with it, and answers both', async () => {
      const token = await here.admin();
      for (let round = 0; round < 5; round += 1) {
        const emailAddress = `made${round}.${count}@example.com`;
        const carol = await join(`carol${round}`);
        const { operationId, pin } = await receive(here, carol.token, { emailAddress });
        const body = { userName: `made${round}.${count}`, emailAddress };
        const [verified, made] = await Promise.all([
          patiently(() => verify(here, carol.token, operationId, pin)),
          patiently(() => there.post(`${USER}/Create`, { token, body })),
        ]);
        assert.equal(verified.status, 200, verified.text);
        assert.equal(made.status, verified.result.isSuccess ? 409 : 200, made.text);
        assert.equal(await holdersOf('email', emailAddress), 1);
      }
    });

    it('accepts the right pin once when it is sent fifty times concurrently', async () => {
      const { token } = await join('dora');
      const { operationId, pin } = await receive(here, token, { emailAddress: `dora${count}@example.com` });
      const tries = Array.from({ length: 50 }, (_, n) => isVerified(n % 2 ? here : there, token, operationId, pin));
      assert.deepEqual((await Promise.all(tries)).toSorted(), [...Array(49).fill(false), true]);
    });

    it('verifies at most five of fifty concurrent wrong pins, and locks no account', async () => {
      const { id, token } = await join('emma');
      const { operationId, pin } = await receive(here, token, { emailAddress: `emma${count}@example.com` });
      const tries = Array.from({ length: 50 }, (_, n) =>
        isVerified(n % 2 ? here : there, token, operationId, wrongPin(pin)),
      );
      assert.deepEqual(new Set(await Promise.all(tries)), new Set([false]));
      const { sql } = here.service.database;
      const budgets = sql.selectFrom('pin_budget').select('used').where('subject', '=', accountSubject(id));
      assert.equal((await budgets.where('kind', '=', 'tried').executeTakeFirstOrThrow()).used, 5);
      assert.equal(await isVerified(there, token, operationId, pin), false);
      await here.signIn(`emma${count}`);
    });

    it('verifies no more of thirty concurrent wrong passwords than the lockout allows, and sends nothing', async () => {
      const { token } = await join('flora');
      const wanted = { emailAddress: `flora${count}@example.com`, currentPassword: WRONG_PASSWORD };
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => patiently(() => change(n % 2 ? here : there, token, wanted))),
      );
      const wrong = answers.filter(({ error }) => error.reason === 'password.incorrect');
      const locked = answers.filter(({ error }) => error.reason === 'signIn.lockedOut');
      assert.deepEqual([wrong.length, locked.length], [MAX_FAILURES - 1, 31 - MAX_FAILURES]);
      assert.deepEqual(await here.deliver(), []);
    });
  });
}

for (const engine of enginesAtLength) {
  describe(`changes of an account’s own address, on ${engine}`, () => {
    let test: TestService;
    let count = 10;
    let id: number;
    let userName: string;
    let token: string;
    let email: string;
    let number: string;

    before(async () => {
      test = await startTestService(engine);
    });
    beforeEach(async () => {
      count += 1;
      [userName, email, number] = [`thandi${count}`, `thandi${count}@example.com`, `+278212345${count}`];
      const addresses = { emailAddress: email, isEmailConfirmed: true, mobileNumber: number, isMobileConfirmed: true };
      id = await test.createUser(userName, addresses);
      token = await test.signIn(userName);
      await test.deliver();
    });
    after(() => test.close());

    const me = async (own = token) => (await test.get(WHO, { token: own })).result.user;
    const join = async (name: string, more = {}) => {
      await test.createUser(`${name}${count}`, more);
      return test.signIn(`${name}${count}`);
    };

    it('require a valid token without a pending change of password', async () => {
      const body = { currentPassword: USER_PASSWORD, emailAddress: `x${count}@example.com` };
      for (const [path, input] of [
        [CHANGE, body],
        [VERIFY, { operationId: 'x', pin: 'y' }],
      ] as const) {
        assertRefused(await test.post(path, { body: input }), 401, 'token.missing');
        assertRefused(await test.post(path, { token: `${token}x`, body: input }), 401, 'token.invalid');
        assertRefused(await test.post(path, { body: input, query: { access_token: token } }), 401, 'token.missing');
      }
      const restricted = await join('must', { requireChangePassword: true });
      assertRefused(await test.post(CHANGE, { token: restricted, body }), 403, 'password.changeRequired');
      assertRefused(await verify(test, restricted, 'x', 'y'), 403, 'password.changeRequired');
      const { operationId, pin } = await receive(test, token, { emailAddress: `x${count}@example.com` });
      await test.post('/api/TokenAuth/SignOff', { token });
      assertRefused(await test.post(CHANGE, { token, body }), 401, 'token.revoked');
      assertRefused(await verify(test, token, operationId, pin), 401, 'token.revoked');
      token = await test.signIn(userName);
      assert.equal((await me())?.email, email);
    });

    it('require the current password, and wrong passwords lock the account', async () => {
      const wanted = { emailAddress: `thief${count}@example.com` };
      for (const currentPassword of [undefined, null, '', 7, ['x']]) {
        assertRefused(await change(test, token, { ...wanted, currentPassword }), 400, 'request.invalid');
      }
      const query = { currentPassword: USER_PASSWORD, ...wanted };
      assertRefused(await test.post(CHANGE, { token, query }), 400, 'request.invalid');
      const wrong = { ...wanted, currentPassword: WRONG_PASSWORD };
      for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
        assertRefused(await change(test, token, wrong), 400, 'password.incorrect');
      }
      const locked = await change(test, token, wrong);
      assertRefused(locked, 401, 'signIn.lockedOut');
      assert.equal(locked.headers['retry-after'], '300');
      assertRefused(await change(test, token, wanted), 401, 'signIn.lockedOut');
      const body = { userNameOrEmailAddress: userName, password: USER_PASSWORD };
      assertRefused(await test.post(AUTHENTICATE, { body }), 401, 'signIn.lockedOut');
      assert.deepEqual(await test.deliver(), []);
    });

    it('share the rate limit of requests for pins', async () => {
      const call = { token, body: { currentPassword: USER_PASSWORD, emailAddress: 'x' }, ip: '10.9.8.7' };
      for (let turn = 0; turn < 5; turn += 1) assert.equal((await test.post(CHANGE, call)).status, 400);
      assertRefused(await test.post(CHANGE, call), 429, 'rateLimit.exceeded');
      assertRefused(await test.post(SEND_SIGN_IN_PIN, { ...call, body: {} }), 429, 'rateLimit.exceeded');
    });

    it('accept no pin of another account, and do not count attempts of another account', async () => {
      const emailAddress = `new${count}@example.com`;
      const mine = await receive(test, token, { emailAddress });
      const other = await join('other');
      for (let turn = 0; turn < 6; turn += 1) {
        const answer = await verify(test, other, mine.operationId, turn % 2 ? mine.pin : wrongPin(mine.pin));
        assert.equal(answer.result.isSuccess, false);
        assert.deepEqual(visible(answer), visible(await verify(test, other, 'no operation', mine.pin)));
      }
      assert.equal((await me(other))?.email, null);
      assert.equal(await isVerified(test, token, mine.operationId, mine.pin), true);
    });

    it('accept no pin that was issued for another purpose, or for no account', async () => {
      const address = `aim${count}@example.com`;
      const recipient = { subject: accountSubject(id), to: address };
      const { database, pins } = test.service;
      const issue = (purpose: Purpose, accountId: number | null, budgetSubject: string) =>
        database.transaction((tx) => pins.issue(tx, { purpose, budgetSubject, accountId, recipient, ttlSeconds: 300 }));
      for (const [index, purpose] of (['sign-in', 'reset-password'] as const).entries()) {
        const { operationId, pin } = await issue(purpose, id, `unknown:${count}.${index}`);
        assert.equal(await isVerified(test, token, operationId, pin ?? assert.fail()), false, purpose);
        test.clock.advance(COOLDOWN);
      }
      const { operationId, pin } = await issue('verify-email', null, `unknown:${count}`);
      assert.equal(await isVerified(test, token, operationId, pin ?? assert.fail()), false);
      test.clock.advance(COOLDOWN);
      const mine = await receive(test, token, { emailAddress: address });
      const given = { operationId: mine.operationId, code: mine.pin };
      assertRefused(await test.post(SIGN_IN, { body: given }), 401, 'pin.invalid');
      assert.equal((await me())?.email, email);
    });

    it('accept no pin after another address was requested, and no pin twice', async () => {
      const first = await receive(test, token, { emailAddress: `first${count}@example.com` });
      test.clock.advance(COOLDOWN);
      const second = await receive(test, token, { emailAddress: `second${count}@example.com` });
      assert.equal(await isVerified(test, token, first.operationId, first.pin), false);
      if (first.pin !== second.pin) {
        assert.equal(await isVerified(test, token, second.operationId, first.pin), false);
      }
      assert.equal(await isVerified(test, token, second.operationId, second.pin), true);
      assert.deepEqual((await test.deliver()).map(({ to }) => to).toSorted(), [email, number].toSorted());
      test.clock.advance(COOLDOWN);
      const back = await receive(test, token, { emailAddress: email });
      assert.equal(await isVerified(test, token, back.operationId, back.pin), true);
      assert.equal(await isVerified(test, token, second.operationId, second.pin), false);
      assert.equal((await me())?.email, email);
    });

    it('limit wrong pins per day over all pins of the account', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { operationId, pin } = await receive(test, token, { emailAddress: `x${round}.${count}@example.com` });
        for (let turn = 0; turn < 5; turn += 1) {
          assert.equal(await isVerified(test, token, operationId, wrongPin(pin)), false);
        }
        assert.equal(await isVerified(test, token, operationId, pin), false);
        test.clock.advance(COOLDOWN);
      }
      const { operationId } = (await test.post(SEND_SIGN_IN_PIN, { body: { userNameOrMobileNo: userName } })).result;
      const code = pinIn(only(await test.deliver()));
      assertRefused(await test.post(SIGN_IN, { body: { operationId, code } }), 401, 'pin.invalid');
      await test.signIn(userName);
    });

    it('answer alike for taken and free addresses; only the owner gets a notice, at the stored address', async () => {
      const owned = { emailAddress: `Owner${count}@Example.com`, mobileNumber: `+278398765${count}` };
      await join('owner', owned);
      await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 2 });
      for (const [taken, free, stored] of [
        [
          { emailAddress: `ＯＷＮＥＲ${count}@example.com` },
          { emailAddress: `new${count}@example.com` },
          owned.emailAddress,
        ],
        [{ mobileNumber: owned.mobileNumber }, { mobileNumber: `+278498765${count}` }, owned.mobileNumber],
      ] as const) {
        const seen: unknown[] = [];
        for (const wanted of [free, taken]) {
          const answer = await change(test, token, wanted);
          const message = only(await test.deliver());
          const [address = ''] = Object.values(wanted);
          assert.equal(message.to, wanted === taken ? stored : address);
          assert.equal(/\b\d{6}\b/.test(message.text), wanted === free, message.text);
          const { operationId } = answer.result;
          const given = { operationId, pin: '000000' };
          const others = [
            await change(test, token, wanted),
            await test.post(VERIFY, { token, body: given }),
            await test.post(`${OTP}/VerifyPin`, { body: given }),
            await test.post(`${OTP}/ResendPin`, { body: { operationId } }),
          ];
          seen.push([visible(answer, address), ...others.map((other) => visible(other))]);
          assert.deepEqual(await test.deliver(), []);
          test.clock.advance(COOLDOWN);
        }
        assert.deepEqual(seen[1], seen[0]);
      }
      await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 1 });
      assert.deepEqual([(await me())?.email, (await me())?.mobileNumber], [email, number]);
    });

    it('send the owner of a taken address at most one notice a minute, for any number of requests', async () => {
      for (const name of ['a', 'b', 'c']) {
        const other = await join(name);
        assert.equal((await change(test, other, { emailAddress: email })).status, 200);
      }
      assert.equal(only(await test.deliver()).to, email);
    });

    it('read no other account while the owner has to wait, so that the time of a refusal tells nothing', async (context) => {
      const { mock } = context.mock.method(test.service.accounts, 'findByName');
      const ask = () => change(test, token, { emailAddress: `wait${count}@example.com` });
      assert.equal((await ask()).status, 200);
      assertRefused(await ask(), 429, 'pin.cooldown');
      assert.equal(mock.callCount(), 1);
    });

    it('fail when another account got the address while the pin was on its way', async () => {
      const emailAddress = `late${count}@example.com`;
      const byEmail = await receive(test, token, { emailAddress });
      test.clock.advance(COOLDOWN);
      const mobileNumber = `+278598765${count}`;
      const byNumber = await receive(test, token, { mobileNumber });
      await test.createUser(`late${count}`, { emailAddress, mobileNumber });
      for (const { operationId, pin } of [byEmail, byNumber]) {
        assert.equal(await isVerified(test, token, operationId, pin), false);
      }
      assert.deepEqual([(await me())?.email, (await me())?.mobileNumber], [email, number]);
      assert.deepEqual(await test.deliver(), []);
    });

    it('answer as usual when another account gets the address during the verification', async (context) => {
      // SQLite runs one transaction at a time.
      if (engine === 'sqlite') return;
      const emailAddress = `moment${count}@example.com`;
      const { operationId, pin } = await receive(test, token, { emailAddress });
      const { accounts, database } = test.service;
      const { findByName } = accounts;
      context.after(() => Object.assign(accounts, { findByName }));
      const quick = { ...newAccount(`moment${count}`, { emailAddress }), passwordHash: null };
      const overtaken: typeof findByName = async (on, name) => {
        const found = await findByName(on, name);
        Object.assign(accounts, { findByName });
        await beside(() => accounts.add(database.sql, quick, test.clock.now()));
        return found;
      };
      Object.assign(accounts, { findByName: overtaken });
      const answer = await verify(test, token, operationId, pin);
      assert.deepEqual(visible(answer), visible(await verify(test, token, 'no operation', pin)));
      assert.equal((await me())?.email, email);
    });

    it('may verify a number that an import gave to two accounts, but a pin then signs in to neither', async () => {
      const shared = newAccount(`twin${count}`, { mobileNumber: number, isMobileConfirmed: true });
      const { accounts, database } = test.service;
      await accounts.add(database.sql, { ...shared, passwordHash: null }, test.clock.now());
      const { operationId, pin } = await receive(test, token, { mobileNumber: number });
      assert.equal(await isVerified(test, token, operationId, pin), true);
      test.clock.advance(COOLDOWN);
      await test.post(SEND_SIGN_IN_PIN, { body: { userNameOrMobileNo: number } });
      assert.deepEqual(await test.deliver(), []);
    });

    it('revoke the pins that were sent to the old address', async () => {
      const sent = await test.post(SEND_SIGN_IN_PIN, { body: { userNameOrMobileNo: userName } });
      const code = pinIn(only(await test.deliver()));
      test.clock.advance(COOLDOWN);
      const { operationId, pin } = await receive(test, token, { mobileNumber: `+278598765${count}` });
      assert.equal(await isVerified(test, token, operationId, pin), true);
      const body = { operationId: sent.result.operationId, code };
      assertRefused(await test.post(SIGN_IN, { body }), 401, 'pin.invalid');
    });

    it('revoke the links that were sent to the old address', async () => {
      const username = `linked${count}`;
      const addresses = { emailAddress: `former${count}@example.com`, isEmailConfirmed: true };
      const linked = await test.createUser(username, addresses);
      await test.post(`${USER}/SendEmailLink`, { body: { username } });
      const [, code = ''] = /code=([\w-]{43})/.exec(only(await test.deliver()).text) ?? [];
      test.clock.advance(COOLDOWN);
      const owner = await test.signIn(username);
      const { operationId, pin } = await receive(test, owner, { emailAddress: `latter${count}@example.com` });
      assert.equal(await isVerified(test, owner, operationId, pin), true);
      const { result } = await test.post(`${USER}/ValidateResetCode`, { body: { username, code, method: 2 } });
      assert.equal(result.isSuccess, false);
      const left = test.service.database.sql.selectFrom('reset_token').select('kind').where('account_id', '=', linked);
      assert.deepEqual(await left.execute(), []);
    });

    it('fail for an account that was deactivated or deleted meanwhile', async () => {
      const { operationId, pin } = await receive(test, token, { emailAddress: `gone${count}@example.com` });
      const admin = await test.admin();
      await test.post(`${USER}/InactivateUser`, { token: admin, body: { userId: id } });
      assertRefused(await verify(test, token, operationId, pin), 401, 'token.revoked');
      await test.send('DELETE', `${USER}/Delete?id=${id}`, { token: admin });
      assertRefused(await verify(test, token, operationId, pin), 401, 'token.revoked');
      const { sql } = test.service.database;
      const holders = sql.selectFrom('account').select('id').where('email', '=', `gone${count}@example.com`);
      assert.deepEqual(await holders.execute(), []);
    });
  });
}
