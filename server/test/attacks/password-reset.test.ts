// Attacks on password resets: guessing, replaying, redirecting and late use of links, codes, pins and tokens.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { openLocks } from '../support/locks.ts';
import { patiently } from '../support/patience.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const USER = '/api/services/app/User';
const OTP = '/api/TokenAuth/OtpAuthenticate';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const NEW_PASSWORD = 'quarry velvet thimble';
const OTHER_PASSWORD = 'marble anchor thistle';
const MAX_ATTEMPTS = 5;
const PARALLEL = often(15, 50);
const RACES = often(12, 60);
const COOLDOWN = 60;
const DAY = 86_400;
const EMAIL = 2;
const SMS = 4;

const wrongFor = (pin: string) => `${pin.slice(0, -1)}${(Number(pin.at(-1)) + 1) % 10}`;

/** Returns the requests that account owners and attackers send to a node. */
function enter(test: TestService) {
  const ask = <Name extends string>(name: Name, body: object, headers = {}) =>
    test.post(`${USER}/${name}`, { body, headers });
  const validate = async (username: string, code: string, method: number) =>
    (await patiently(() => ask('ValidateResetCode', { username, code, method }))).result;
  const verify = async (mobileNo: string, operationId: string, pin: string) =>
    (await ask('ResetPasswordVerifyOtp', { mobileNo, operationId, pin })).result;
  const redeem = (username: string, token: string | null | undefined, newPassword = NEW_PASSWORD) =>
    ask('ResetPasswordUsingToken', { username, token, newPassword });
  const readText = async (to: string) => {
    const message = (await test.deliver()).find((one) => one.to === to);
    return message?.text ?? assert.fail(`no message to ${to}`);
  };
  return {
    ask,
    validate,
    verify,
    redeem,
    /** Returns the link of a mail, its secret, and its code. */
    async receiveLink(username: string, mail: string, headers = {}) {
      assert.equal((await ask('SendEmailLink', { username }, headers)).result, true);
      const text = await readText(mail);
      const [link = ''] = text.match(/http\S+/) ?? [];
      const secret = new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? '';
      return { text, link, secret, code: text.match(/^\s+(\d{6})$/m)?.[1] ?? assert.fail(text) };
    },
    async receivePin(number: string) {
      const { operationId } = (await ask('ResetPasswordSendOtp', { mobileNo: number })).result;
      return { operationId, pin: (await readText(number)).slice(0, 6) };
    },
    signIn: (userNameOrEmailAddress: string, password: string) =>
      test.post(AUTHENTICATE, { body: { userNameOrEmailAddress, password } }),
  };
}

let people = 100;

/** An account with a verified e-mail address and a verified number. */
async function createPerson(test: TestService) {
  people += 1;
  const [name, mail, number] = [`victim${people}`, `victim${people}@example.com`, `+27821234${people}`];
  const verified = { emailAddress: mail, isEmailConfirmed: true, mobileNumber: number, isMobileConfirmed: true };
  return { name, mail, number, id: await test.createUser(name, verified) };
}

type Person = Awaited<ReturnType<typeof createPerson>>;

