// Attacks on hashing: occupying the threads, and learning from a hash that finishes too late.
// Alone in its process: it measures what its calls cost.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { OWASP_HASH_COST } from '../../src/passwords/index.ts';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { enrollApp } from '../support/factors.ts';
import { patiently, until } from '../support/patience.ts';
import { freshAddress, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type Verifications, watchVerifications } from '../support/verifications.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
const WRONG = 'a wrong guess at it';
const NEW_PASSWORD = 'quarry velvet thimble';
const MAX_FAILURES = 5;
const LINK = 2;

/** In hash time, each hash takes so long beside others, on any machine. Then one account may have fifty in flight. */
const HASH_MS = 10;

for (const engine of enginesAtLength) {
  describe(`hashing on ${engine}`, () => {
    let test: TestService;
    let hashes: Verifications;
    /** Requested new hashes, and verifications of sign-ins that the queue refused. */
    let made: number;
    let refused: number;
    /** New hashes wait until so many are requested: on a busy machine, requests come more slowly than hashes are made. */
    let together = 1;
    let hashTime = 0;
    const gathered: (() => void)[] = [];
    let count = 0;
    let name: string;

    function passTime<Result>(result: Result): Result {
      hashTime += HASH_MS;
      return result;
    }

    before(async () => {
      test = await startTestService(engine, { hashCost: OWASP_HASH_COST });
      // Waiting attempts sleep in real time.
      Object.assign(test.clock, { sleep: pause, elapsed: () => performance.now() });
      hashes = watchVerifications(test);
      const { passwords } = test.service;
      const { hash, compare } = passwords;
      Object.assign(passwords, {
        async hash(...args: Parameters<typeof hash>) {
          made += 1;
          await new Promise<void>((begin) => {
            gathered.push(begin);
            if (gathered.length >= together) for (const one of gathered.splice(0)) one();
          });
          return hash(...args).then(passTime);
        },
        compare(...args: Parameters<typeof compare>) {
          return compare(...args).then(passTime, (error) => {
            refused += 1;
            throw error;
          });
        },
      });
    });
    after(() => test.close());
    beforeEach(async () => {
      count += 1;
      name = `hashed${count}`;
      await test.createUser(name, { emailAddress: `${name}@example.com`, isEmailConfirmed: true });
      hashes.restore();
      made = 0;
      refused = 0;
    });

    const signIn = (userName: string, password: string, ip = freshAddress()) =>
      test.post(AUTHENTICATE, { body: { userNameOrEmailAddress: userName, password }, ip });
    const change = (token: string, currentPassword: string, ip = freshAddress()) =>
      test.post(`${USER}/ChangePassword`, { token, body: { currentPassword, newPassword: NEW_PASSWORD }, ip });

    it('hashes no new password for a locked account, or without the right current password', async () => {
      const token = await test.signIn(name);
      hashes.reset();
      for (let turn = 0; turn < MAX_FAILURES; turn += 1) await change(token, WRONG);
      assert.equal(hashes.checked.length, MAX_FAILURES);
      const flood = Array.from({ length: 100 }, () => patiently(() => change(token, USER_PASSWORD)));
      for (const answer of await Promise.all(flood)) assertRefused(answer, 401, 'signIn.lockedOut');
      assert.equal(made, 0);
    });

    it('lets other accounts sign in while one administrator or one address requests too many hashes', async () => {
      const token = await test.admin();
      hashTime = performance.now();
      Object.assign(test.clock, { elapsed: () => hashTime });
      // The service learns how long a hash takes.
      await Promise.all(Array.from({ length: 40 }, () => test.service.passwords.hash(USER_PASSWORD)));
      const create = (index: number, ip: string) =>
        test.post(`${USER}/Create`, { token, body: { userName: `${name}x${index}`, password: USER_PASSWORD }, ip });
      for (const address of [freshAddress, () => '10.255.0.1']) {
        together = 300;
        made = 0;
        const flood = Array.from({ length: together }, (_, index) => create(index + count * 1000, address()));
        await until(() => made === together);
        together = 1;
        // No more than an account may have in flight.
        const honest = Array.from({ length: 8 }, () => patiently(() => signIn(name, USER_PASSWORD)));
        for (const answer of await Promise.all(honest)) assert.equal(answer.status, 200);
        assert.equal(refused, 0);
        const shed = (await Promise.all(flood)).filter(({ status }) => status === 503);
        assert.ok(shed.length > 0, 'the flood was too small to be refused');
        for (const { headers } of shed) assert.equal(headers['retry-after'], '1');
        count += 1;
      }
      Object.assign(test.clock, { elapsed: () => performance.now() });
    });

    it('discards the result of a guess whose reservation has expired', async () => {
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      hashes.before(() => held);
      const slow = [WRONG, WRONG, WRONG, USER_PASSWORD].map((guess) => signIn(name, guess));
      while (hashes.checked.length < slow.length) await pause(1);
      test.clock.advance(8);
      hashes.before(() => {});
      for (let turn = 1; turn < MAX_FAILURES; turn += 1) {
        assertRefused(await signIn(name, WRONG), 401, 'signIn.invalidCredentials');
      }
      release();
      for (const answer of await Promise.all(slow)) assertRefused(answer, 503, 'service.unavailable');
      assertRefused(await signIn(name, WRONG), 401, 'signIn.lockedOut');
    });

    it('does not tell whether a late guess at an account with a second factor was right', async () => {
      const factors = { passkeys: false, authenticator: true, trustedDeviceDays: 0, requireForPermissions: false };
      await test.set('Latchkey.Factors', factors);
      await enrollApp(test, { id: await test.createUser(`${name}app`), userName: `${name}app` });
      const late = async (guess: string) => {
        hashes.before(() => test.clock.advance(8));
        return signIn(`${name}app`, guess);
      };
      for (const guess of [WRONG, USER_PASSWORD]) assertRefused(await late(guess), 503, 'service.unavailable');
      hashes.restore();
      assert.equal((await signIn(`${name}app`, USER_PASSWORD)).result.requiresTwoFactorVerification, true);
    });

    describe('with a reset token', () => {
      let token: string;
      const redeem = (newPassword: string) =>
        patiently(() => test.post(`${USER}/ResetPasswordUsingToken`, { body: { username: name, token, newPassword } }));
      beforeEach(async () => {
        await test.deliver();
        await test.post(`${USER}/SendEmailLink`, { body: { username: name } });
        const [mail] = await test.deliver();
        const code = mail?.text.match(/^\s+(\d{6})$/m)?.[1];
        const body = { username: name, code, method: LINK };
        token = (await test.post(`${USER}/ValidateResetCode`, { body })).result.token ?? assert.fail();
        hashes.restore();
      });

      it('compares nothing with the current password while the new one breaks another rule', async () => {
        await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', true, 'default-app');
        for (const guess of [USER_PASSWORD, 'another velvet thimble']) {
          const { error } = await redeem(guess);
          assert.deepEqual(
            error.validationErrors?.map(({ message }) => message),
            ['Use at least one digit.'],
          );
        }
        await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', false, 'default-app');
        assert.equal(hashes.checked.filter((hash) => hash !== null).length, 2, 'only the hashes of the administrator');
      });

      it('compares no more than the allowed number of 100 concurrent passwords', async () => {
        const guesses = Array.from({ length: 100 }, (_, turn) =>
          turn === 50 ? USER_PASSWORD : `${NEW_PASSWORD} ${turn}`,
        );
        const answers = await Promise.all(guesses.map(redeem));
        assert.ok(hashes.checked.length < 2 * MAX_FAILURES, `${hashes.checked.length} were compared`);
        const reset = answers.findIndex(({ result }) => result === true);
        assert.ok(reset >= 0);
        const told = answers.filter(({ error }) => error?.reason === 'password.policy');
        assert.ok(told.length <= 1);
        await test.signIn(name, guesses[reset]);
      });

      it('counts each match with the current password as a failed attempt', async () => {
        for (let turn = 0; turn < MAX_FAILURES; turn += 1) {
          const refused = await redeem(USER_PASSWORD);
          assertRefused(refused, 400, 'password.policy');
          assert.match(refused.error.details, /differs from the current one/);
        }
        assertRefused(await signIn(name, USER_PASSWORD), 401, 'signIn.lockedOut');
        hashes.reset();
        assert.equal((await redeem(NEW_PASSWORD)).result, true, 'a reset works for a locked account');
        assert.equal(hashes.checked.length, 0);
        await test.signIn(name, NEW_PASSWORD);
      });
    });
  });
}
