// Attacks on registration: borrowed, reused and guessed proofs, addresses of other people, and messages at their cost.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import {
  createRegistering,
  linkIn,
  pinIn,
  RESEND_PIN,
  type Registering,
  SEND_BY,
  SEND_PIN,
  wrongPin,
} from '../support/registration.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const PARALLEL = often(15, 50);
const ROUNDS = often(3, 10);

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

for (const engine of engines) {
  describe(`attacks on registration on ${engine}`, () => {
    let test: TestService;
    let people: Registering;
    let count = 0;
    let address: string;
    let number: string;
    before(async () => {
      test = await startTestService(engine);
      people = createRegistering(test);
    });
    beforeEach(async () => {
      count += 1;
      test.clock.advance(3600);
      address = `newcomer${count}@example.org`;
      number = `+2782000${1000 + count}`;
      await people.open('email', { userEmailAsUsername: false });
      await test.set('Shesha.Otp', { resendCooldown: 60, dailyLimitPerRecipient: 10, dailyAttemptsPerAccount: 50 });
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: [] });
      await test.deliver();
    });
    after(() => test.close());

    const resend = (operationId: string) => test.post(RESEND_PIN, { body: { operationId } });
    const isRight = async (operationId: string, pin: string): Promise<boolean> =>
      (await people.verifyPin(operationId, pin)).result.isSuccess;

    /** Requests a pin and reads it from the outbox, where it is the only message. */
    async function receivePin(sendTo = address, sendType?: (typeof SEND_BY)[keyof typeof SEND_BY]) {
      const { result, text } = await people.askPin(sendTo, sendType);
      assert.ok(result, text);
      const messages = await test.deliver();
      assert.equal(messages.length, 1);
      return { operationId: result.operationId as string, pin: pinIn(messages[0]) };
    }

    async function findAccounts(keyword: string) {
      const query = { keyword, maxResultCount: 100 };
      return (await test.get(`${USER}/GetAll`, { token: await test.admin(), query })).result.items;
    }

    async function assertNotProven(form: Record<string, unknown>) {
      assertRefused(await people.create(form), 400, 'registration.addressNotProven', form);
    }

    describe('with proofs', () => {
      it('look up twenty user names with one proof, of a hundred at once, taken or free', async () => {
        const operationId = await people.prove(address);
        const tryName = (userName: string) =>
          people
            .create({ userName, emailAddress: address, operationId, password: 'x' })
            .then(({ error }) => error.reason);
        const reasons = await times(100, (index) => tryName(index % 2 === 0 ? 'admin' : `free${count}-${index}`));
        const told = reasons.filter((reason) => reason !== 'registration.addressNotProven');
        assert.equal(told.length, 20);
        for (const reason of told) assert.match(reason, /^(account\.userNameTaken|password\.policy)$/);
        assert.equal(await tryName(`free${count}`), 'registration.addressNotProven');
        test.clock.advance(60);
        const again = await people.prove(address);
        assert.equal((await people.create({ emailAddress: address, operationId: again })).status, 200);
      });

      it('register only the address that the pin was sent to', async () => {
        const operationId = await people.prove(address);
        for (const emailAddress of ['other@example.org', `x${address}`, `${address}.za`, '', null, undefined]) {
          await assertNotProven({ emailAddress, operationId });
        }
        await assertNotProven({ mobileNumber: number, operationId });
        assert.equal((await people.create({ emailAddress: address, operationId })).status, 200);
      });

      it('register nothing before the right pin is verified', async () => {
        const { operationId, pin } = await receivePin();
        await assertNotProven({ emailAddress: address, operationId, pin });
        assert.equal(await isRight(operationId, wrongPin(pin)), false);
        assert.equal(await isRight(operationId, ' - '), false);
        await assertNotProven({ emailAddress: address, operationId });
        await assertNotProven({ emailAddress: address, operationId: 'any' });
      });

      it('register once', async () => {
        const operationId = await people.prove(address);
        const form = { emailAddress: address, operationId };
        assert.equal((await people.create(form)).status, 200);
        await assertNotProven({ ...form, userName: `again${count}` });
        assert.equal(await isRight(operationId, '123456'), false);
        assertRefused(await resend(operationId), 401, 'pin.invalid');
      });

      it('register nobody with a link that they asked for, and that the owner of the address follows', async () => {
        const { result } = await people.askPin(address, SEND_BY.link);
        const { operation, pin } = linkIn((await test.deliver()).at(0));
        const asked: string = result.operationId;
        for (const forged of [`${asked}.`, `${asked}.${'a'.repeat(43)}`, `${operation}x`, operation.slice(0, -1)]) {
          assert.equal(await isRight(forged, pin), false, forged);
        }
        assert.ok(await isRight(operation, pin));
        await assertNotProven({ emailAddress: address, operationId: asked });
        assert.equal(await isRight(asked, pin), false);
        assertRefused(await resend(asked), 401, 'pin.invalid');
        await assertNotProven({ emailAddress: address, operationId: asked });
        assert.equal((await people.create({ emailAddress: address, operationId: operation })).status, 200);
      });

      it('register once by the link and its pin together, whichever is first', async () => {
        const { result } = await people.askPin(address, SEND_BY.link);
        const { operation, pin } = linkIn((await test.deliver()).at(0));
        const operations: string[] = [result.operationId, operation];
        const verified = await Promise.all(operations.map((operationId) => isRight(operationId, pin)));
        assert.equal(verified.filter(Boolean).length, 1);
        const forms = operations.map((operationId) => ({ emailAddress: address, operationId }));
        const created = await Promise.all(forms.map((form) => people.create(form)));
        assert.deepEqual(
          created.map(({ status }) => status === 200),
          verified,
        );
      });

      it('register within 15 minutes', async () => {
        const operationId = await people.prove(address);
        const form = { emailAddress: address, operationId };
        test.clock.advance(899);
        assertRefused(await people.create({ ...form, password: 'short' }), 400, 'password.policy');
        test.clock.advance(1);
        await assertNotProven(form);
      });

      it('do not accept pins that were sent for another purpose, nor the other way round', async () => {
        await test.createUser(`owner${count}`, { emailAddress: `owner${count}@example.org`, isEmailConfirmed: true });
        const token = await test.signIn(`owner${count}`);
        const change = { currentPassword: USER_PASSWORD, emailAddress: address };
        const others = [
          await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: `owner${count}` } }),
          await test.post(`${USER}/ChangeMyAddress`, { token, body: change }),
        ];
        for (const pin of (await test.deliver()).map(pinIn)) {
          for (const { result } of others) assert.equal(await isRight(result.operationId, pin), false);
        }
        for (const { result } of others) {
          assertRefused(await resend(result.operationId), 401, 'pin.invalid');
          await assertNotProven({ emailAddress: address, operationId: result.operationId });
        }
        test.clock.advance(60);
        const { operationId, pin: code } = await receivePin();
        const signIn = { operationId, code };
        assertRefused(await test.post('/api/TokenAuth/OtpAuthenticate', { body: signIn }), 401, 'pin.invalid');
        const verify = { token, body: { operationId, pin: code } };
        assert.equal((await test.post(`${USER}/VerifyMyAddress`, verify)).result.isSuccess, false);
        assert.equal(await isRight(operationId, code), true);
      });

      it('do not take over a signed-in user’s request whose pin was not delivered', async () => {
        await test.createUser(`owner${count}`);
        const token = await test.signIn(`owner${count}`);
        await people.askPin(address);
        const body = { currentPassword: USER_PASSWORD, emailAddress: address };
        const asked = await test.post(`${USER}/ChangeMyAddress`, { token, body });
        assert.equal((await test.deliver()).length, 1);
        assertRefused(await resend(asked.result.operationId), 401, 'pin.invalid');
      });

      it('are issued once for many parallel right pins', async () => {
        const { operationId, pin } = await receivePin();
        const tries = await times(PARALLEL, () => isRight(operationId, pin));
        assert.equal(tries.filter(Boolean).length, 1);
      });

      for (const means of ['email', 'mobile'] as const) {
        it(`create one account in many parallel registrations with one proof of one ${means} address`, async () => {
          await people.open(means);
          const operationId = await (means === 'email' ? people.prove(address) : people.prove(number, SEND_BY.sms));
          const answers = await times(PARALLEL, (index) => {
            const addresses = { emailAddress: address, mobileNumber: number };
            return people.create({ userName: `parallel${count}x${index}`, ...addresses, operationId });
          });
          const lost = answers.filter(({ status }) => status !== 200);
          assert.equal(lost.length, PARALLEL - 1);
          for (const answer of lost) assertRefused(answer, 400, 'registration.addressNotProven');
          assert.equal((await findAccounts(`parallel${count}x`)).length, 1);
        });

        it(`create one account in many parallel registrations of one ${means} address, each with its own pin`, async () => {
          await people.open(means);
          await test.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
          const sendTo = means === 'email' ? address : number;
          const issued = watchPins();
          let won = 0;
          async function register(name: string) {
            const { operationId } = (await people.askPin(sendTo, means === 'email' ? SEND_BY.email : SEND_BY.sms))
              .result;
            // A message that a busy database does not release now is sent with the next delivery.
            await test.service.messageDispatcher.deliverDue(means === 'email' ? 'email' : 'sms').catch(() => {});
            const pin = issued.get(operationId) ?? '';
            if (!test.printed.some((text) => text.includes(pin)) || !(await isRight(operationId, pin))) return;
            const form = { userName: name, emailAddress: address, mobileNumber: number, operationId };
            const answer = await people.create(form);
            if (answer.status === 200) won += 1;
            else assertRefused(answer, 400, 'registration.addressNotProven');
          }
          await times(PARALLEL, async (index) => {
            for (let turn = 0; turn < 5 && won === 0; turn += 1) await register(`many${count}x${index}`);
          });
          for (let turn = 0; turn < 3; turn += 1) await register(`many${count}late${turn}`);
          assert.equal(won, 1);
          assert.equal((await findAccounts(`many${count}`)).length, 1);
        });
      }

      /** Records the pin of each operation. A test uses a pin only after a message delivered it. */
      function watchPins(): Map<string, string> {
        const { pins } = test.service;
        const issue = pins.issue.bind(pins);
        const issued = new Map<string, string>();
        Object.assign(pins, {
          issue: async (...args: Parameters<typeof issue>) => {
            const made = await issue(...args);
            issued.set(made.operationId, made.pin ?? 'none');
            return made;
          },
        });
        return issued;
      }

      it('share no number with an account that is created concurrently', async () => {
        await people.open('mobile');
        const token = await test.admin();
        for (let round = 0; round < ROUNDS; round += 1) {
          const mobileNumber = `+27830${String(count * ROUNDS + round).padStart(6, '0')}`;
          const operationId = await people.prove(mobileNumber, SEND_BY.sms);
          const body = { userName: `rival${count}x${round}`, mobileNumber };
          const rivals: Promise<TestAnswer>[] = [];
          afterHashing(async () => {
            rivals.push(test.post(`${USER}/Create`, { token, body }));
            // From here both calls are the same number of steps away from their transactions.
            for (let step = 0; step < round % 4; step += 1) await test.get('/health/ready');
          });
          const answers = [await people.create({ mobileNumber, operationId }), ...(await Promise.all(rivals))];
          assert.equal(answers.length, 2);
          assert.equal(
            answers.filter(({ status }) => status === 200).length,
            1,
            answers.map(({ text }) => text).join(),
          );
          assert.equal((await findAccounts(mobileNumber)).length, 1);
        }
      });

      /** Runs `action` after the next password is hashed, and delays the registration until it ends. */
      function afterHashing(action: () => Promise<void>) {
        const { passwords } = test.service;
        const { hash } = passwords;
        const once: typeof hash = async (password) => {
          Object.assign(passwords, { hash });
          const hashed = await hash(password);
          await action();
          return hashed;
        };
        Object.assign(passwords, { hash: once });
      }
    });

    describe('with additional input', () => {
      it('get neither a role nor another member', async () => {
        const operationId = await people.prove(address);
        const created = await people.create({
          emailAddress: address,
          operationId,
          id: 1,
          userId: 1,
          personId: '00000000-0000-4000-8000-000000000000',
          roleNames: ['Administrator'],
          roles: ['Administrator'],
          isActive: false,
          isEmailConfirmed: false,
          isMobileConfirmed: true,
          requireChangePassword: true,
          passwordHash: 'hash',
        });
        const [account] = await findAccounts(address);
        assert.ok(account);
        assert.deepEqual([created.result.userId, created.result.id], [account.id, account.personId]);
        assert.notEqual(account.personId, '00000000-0000-4000-8000-000000000000');
        const { roleNames, isActive, isEmailConfirmed, isMobileConfirmed, requireChangePassword } = account;
        assert.deepEqual(
          [roleNames, isActive, isEmailConfirmed, isMobileConfirmed, requireChangePassword],
          [[], true, true, false, false],
        );
        const token = await test.signIn(address);
        assertRefused(await test.get(`${USER}/GetAll`, { token }), 403, 'permission.denied');
      });

      it('send a message to one plain address only, without any text of the caller', async () => {
        const ends = ['\r\nBcc: x@evil.org', '\nx', ',x@evil.org', ';x@evil.org', ' x@evil.org', '\u0000', '>', '\\'];
        const whole = [
          `<${address}>`,
          `Name <${address}>`,
          `"${address}"`,
          `(x)${address}`,
          `${'ﷺ'.repeat(240)}@b.org`,
        ];
        for (const sendTo of [...ends.map((end) => address + end), ...whole]) {
          for (const sendType of [SEND_BY.email, SEND_BY.link]) {
            assertRefused(await people.askPin(sendTo, sendType), 400, 'request.invalid', sendTo);
          }
        }
        const body = {
          sendTo: address,
          sendType: 2,
          lifetime: 86_400,
          recipientId: 1,
          actionType: 'evil',
          body: 'evil',
        };
        const { operationId } = (await test.post(SEND_PIN, { body })).result;
        await people.open('mobile');
        for (const end of ['\r\nx', '\n+27820009999', '\u0000']) {
          assertRefused(await people.askPin(number + end, SEND_BY.sms), 400, 'request.invalid', end);
        }
        await people.open('email');
        const messages = await test.deliver();
        assert.deepEqual([messages.length, messages[0]?.to], [1, address]);
        assert.doesNotMatch(JSON.stringify(messages), /evil/);
        test.clock.advance(600);
        assert.equal(await isRight(operationId, pinIn(messages[0])), false);
      });

      it('are refused for a name that is too long for a database index', async () => {
        const operationId = await people.prove(address);
        const userName = Array.from({ length: 256 }, (_, index) => String.fromCodePoint(0xfdf0 + (index % 11))).join(
          '',
        );
        assertRefused(await people.create({ userName, emailAddress: address, operationId }), 400, 'request.invalid');
      });
    });

    describe('that guess pins', () => {
      it('have five attempts among a hundred parallel ones', async () => {
        const { operationId, pin } = await receivePin();
        const tries = await times(100, () => isRight(operationId, wrongPin(pin)));
        assert.deepEqual(tries, Array(100).fill(false));
        const budget = await test.service.database.sql
          .selectFrom('pin_budget')
          .select('used')
          .where('kind', '=', 'tried')
          .where('subject', '=', `email:${address}`)
          .executeTakeFirst();
        assert.equal(budget?.used, 5);
        assert.equal(await isRight(operationId, pin), false);
        await assertNotProven({ emailAddress: address, operationId });
      });

      it('have a daily limit of wrong pins over all pins that were sent', async () => {
        await test.set('Shesha.Otp', { dailyAttemptsPerAccount: 7, resendCooldown: 0 });
        const first = await receivePin();
        for (let turn = 0; turn < 5; turn += 1) await isRight(first.operationId, wrongPin(first.pin));
        const second = await receivePin(address.toUpperCase());
        for (let turn = 0; turn < 2; turn += 1) await isRight(second.operationId, wrongPin(second.pin));
        assert.equal(await isRight(second.operationId, second.pin), false);
        const third = await receivePin();
        assert.equal(await isRight(third.operationId, third.pin), false);
        test.clock.advance(86_400);
        const tomorrow = await receivePin();
        assert.equal(await isRight(tomorrow.operationId, tomorrow.pin), true);
      });
    });

    describe('that cost others money', () => {
      it('send nothing to countries that are not allowed', async () => {
        await people.open('mobile');
        const { operationId } = (await people.askPin('+442079460000', SEND_BY.sms)).result;
        await test.deliver();
        test.clock.advance(60);
        await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['ZA'] });
        const answer = await people.askPin('+442079460000', SEND_BY.sms);
        assertRefused(answer, 400, 'request.invalid');
        assert.match(answer.error.details, /country/);
        assertRefused(await resend(operationId), 400, 'request.invalid');
        assert.deepEqual(await test.deliver(), []);
        await receivePin(number, SEND_BY.sms);
      });

      it('send an address a limited number of messages a day, from any IP address and in any spelling', async () => {
        await people.open('mobile');
        const spellings = [number, number.replace('+27', '+27 (0)'), number.replace('+2782', '+27-82-')];
        for (let turn = 0; turn < 10; turn += 1) {
          test.clock.advance(60);
          await receivePin(spellings[turn % 3], SEND_BY.sms);
        }
        test.clock.advance(60);
        const answers = await times(20, (index) => people.askPin(spellings[index % 3] ?? '', SEND_BY.sms));
        for (const answer of answers) {
          assertRefused(answer, 429, 'pin.dailyLimit');
          assert.equal(answer.headers['retry-after'], String(86_400 - 600));
        }
        assert.deepEqual(await test.deliver(), []);
      });

      it('send one message for any number of concurrent requests', async () => {
        const answers = await times(PARALLEL, () => people.askPin(address));
        assert.equal(answers.filter(({ status }) => status === 200).length, 1);
        assert.equal((await test.deliver()).length, 1);
      });

      it('send an owner no more messages by using several calls', async () => {
        await test.set('Shesha.Otp', { dailyLimitPerRecipient: 3 });
        await test.createUser(`owner${count}`, { emailAddress: address, isEmailConfirmed: true });
        let messages = 0;
        for (let turn = 0; turn < 6; turn += 1) {
          test.clock.advance(60);
          const body = { userNameOrMobileNo: turn % 2 ? `owner${count}` : address };
          const ways = [
            () => people.askPin(address),
            () => test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body }),
          ];
          for (const ask of turn % 2 ? ways.reverse() : ways) await ask();
          messages += (await test.deliver()).length;
        }
        assert.equal(messages, 3);
      });
    });
  });
}