for (const [name, start] of Object.entries(setUps)) {
  describe(`concurrent resets, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let doors: ReturnType<typeof enter>[];
    let door: ReturnType<typeof enter>;
    let victim: Person;
    before(async () => {
      setUp = await start();
      here = setUp.here;
      Object.assign(here.clock, { sleep: pause });
      doors = [enter(here), enter(setUp.there)];
      door = enter(here);
    });
    beforeEach(async () => {
      await here.deliver();
      victim = await createPerson(here);
    });
    after(() => setUp.close());

    const times = <Result>(count: number, work: (at: typeof door, index: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_, index) => work(doors[index % 2] ?? door, index)));
    const proven = (results: readonly { isSuccess: boolean }[]) => results.filter(({ isSuccess }) => isSuccess).length;

    it('set one password when one token is sent many times with as many passwords', async () => {
      const { secret } = await door.receiveLink(victim.name, victim.mail);
      const { token } = await door.validate(victim.name, secret, EMAIL);
      const passwords = Array.from({ length: PARALLEL }, (_, index) => `${NEW_PASSWORD} ${index}`);
      const answers = await times(PARALLEL, (at, index) =>
        patiently(() => at.redeem(victim.name, token, passwords[index])),
      );
      const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
      assert.equal(won.length, 1);
      for (const [index, answer] of answers.entries()) {
        if (index !== won[0]) assertRefused(answer, 400, 'reset.invalidToken');
      }
      assert.equal((await door.signIn(victim.name, passwords[won[0] ?? 0] ?? '')).status, 200);
      assert.equal((await here.deliver()).length, 2, 'each address gets one notice');
    });

    for (const what of ['secret', 'code'] as const) {
      it(`issue one token for one link whose ${what} is sent many times`, async () => {
        const mail = await door.receiveLink(victim.name, victim.mail);
        assert.equal(proven(await times(PARALLEL, (at) => at.validate(victim.name, mail[what], EMAIL))), 1);
      });
    }

    it('set one password with two tokens, and neither waits for the other', async () => {
      for (let round = 0; round < 4; round += 1) {
        const { secret, code } = await door.receiveLink(victim.name, victim.mail);
        const tokens = [
          (await door.validate(victim.name, secret, EMAIL)).token,
          (await door.validate(victim.name, code, EMAIL)).token,
        ];
        const answers = await times(2, (at, index) =>
          at.redeem(victim.name, tokens[index], `${NEW_PASSWORD} ${round}`),
        );
        const told = answers.map(({ status, error }) => error?.reason ?? status).sort();
        assert.deepEqual(told, [200, 'reset.invalidToken']);
        await here.deliver();
        here.clock.advance(COOLDOWN);
      }
    });

    /** Changes the address of a new person while `act` does something with the link that went to the former one. */
    async function race<Result>(
      round: number,
      act: (at: typeof door, person: Person, mail: { secret: string; code: string }) => Promise<Result>,
    ) {
      const person = await createPerson(here);
      const mail = await door.receiveLink(person.name, person.mail);
      const body = { id: person.id, emailAddress: `new-${person.mail}`, isEmailConfirmed: true };
      const change = here.send('PUT', `${USER}/Update`, { token: await here.admin(), body });
      for (let other = 0; other < round % 4; other += 1) await here.get('/health/ready');
      const [changed, result] = await Promise.all([change, act(doors[1] ?? door, person, mail)]);
      assert.equal(changed.status, 200, changed.text);
      const left = here.service.database.sql.selectFrom('reset_token').select('kind');
      return { person, result, left: await left.where('account_id', '=', person.id).execute() };
    }

    for (const what of ['secret', 'code'] as const) {
      it(`prove nothing after a new address, however the ${what} of a link meets it`, async () => {
        for (let round = 0; round < RACES; round += 1) {
          const { person, result, left } = await race(round, (at, { name: username }, mail) =>
            at.ask('ValidateResetCode', { username, code: mail[what], method: EMAIL }),
          );
          assert.equal(result.status, 200, result.text);
          assert.deepEqual(left, [], 'the token of a proof that came first is revoked');
          const { token } = result.result;
          if (token !== null) assertRefused(await door.redeem(person.name, token), 400, 'reset.invalidToken');
        }
      });
    }

    it('set the password before a new address, or not at all', async () => {
      for (let round = 0; round < RACES; round += 1) {
        const { person, result, left } = await race(round, async (at, { name: username }, { secret }) =>
          at.redeem(username, (await at.validate(username, secret, EMAIL)).token ?? secret),
        );
        if (result.status !== 200) assertRefused(result, 400, 'reset.invalidToken');
        assert.deepEqual(left, []);
        const password = result.status === 200 ? NEW_PASSWORD : USER_PASSWORD;
        assert.equal((await door.signIn(person.name, password)).status, 200);
      }
    });

    it('verify five of a hundred wrong codes, and then not even the right one, while the link stays valid', async () => {
      const { secret, code } = await door.receiveLink(victim.name, victim.mail);
      const tries = () => times(100, (at) => at.validate(victim.name, wrongFor(code), EMAIL));
      assert.equal(proven(await tries()), 0);
      const looked = here.service.database.sql.selectFrom('pin_budget').select('used').where('kind', '=', 'tried');
      const budget = await looked.where('subject', '=', `account:${victim.id}`).executeTakeFirst();
      assert.equal(budget?.used, MAX_ATTEMPTS);
      assert.equal((await door.validate(victim.name, code, EMAIL)).isSuccess, false);
      const { token } = await door.validate(victim.name, secret, EMAIL);
      assert.equal((await door.redeem(victim.name, token)).status, 200);
    });
  });
}

for (const engine of enginesAtLength) {
  describe(`proofs of a reset in an attacker’s hands, on ${engine}`, () => {
    let test: TestService;
    let door: ReturnType<typeof enter>;
    let victim: Person;
    let attacker: Person;
    let admin: string;

    before(async () => {
      test = await startTestService(engine);
      door = enter(test);
      await test.set('Shesha.Otp', { dailyLimitPerRecipient: 100 });
    });
    beforeEach(async () => {
      await test.deliver();
      test.clock.advance(COOLDOWN);
      [victim, attacker] = [await createPerson(test), await createPerson(test)];
      admin = await test.admin();
    });
    after(() => test.close());

    const manage = (action: string, userId = victim.id) =>
      test.post(`${USER}/${action}`, { token: admin, body: { userId } });
    const update = async (changes: object, id = victim.id) => {
      const answer = await test.send('PUT', `${USER}/Update`, { token: admin, body: { id, ...changes } });
      assert.equal(answer.status, 200, answer.text);
    };
    const remove = ({ id }: Person) => test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id } });
    const prove = async ({ name, mail }: Person) =>
      (await door.validate(name, (await door.receiveLink(name, mail)).secret, EMAIL)).token;
    const assertWorthless = async (username: string, token: string | null, hint?: string) =>
      assertRefused(await door.redeem(username, token), 400, 'reset.invalidToken', hint);
    const assertUnharmed = async () => assert.equal((await door.signIn(victim.name, USER_PASSWORD)).status, 200);

    /** Asserts that the service refuses every proof that it sent to the owner. */
    async function assertDead({ secret, code, operationId, pin }: Awaited<ReturnType<typeof receiveAll>>, why: string) {
      const results = [
        await door.validate(victim.name, secret, EMAIL),
        await door.validate(victim.name, code, EMAIL),
        await door.validate(victim.name, pin, SMS),
        await door.verify(victim.number, operationId, pin),
      ];
      for (const [index, { isSuccess, token }] of results.entries()) {
        assert.deepEqual([isSuccess, token], [false, null], `${why}: proof ${index}`);
      }
    }

    async function receiveAll() {
      const mail = await door.receiveLink(victim.name, victim.mail);
      test.clock.advance(COOLDOWN);
      const sms = await door.receivePin(victim.number);
      test.clock.advance(COOLDOWN);
      return { ...mail, ...sms };
    }

    it('are not accepted in place of a token', async () => {
      const all = await receiveAll();
      for (const token of [all.operationId, all.secret, all.code, all.pin, '', ' ', 'null', '%', "' or 1=1 --"]) {
        if (token !== '') await assertWorthless(victim.name, token, token);
      }
      await assertUnharmed();
      assert.equal((await door.validate(victim.name, all.secret, EMAIL)).isSuccess, true, 'the link stays valid');
    });

    it('work for the account that they were sent to, and for no other', async () => {
      const { secret, code } = await door.receiveLink(attacker.name, attacker.mail);
      test.clock.advance(COOLDOWN);
      const { operationId, pin } = await door.receivePin(attacker.number);
      const own = await door.ask('ResetPasswordSendOtp', { mobileNo: victim.number });
      assert.equal((await door.ask('SendEmailLink', { username: victim.mail })).status, 200);
      for (const name of [victim.name, victim.mail, Buffer.from(victim.name).toString('base64'), 'nobody']) {
        for (const [given, method] of [
          [secret, EMAIL],
          [code, EMAIL],
          [code, SMS],
          [pin, SMS],
          [pin, EMAIL],
        ] as const) {
          assert.equal((await door.validate(name, given, method)).isSuccess, false, `${name} ${given}`);
        }
      }
      for (const number of [victim.number, '+27829999999', attacker.name, victim.name]) {
        for (const id of [operationId, own.result.operationId]) {
          if (number === victim.number && id !== operationId) continue;
          assert.equal((await door.verify(number, id, pin)).isSuccess, false, number);
        }
      }
      assert.equal((await door.validate(attacker.name, secret, EMAIL)).username, attacker.name, 'the link stays valid');
      assert.equal((await door.validate(attacker.name, code, EMAIL)).username, attacker.name);
      const { token, username } = await door.verify(attacker.number, operationId, pin);
      assert.equal(username, attacker.name);
      for (const name of [victim.name, victim.number, 'nobody', '+27829999999'])
        await assertWorthless(name, token, name);
      await assertUnharmed();
      assert.equal((await door.redeem(attacker.mail, token)).status, 200);
    });

    it('neither sign in nor verify an address, and pins for those purposes do not reset', async () => {
      const { code, operationId, pin } = await receiveAll();
      for (const given of [code, pin]) {
        assertRefused(await test.post(OTP, { body: { operationId, code: given } }), 401, 'pin.invalid');
      }
      const token = await test.signIn(victim.name);
      const verification = { token, body: { operationId, pin } };
      assert.equal((await test.post(`${USER}/VerifyMyAddress`, verification)).result.isSuccess, false);
      const proof = { body: { operationId, pin } };
      assert.equal((await test.post('/api/services/app/Otp/VerifyPin', proof)).result?.isSuccess ?? false, false);
      const signIn = await test.post(`${OTP}SendPin`, { body: { userNameOrMobileNo: victim.name } });
      const login = (await test.deliver()).find(({ to }) => to === victim.number)?.text.match(/\d{6}/)?.[0] ?? '';
      test.clock.advance(COOLDOWN);
      const change = { currentPassword: USER_PASSWORD, mobileNumber: victim.number.replace('+2782', '+2783') };
      const asked = await test.post(`${USER}/ChangeMyAddress`, { token, body: change });
      const address = (await test.deliver()).find(({ to }) => to === change.mobileNumber)?.text.match(/\d{6}/)?.[0];
      for (const [{ result }, other] of [
        [signIn, login],
        [asked, address ?? ''],
      ] as const) {
        assert.match(other, /^\d{6}$/);
        for (const number of [victim.number, change.mobileNumber]) {
          assert.equal((await door.verify(number, result.operationId, other)).isSuccess, false);
        }
        assert.equal((await door.validate(victim.name, other, SMS)).isSuccess, false);
        assert.equal((await door.validate(victim.name, other, EMAIL)).isSuccess, false);
      }
      assert.equal((await door.validate(victim.name, pin, SMS)).isSuccess, true, 'the right pin is still valid');
    });

    it('are all revoked by the first new password that one of them sets', async () => {
      const all = await receiveAll();
      const { token: first } = await door.verify(victim.number, all.operationId, all.pin);
      const second = await prove(victim);
      test.clock.advance(COOLDOWN);
      const fresh = await receiveAll();
      assert.equal((await door.redeem(victim.name, second)).status, 200);
      await assertWorthless(victim.name, first);
      await assertDead(fresh, 'a new password');
      assert.equal((await door.signIn(victim.name, NEW_PASSWORD)).status, 200);
    });

    it('are limited per day for an attacker who keeps requesting new codes, while links stay valid', async () => {
      await test.set('Shesha.Otp', { dailyAttemptsPerAccount: 7 });
      for (let round = 0; round < 2; round += 1) {
        const { code } = await door.receiveLink(victim.name, victim.mail);
        for (let turn = 0; turn < 4; turn += 1) await door.validate(victim.name, wrongFor(code), EMAIL);
        test.clock.advance(COOLDOWN);
      }
      const { secret, code, operationId, pin } = await receiveAll();
      assert.equal((await door.validate(victim.name, code, EMAIL)).isSuccess, false);
      assert.equal((await door.verify(victim.number, operationId, pin)).isSuccess, false, 'also for a pin to a number');
      assert.equal((await door.validate(victim.name, secret, EMAIL)).isSuccess, true);
      test.clock.advance(DAY);
      const tomorrow = await door.receiveLink(victim.name, victim.mail);
      assert.equal((await door.validate(victim.name, tomorrow.code, EMAIL)).isSuccess, true);
      await test.set('Shesha.Otp', { dailyAttemptsPerAccount: 50 });
    });

    it('are superseded only by newer ones of their kind', async () => {
      const older = await door.receiveLink(victim.name, victim.mail);
      test.clock.advance(COOLDOWN);
      const newer = await door.receiveLink(victim.mail, victim.mail);
      test.clock.advance(COOLDOWN);
      const olderPin = await door.receivePin(victim.number);
      test.clock.advance(COOLDOWN);
      const newerPin = await door.receivePin(victim.number);
      for (const given of [older.secret, older.code]) {
        assert.equal((await door.validate(victim.name, given, EMAIL)).isSuccess, false);
      }
      assert.equal((await door.verify(victim.number, olderPin.operationId, newerPin.pin)).isSuccess, false);
      for (const given of [newer.secret, newer.code]) {
        assert.equal((await door.validate(victim.name, given, EMAIL)).isSuccess, true);
      }
      assert.equal((await door.validate(victim.name, newerPin.pin, SMS)).isSuccess, true);
    });

    it('become invalid with their account or address, and the answer does not say why', async () => {
      const { mail, number } = victim;
      const changes: Record<string, () => Promise<unknown>> = {
        deactivation: () => manage('InactivateUser'),
        'other addresses': () =>
          update({
            emailAddress: `other-${mail}`,
            isEmailConfirmed: true,
            mobileNumber: number.replace('+2782', '+2783'),
            isMobileConfirmed: true,
          }),
        'no addresses': () => update({ emailAddress: null, mobileNumber: null }),
        'unverified addresses': () => update({ isEmailConfirmed: false, isMobileConfirmed: false }),
        'a password that an administrator set': async () => {
          const body = { userId: victim.id, newPassword: OTHER_PASSWORD };
          assert.equal((await test.post(`${USER}/ResetPassword`, { token: admin, body })).status, 200);
        },
        deletion: () => remove(victim),
      };
      for (const [why, change] of Object.entries(changes)) {
        await manage('ActivateUser');
        await update({ emailAddress: mail, isEmailConfirmed: true, mobileNumber: number, isMobileConfirmed: true });
        await test.deliver();
        const token = await prove(victim);
        test.clock.advance(COOLDOWN);
        const all = await receiveAll();
        await change();
        await assertDead(all, why);
        // A token stays valid when its address leaves the account after the proof.
        if (!why.endsWith('addresses')) await assertWorthless(victim.name, token, why);
      }
    });

    it('point to the public URL only, for any host in the request', async () => {
      const evil = 'evil.example';
      const headers = {
        host: evil,
        'x-forwarded-host': evil,
        'x-forwarded-proto': 'https',
        forwarded: `host=${evil}`,
        origin: `https://${evil}`,
        referer: `https://${evil}/`,
      };
      const { text, link, secret } = await door.receiveLink(victim.name, victim.mail, headers);
      assert.doesNotMatch(text, /evil/);
      const { origin, pathname, search, hash } = new URL(link);
      assert.deepEqual([origin, pathname, search], ['http://localhost:8080', '/reset-password', '']);
      assert.ok(hash.includes(secret), 'browsers send the part after # to no server');
    });

    it('stay valid when a mail scanner opens the link', async () => {
      const { link, secret, code } = await door.receiveLink(victim.name, victim.mail);
      const { pathname } = new URL(link);
      for (const given of [secret, code]) {
        const query = { username: victim.name, code: given, method: EMAIL };
        for (const path of [pathname, `${USER}/ValidateResetCode`, `${USER}/ResetPasswordUsingToken`]) {
          for (const verb of ['GET', 'OPTIONS'] as const) {
            assert.ok((await test.send(verb, path, { query })).status < 500, path);
          }
        }
      }
      const { token } = await door.validate(victim.name, secret, EMAIL);
      assert.ok(token);
      const query = { username: victim.name, token, newPassword: NEW_PASSWORD };
      await test.get(`${USER}/ResetPasswordUsingToken`, { query });
      assertRefused(await test.post(`${USER}/ResetPasswordUsingToken`, { query }), 400, 'request.invalid');
      assert.equal((await door.validate(victim.name, code, EMAIL)).isSuccess, true);
      assert.equal((await door.redeem(victim.name, token)).status, 200);
    });

    it('are never in clear text in a table, the log, the audit trail or an error answer', async () => {
      await test.set('Shesha.Otp', { alphabet: 'ABCDEFGHJKMNPQRSTUVWXYZ', passwordLength: 12 });
      await door.ask('SendEmailLink', { username: victim.name });
      test.clock.advance(COOLDOWN);
      await door.ask('SendSmsOtp', { username: victim.name });
      const text = (await test.deliver()).map((message) => message.text).join('\n');
      await test.set('Shesha.Otp', { alphabet: '0123456789', passwordLength: 6 });
      const [secret = '', ...pins] = [text.match(/code=([\w-]{43})/)?.[1], ...(text.match(/\b[A-Z]{12}\b/g) ?? [])];
      assert.equal(pins.length, 2, text);
      const { token } = await door.validate(victim.name, secret, EMAIL);
      assert.ok(token);
      const answers = [
        await door.redeem('nobody', token),
        await door.redeem(victim.name, token, 'short'),
        await door.ask('ValidateResetCode', { username: victim.name, code: secret, method: EMAIL }),
        await door.ask('ValidateResetCode', { username: victim.name, code: pins[0], method: 'wrong' }),
        await door.ask('ResetPasswordUsingToken', { username: victim.name, token, newPassword: 1 }),
      ];
      const { sql: statements } = test.service.database;
      const listed =
        engine === 'sqlite'
          ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
          : sql<{
              name: string;
            }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
      const places: Record<string, string> = {
        answers: answers.map((answer) => answer.text).join(),
        logs: test.logs.join(),
      };
      for (const { name } of (await listed.execute(statements)).rows) {
        Object.assign(places, {
          [name]: JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(statements)).rows),
        });
      }
      assert.ok('reset_token' in places && 'message' in places && 'audit' in places);
      const secrets: string[] = [secret, token, ...pins];
      for (const [place, held] of Object.entries(places)) {
        for (const hidden of secrets) {
          const forms: string[] = [
            hidden,
            Buffer.from(hidden).toString('base64').slice(0, -2),
            Buffer.from(hidden, 'base64url').toString('hex'),
          ];
          for (const form of forms) {
            assert.ok(!held.includes(form), `${place} holds ${hidden}`);
          }
        }
      }
    });
  });
}

describe('a reset and a request for a pin at the same moment, on PostgreSQL', () => {
  it('take the budget of the number before its pins, so that neither waits for the other', async () => {
    const url = await createMigratedUrl('postgres');
    const test = await startTestService('postgres', { url });
    const locks = await openLocks(url);
    const door = enter(test);
    const { name, mail } = await createPerson(test);
    const { code } = await door.receiveLink(name, mail);
    const { token } = await door.validate(name, code, EMAIL);
    const ask = () => door.ask('SendSmsOtp', { username: name });
    test.clock.advance(COOLDOWN);
    assert.equal((await ask()).status, 200);
    test.clock.advance(COOLDOWN);
    await locks.hold(`select from pin_budget where kind = 'sent' for update`);
    const asking = ask();
    await locks.untilWaiting(1);
    const resetting = door.redeem(name, token);
    await locks.untilWaiting(2);
    await locks.release();
    assert.deepEqual([(await asking).status, (await resetting).status], [200, 200]);
    await locks.close();
    await test.close();
  });
});
