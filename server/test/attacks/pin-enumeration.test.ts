// Attacks that try to enumerate accounts with requests for pins and with wrong pins.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readResult } from '../support/answers.ts';
import { createManualClock } from '../support/clock.ts';
import { enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';
import { countStatements } from '../support/statements.ts';

const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const SIGN_IN = '/api/TokenAuth/OtpAuthenticate';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
/** A pin is this one once in a million. */
const WRONG_PIN = '000000';
const COOLDOWN = 60;
const LOCK_SECONDS = 300;

/** Returns the parts of an answer that an attacker can compare. */
function visible(answer: TestAnswer) {
  const { status, headers, body } = answer;
  const { date: _, ...told } = headers;
  const operationId = readResult(answer)?.operationId;
  const shape = operationId ? { ...body, result: { operationId: operationId.length } } : body;
  return { status, headers: told, body: { ...shape, error: shape.error && { ...shape.error, traceId: 'any' } } };
}

const reasonsOf = (answers: readonly unknown[]) =>
  answers.map((answer) => (answer as TestAnswer).body.error?.reason ?? 'success');

for (const engine of enginesAtLength) {
  describe(`requests for a pin, on ${engine}`, () => {
    let test: TestService;
    let admin: string;
    let count = 10;

    before(async () => {
      test = await startTestService(engine);
      const appKey = 'lax';
      admin = await test.admin();
      await test.post('/api/services/app/FrontEndApp/Create', { token: admin, body: { appKey, name: 'Lax' } });
      await test.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false, appKey);
    });
    beforeEach(async () => {
      count += 1;
      await test.deliver();
    });
    after(() => test.close());

    const ask = (userNameOrMobileNo: string) => test.post(SEND_PIN, { body: { userNameOrMobileNo } });
    const give = (operationId: string, code = WRONG_PIN, frontEnd = 'default-app') =>
      test.post(SIGN_IN, { body: { operationId, code }, headers: { 'sha-frontend-application': frontEnd } });
    const start = async (name: string): Promise<string> => (await ask(name)).result.operationId;
    const verified = (prefix: string) => ({ mobileNumber: `+2782${prefix}${count}`, isMobileConfirmed: true });

    /** Returns one name per reason to send a pin or not. The service sends a pin to five names, the first included. */
    async function createNames() {
      await test.createUser(`known${count}`, verified('11111'));
      await test.createUser(`numbered${count}`, verified('22222'));
      const mail = { emailAddress: `mail${count}@example.com`, isEmailConfirmed: true };
      await test.createUser(`mailed${count}`, mail);
      await test.createUser(`must${count}`, { ...verified('33333'), requireChangePassword: true });
      await test.createUser(`bare${count}`);
      await test.createUser(`unproven${count}`, { mobileNumber: `+278244444${count}` });
      await test.createUser(`abroad${count}`, { mobileNumber: `+4915112345${count}`, isMobileConfirmed: true });
      const deactivated = await test.createUser(`former${count}`, verified('55555'));
      await test.post(`${USER}/InactivateUser`, { token: admin, body: { userId: deactivated } });
      const deleted = await test.createUser(`gone${count}`, verified('66666'));
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: deleted } });
      await test.set('Latchkey.PhoneNumbers', { allowedCountries: ['ZA'] });
      return [
        `known${count}`,
        `+278222222${count}`,
        `mail${count}@example.com`,
        `must${count}`,
        `former${count}`,
        `bare${count}`,
        `unproven${count}`,
        `+278244444${count}`,
        `abroad${count}`,
        `gone${count}`,
        `+278266666${count}`,
        `nobody${count}`,
        `+278277777${count}`,
        `nobody${count}@example.com`,
        `' or 1=1 -- ${count}`,
      ];
    }

    /** Asserts that each name gets the same answers, in order. @returns the reasons of those answers. */
    async function compare(names: readonly string[], look: (name: string) => Promise<TestAnswer[]>) {
      const [first = [], ...others] = await Promise.all(names.map(async (name) => (await look(name)).map(visible)));
      for (const [index, other] of others.entries()) assert.deepEqual(other, first, `${names[index + 1]}`);
      return reasonsOf(first);
    }

    const countRows = async (table: 'message' | 'pin' | 'audit') => {
      const { sql } = test.service.database;
      const rows = await sql.selectFrom(table).select(sql.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
      return Number(rows.n);
    };

    it('get the same answer and add the same rows for every name', async () => {
      const names = await createNames();
      const tables = ['message', 'pin', 'audit'] as const;
      const counts = async () => Promise.all(tables.map(countRows));
      const seen: unknown[] = [];
      for (const name of names) {
        const before = await counts();
        seen.push(visible(await ask(name)));
        const added = (await counts()).map((rows, index) => rows - (before[index] ?? 0));
        assert.deepEqual(added, [1, 1, 1], `${name}: one row each in ${tables}`);
      }
      for (const [index, answer] of seen.entries()) assert.deepEqual(answer, seen[0], `${names[index]}`);
      assert.equal((await test.deliver()).length, 5);
      const again = await compare(names, async (name) => [await ask(name), await ask(name.toUpperCase())]);
      assert.deepEqual(again, ['pin.cooldown', 'pin.cooldown']);
    });

    it('run the same number of statements for every name', async (context) => {
      // Only PostgreSQL: each statement costs a round trip that an attacker could measure.
      if (engine === 'sqlite') return;
      const names = (await createNames()).filter((name) => !name.startsWith('+'));
      const statements = countStatements(context);
      const seen: [string, number][] = [];
      for (const name of names) {
        statements.reset();
        await ask(name);
        seen.push([name, statements.read()]);
      }
      const [[, usual] = ['', 0]] = seen;
      assert.ok(usual > 5, 'statements are counted');
      assert.deepEqual(
        seen,
        names.map((name) => [name, usual]),
      );
    });

    it('have the same cooldown and daily limit for every name', async () => {
      const names = await createNames();
      for (let turn = 0; turn < 10; turn += 1) {
        assert.deepEqual(await compare(names, async (name) => [await ask(name), await ask(name)]), [
          'success',
          turn < 9 ? 'pin.cooldown' : 'pin.dailyLimit',
        ]);
        test.clock.advance(COOLDOWN);
      }
      assert.deepEqual(await compare(names, async (name) => [await ask(name)]), ['pin.dailyLimit']);
    });

    it('refuse wrong pins alike for every name before, during and after a lock', async () => {
      const operations = new Map<string, string>();
      for (const name of await createNames()) operations.set(name, await start(name));
      const tryAll = (times: number) =>
        compare([...operations.keys()], async (name) => {
          const answers: TestAnswer[] = [];
          for (let turn = 0; turn < times; turn += 1) answers.push(await give(operations.get(name) ?? ''));
          return answers;
        });
      const [wrong, locked] = ['pin.invalid', 'signIn.lockedOut'];
      assert.deepEqual(await tryAll(7), [...Array(4).fill(wrong), ...Array(3).fill(locked)]);
      test.clock.advance(LOCK_SECONDS - 1);
      assert.deepEqual(await tryAll(1), [locked]);
      test.clock.advance(1);
      assert.deepEqual(await tryAll(2), [wrong, wrong]);
      for (const name of operations.keys()) operations.set(name, await start(name));
      assert.deepEqual(await tryAll(6), [...Array(4).fill(wrong), ...Array(2).fill(locked)]);
    });

    it('refuse a text that no pin can be alike for every name, without a try or a lock', async () => {
      const operations = new Map<string, string>();
      for (const name of await createNames()) operations.set(name, await start(name));
      const texts = ['12345', '1234567', 'abcdef', '123.456', '\u200f\u200f', '💥', `${'0'.repeat(100)}`];
      const reasons = await compare([...operations.keys()], async (name) => {
        const answers: TestAnswer[] = [];
        for (const text of texts) answers.push(await give(operations.get(name) ?? '', text));
        return answers;
      });
      assert.deepEqual(reasons, Array(texts.length).fill('pin.invalid'));
      const sent = (await test.deliver()).find(({ to }) => to === `+278211111${count}`);
      const pin = /\b\d{6}\b/.exec(sent?.text ?? '')?.[0] ?? '';
      const accepted = [];
      for (const operationId of operations.values()) accepted.push((await give(operationId, pin)).status === 200);
      assert.equal(accepted.filter(Boolean).length, 1, 'the pin of the first name still works');
    });

    it('refuse wrong pins alike for every name while lockout is off, also after the last attempt of a pin', async () => {
      const operations = new Map<string, string>();
      for (const name of await createNames()) operations.set(name, await start(name));
      const reasons = await compare([...operations.keys()], async (name) => {
        const answers: TestAnswer[] = [];
        for (let turn = 0; turn < 7; turn += 1) answers.push(await give(operations.get(name) ?? '', WRONG_PIN, 'lax'));
        return answers;
      });
      assert.deepEqual(reasons, Array(7).fill('pin.invalid'));
    });

    it('refuse pins alike for known and unknown names that wrong passwords have locked', async () => {
      await test.createUser(`locked${count}`, verified('88888'));
      await test.createUser(`unreached${count}`);
      const lockAndAsk = async (userNameOrEmailAddress: string) => {
        const body = { userNameOrEmailAddress, password: 'a wrong guess at it' };
        for (let turn = 0; turn < 5; turn += 1) await test.post(AUTHENTICATE, { body });
        const asked = await ask(userNameOrEmailAddress);
        return [asked, await give(asked.result.operationId)];
      };
      const names = [`locked${count}`, `unreached${count}`, `nobody${count}`];
      assert.deepEqual(await compare(names, lockAndAsk), ['success', 'signIn.lockedOut']);
      // A password does not authenticate a number, so wrong passwords for a number lock no pins.
      await test.createUser(`numbered${count}`, verified('99999'));
      const numbers = [`+278299999${count}`, `+278200000${count}`];
      assert.deepEqual(await compare(numbers, lockAndAsk), ['success', 'pin.invalid']);
    });

    it('refuse unknown operations as they refuse a wrong pin', async () => {
      const operationId = await start(`nobody${count}`);
      const names = [operationId, '5f7f6c3a-0b43-4a44-9c5e-0d6d6a7f0a11', 'no operation', '../..', "'"];
      assert.deepEqual(await compare(names, async (name) => [await give(name)]), ['pin.invalid']);
    });

    it('do not reveal that a user name and a number belong to one account', async () => {
      await test.createUser(`known${count}`, verified('11111'));
      const pairs = [
        [`known${count}`, `+278211111${count}`],
        [`nobody${count}`, `+278277777${count}`],
        [`known${count}`.toUpperCase(), `+278277777${count}`],
      ];
      const seen: unknown[] = [];
      for (const [name = '', number = ''] of pairs) {
        const [byName, byNumber] = [await ask(name), await ask(number)];
        const [first, second] = [byName.result.operationId, byNumber.result.operationId];
        const messages = await test.deliver();
        const told = [byName, byNumber, await ask(name), await ask(number), await give(second), await give(first)];
        seen.push(told.map(visible));
        assert.equal(messages.length, name.toLowerCase().startsWith('known') ? 1 : 0);
        const pin = messages[0]?.text.slice(0, 6);
        if (pin !== undefined) {
          assert.equal((await give(second, pin)).error.reason, 'pin.invalid', 'the pin belongs to the first request');
          assert.equal((await give(first, pin)).status, 200);
        }
        test.clock.advance(COOLDOWN);
      }
      for (const other of seen) assert.deepEqual(other, seen[0]);
      assert.deepEqual(reasonsOf(seen[0] as unknown[]), [
        ...['success', 'success', 'pin.cooldown', 'pin.cooldown'],
        ...['pin.invalid', 'pin.invalid'],
      ]);
    });

    it('never write an unknown name to the database or the log', async () => {
      const typed = `hunter2-typed-as-name-${count}`;
      const { result } = await ask(typed);
      await give(result.operationId);
      await give(result.operationId, `hunter2-typed-as-pin-${count}`);
      const { sql } = test.service.database;
      for (const table of ['pin', 'pin_budget', 'message', 'audit', 'lockout'] as const) {
        const rows = JSON.stringify(await sql.selectFrom(table).selectAll().execute());
        assert.ok(rows.length > 2 && !rows.includes('hunter2'), table);
      }
      assert.ok(!test.logs.join('').includes('hunter2'));
    });
  });
}

describe('a sign-in with a pin', () => {
  it('is answered at a whole step, so that its time does not tell whether the name exists', async () => {
    const clock = createManualClock();
    const { sleep } = clock;
    const waits: number[] = [];
    clock.sleep = (milliseconds) => {
      waits.push(milliseconds);
      return sleep(milliseconds);
    };
    const test = await startTestService('sqlite', { clock });
    after(test.close);
    const operationId = readResult(await test.post(SEND_PIN, { body: { userNameOrMobileNo: 'nobody' } }))?.operationId;
    assert.ok(operationId);
    assert.deepEqual([...new Set(waits)], [20], SEND_PIN);
    for (const id of [operationId, 'none']) {
      waits.length = 0;
      await test.post(SIGN_IN, { body: { operationId: id, code: WRONG_PIN } });
      assert.deepEqual([...new Set(waits)], [20], id);
    }
  });
});
