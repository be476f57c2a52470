// Attacks that try to enumerate accounts by registering: answers for taken and free addresses, and notices to owners.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newAccount } from '../../src/accounts/index.ts';
import { assertRefused, readResult } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { createRegistering, RESEND_PIN, type Registering, SEND_BY, type SendType } from '../support/registration.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';

/** Returns the parts of an answer that an attacker can compare, without the address and unique values. */
function visible({ status, headers, body }: TestAnswer, sendTo: string) {
  const { date: _, 'content-length': __, ...told } = headers;
  const text = JSON.stringify({ ...body, error: body.error && { ...body.error, traceId: '' } });
  const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return { status, told, text: text.replaceAll(JSON.stringify(sendTo), '"to"').replace(id, 'id') };
}

for (const engine of enginesAtLength) {
  describe(`registration with a taken or free address on ${engine}`, () => {
    let test: TestService;
    let people: Registering;
    let count = 0;
    let address: string;
    before(async () => {
      test = await startTestService(engine);
      people = createRegistering(test);
    });
    beforeEach(async () => {
      count += 1;
      test.clock.advance(3600);
      address = `newcomer${count}@example.org`;
      await people.open('email');
      await test.set('Shesha.Otp', { dailyLimitPerRecipient: 4 });
      await test.deliver();
    });
    after(() => test.close());

    const resend = (operationId: string) => test.post(RESEND_PIN, { body: { operationId } });

    /** Runs each step for all addresses before the next step, so that all see the same clock. */
    async function compare(sendTos: readonly string[], sendType: SendType) {
      const seen = sendTos.map((sendTo) => ({ sendTo, operationId: '', answers: [] as unknown[] }));
      const step = async (act: (one: (typeof seen)[number]) => Promise<TestAnswer>) => {
        for (const one of seen) {
          const answer = await act(one);
          one.operationId = readResult(answer)?.operationId ?? one.operationId;
          one.answers.push(visible(answer, one.sendTo));
        }
      };
      const ask = () => step(({ sendTo }) => people.askPin(sendTo, sendType));
      await ask();
      test.clock.advance(20);
      await ask();
      await step(({ operationId }) => resend(operationId));
      test.clock.advance(40);
      await step(({ operationId }) => resend(operationId));
      for (let turn = 0; turn < 7; turn += 1) {
        await step(({ operationId }) => people.verifyPin(operationId, String(turn).repeat(6)));
      }
      await step(({ sendTo, operationId }) =>
        people.create({ emailAddress: sendTo, mobileNumber: sendTo, operationId, userName: 'x' }),
      );
      for (let turn = 0; turn < 3; turn += 1) {
        test.clock.advance(60);
        await ask();
      }
      const [first, ...others] = seen.map(({ answers }) => answers);
      const statuses = (first as { status: number }[]).map(({ status }) => status);
      assert.deepEqual(statuses, [200, 429, 429, 200, ...Array(7).fill(200), 400, 200, 200, 429]);
      for (const other of others) assert.deepEqual(other, first);
      return test.deliver();
    }

    it('answers alike for e-mail addresses, and sends owners a notice', async () => {
      const taken = ['confirmed', 'unconfirmed', 'out', 'named'].map((kind) => `${kind}${count}@example.org`);
      const [confirmed = '', unconfirmed = '', out = '', named = ''] = taken;
      await test.createUser(`a${count}`, { emailAddress: confirmed, isEmailConfirmed: true });
      await test.createUser(`b${count}`, { emailAddress: unconfirmed });
      await test.createUser(`c${count}`, { emailAddress: out, isActive: false });
      await test.createUser(named, { emailAddress: named });
      const folded = `Straße${count}@example.org`;
      await test.createUser(`d${count}`, { emailAddress: folded });
      const legacy = { ...newAccount(`legacy${count}@example.org`), passwordHash: null };
      await test.service.accounts.add(test.service.database.sql, legacy, test.clock.now());

      const spelling = `ＳＴＲＡＳＳＥ${count}@example.org`;
      const messages = await compare([address, ...taken, spelling, legacy.userName], SEND_BY.link);
      const told = messages.filter(({ text }) => text.includes('already have an account'));
      assert.deepEqual(new Set(told.map(({ to }) => to)), new Set([...taken, folded]));
      assert.equal(told.length, 4 * 5);
      const others = messages.filter((message) => !told.includes(message));
      assert.deepEqual(new Set(others.map(({ to }) => to)), new Set([address]));
      assert.equal(others.length, 4);
      assert.doesNotMatch(told.map(({ text }) => text).join(), /\b\d{6}\b|register/);
    });

    it('answers alike for mobile numbers, and sends owners a notice', async () => {
      await people.open('mobile');
      const [free, confirmed, unconfirmed] = [0, 1, 2].map((kind) => `+278400${kind}${1000 + count}`) as [
        string,
        string,
        string,
      ];
      await test.createUser(`e${count}`, { mobileNumber: confirmed, isMobileConfirmed: true });
      await test.createUser(`f${count}`, { mobileNumber: unconfirmed });
      const messages = await compare([free, confirmed, unconfirmed], SEND_BY.sms);
      const told = messages.filter(({ text }) => text.includes('have an account'));
      assert.deepEqual(new Set(told.map(({ to }) => to)), new Set([confirmed, unconfirmed]));
      assert.equal(told.length, 8);
      for (const { text } of told) assert.ok(text.length <= 160 && !/\d{6}/.test(text), text);
    });

    it('reads no account while an address has to wait, so that the time of a refusal tells nothing', async ({
      mock,
    }) => {
      const { accounts } = test.service;
      const reads = [mock.method(accounts, 'findByName').mock, mock.method(accounts, 'findByMobile').mock];
      const countReads = () => reads.reduce((sum, read) => sum + read.callCount(), 0);
      for (const [by, sendTo, sendType] of [
        ['email', address, SEND_BY.email],
        ['mobile', `+2784003${1000 + count}`, SEND_BY.sms],
      ] as const) {
        await people.open(by);
        const before = countReads();
        const { result } = await people.askPin(sendTo, sendType);
        assert.equal(countReads(), before + 1);
        assertRefused(await people.askPin(sendTo, sendType), 429, 'pin.cooldown');
        assertRefused(await resend(result.operationId), 429, 'pin.cooldown');
        assert.equal(countReads(), before + 1);
      }
    });

    it('does not reveal an account that was created after the pin was sent', async () => {
      const operationId = await people.prove(address);
      await test.createUser(`quick${count}`, { emailAddress: address });
      for (const userName of [undefined, address.toUpperCase(), `slow${count}`]) {
        const answer = await people.create({ userName, emailAddress: address, operationId });
        assertRefused(answer, 400, 'registration.addressNotProven');
      }
    });

    it('answers as usual when the address has just been sent another kind of message', async () => {
      await test.createUser(`owner${count}`);
      const token = await test.signIn(`owner${count}`);
      const change = { currentPassword: USER_PASSWORD, emailAddress: address };
      assert.equal((await test.post(`${USER}/ChangeMyAddress`, { token, body: change })).status, 200);
      assert.equal((await test.deliver()).length, 1);
      const other = `other${count}@example.org`;
      const [first, usual] = [await people.askPin(address), await people.askPin(other)];
      assert.deepEqual(visible(first, address), visible(usual, other));
      assert.deepEqual(
        (await test.deliver()).map(({ to }) => to),
        [other],
      );
      test.clock.advance(60);
      const [again, asUsual] = [await resend(first.result.operationId), await resend(usual.result.operationId)];
      assert.deepEqual(visible(again, address), visible(asUsual, other));
      assert.equal((await test.deliver()).length, 2);
    });
  });
}
