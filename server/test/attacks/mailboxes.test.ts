// Attacks with other spellings of an e-mail address: a mailbox never has two accounts, and never gets another’s mail.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { createPerson, createTestProvider } from '../support/providers.ts';
import { createRegistering, type Registering } from '../support/registration.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const USER = '/api/services/app/User';
const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const DAY_SECONDS = 86_400;
const EXTERNAL = '/api/TokenAuth/ExternalAuthenticate';

/** Addresses that RFC 5321 (4.1.2) does not allow. */
const MALFORMED = [
  '.ann@example.org',
  'ann.@example.org',
  'ann..lee@example.org',
  'ann@.example.org',
  'ann@example.org.',
  'ann@example..org',
  'ann@-example.org',
  'ann@example-.org',
];

for (const engine of enginesAtLength) {
  describe(`another spelling of an e-mail address on ${engine}`, () => {
    const provider = createTestProvider('Acme');
    let test: TestService;
    let people: Registering;
    let admin: string;
    let count = 0;
    let owner: string;
    let stored: string;
    /** The spelling of the owner, and those of an attacker who wants a second account. */
    let spellings: string[];
    before(async () => {
      test = await startTestService(engine, { additions: { providers: [provider.info] } });
      people = createRegistering(test);
    });
    beforeEach(async () => {
      count += 1;
      test.clock.advance(3600);
      admin = await test.admin();
      owner = `owner${count}`;
      spellings = [`bücher${count}`, `BÜCHER${count}`].flatMap((label) => [
        `${owner}@${label}.example`,
        `${owner}@${label}\u3002example`,
        `${owner}@${label}.\uff25xample`,
      ]);
      const { result } = await create(owner, { emailAddress: spellings[0], isEmailConfirmed: true });
      stored = result.emailAddress ?? assert.fail();
      spellings.push(stored, stored.toUpperCase());
      await test.deliver();
    });
    after(() => test.close());

    const create = (userName: string, more: object = {}) =>
      test.post(`${USER}/Create`, { token: admin, body: { userName, password: USER_PASSWORD, ...more } });
    const idOf = async (userNameOrEmailAddress: string) => {
      const body = { userNameOrEmailAddress, password: USER_PASSWORD };
      return (await test.post(AUTHENTICATE, { body })).result?.userId;
    };

    it('is stored with the domain that mail goes to', () => {
      assert.match(stored, /^owner\d+@xn--[a-z0-9-]+\.example$/);
    });

    it('signs in, and gets mail, as every other', async () => {
      const id = await idOf(owner);
      assert.ok(id);
      for (const typed of [...spellings, ...spellings.map((one) => `${one}.`)]) {
        assert.equal(await idOf(typed), id, typed);
        test.clock.advance(DAY_SECONDS);
        await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: typed } });
        assert.deepEqual(
          (await test.deliver()).map(({ to }) => to),
          [stored],
          typed,
        );
      }
    });

    it('creates no second account, by an administrator, as a user name, or through a provider', async () => {
      for (const [turn, emailAddress] of [...spellings, ...spellings.map((one) => `${one}.`)].entries()) {
        const userName = `second${count}x${turn}`;
        const isTrailing = emailAddress.endsWith('.');
        const made = await create(userName, { emailAddress, isEmailConfirmed: true });
        if (isTrailing) assertRefused(made, 400, 'request.invalid', emailAddress);
        else assertRefused(made, 409, 'account.duplicate', emailAddress);
        assertRefused(await create(emailAddress), 400, 'request.invalid', emailAddress);
        if (isTrailing) continue;
        assertRefused(await create(emailAddress, { emailAddress }), 409, 'account.duplicate', emailAddress);
        const proof = provider.proofOf(createPerson({ emailAddress }));
        assertRefused(await test.post(EXTERNAL, { body: proof }), 409, 'external.emailInUse', emailAddress);
      }
      const query = { keyword: stored, maxResultCount: 100 };
      assert.equal((await test.get(`${USER}/GetAll`, { token: admin, query })).result.totalCount, 1);
    });

    it('is not registered again: the owner gets a notice and no pin', async () => {
      await people.open('email', { userEmailAsUsername: false });
      for (const typed of spellings) {
        test.clock.advance(60);
        assert.equal((await people.askPin(typed)).status, 200);
        const [message, ...others] = await test.deliver();
        assert.deepEqual([message?.to, others.length], [stored, 0], typed);
        assert.doesNotMatch(message?.text ?? '', /\b\d{6}\b/);
      }
    });

    it('is the same address for the budget of pins and for the proof', async () => {
      await people.open('email', { userEmailAsUsername: false });
      const [typed = '', other = ''] = [`new${count}@münchen.example`, `NEW${count}@xn--mnchen-3ya.example`];
      const operationId = await people.prove(typed);
      assertRefused(await people.askPin(other), 429, 'pin.cooldown');
      const made = await people.create({ emailAddress: other, operationId, userName: `new${count}` });
      assert.equal(made.status, 200, made.text);
      const id = await idOf(`new${count}`);
      assert.ok(id);
      assert.equal(await idOf(typed), id);
    });

    it('cannot become the new address of another account', async () => {
      await create(`other${count}`, { emailAddress: `other${count}@example.org`, isEmailConfirmed: true });
      const token = await test.signIn(`other${count}`);
      for (const emailAddress of spellings) {
        test.clock.advance(60);
        const body = { currentPassword: USER_PASSWORD, emailAddress };
        assert.equal((await test.post(`${USER}/ChangeMyAddress`, { token, body })).status, 200);
        assert.deepEqual(
          (await test.deliver()).map(({ to }) => to),
          [stored],
          emailAddress,
        );
      }
    });

    it('is refused everywhere when RFC 5321 does not allow it', async () => {
      await people.open('email', { userEmailAsUsername: false });
      const token = await test.signIn(owner);
      for (const emailAddress of [...MALFORMED, 'ann@example.org/path', 'ann@192.0.2.1']) {
        assertRefused(await create(`bad${count}`, { emailAddress }), 400, 'request.invalid', emailAddress);
        assertRefused(await people.askPin(emailAddress), 400, 'request.invalid', emailAddress);
        const body = { currentPassword: USER_PASSWORD, emailAddress };
        assertRefused(
          await test.post(`${USER}/ChangeMyAddress`, { token, body }),
          400,
          'request.invalid',
          emailAddress,
        );
        const proof = provider.proofOf(createPerson({ emailAddress }));
        assertRefused(await test.post(EXTERNAL, { body: proof }), 502, 'external.unavailable', emailAddress);
      }
      assert.deepEqual(await test.deliver(), []);
    });

    it('that an older version accepted stays while other members change', async () => {
      const { result } = await create(`old${count}`, {
        emailAddress: `old${count}@example.org`,
        isEmailConfirmed: true,
      });
      const old = `.old${count}@example.org`;
      const row = { email: old, email_key: old };
      await test.service.database.sql.updateTable('account').set(row).where('id', '=', result.id).execute();
      const change = (more: object) =>
        test.send('PUT', `${USER}/Update`, { token: admin, body: { id: result.id, emailAddress: old, ...more } });
      const changed = await change({ name: 'Ann' });
      assert.deepEqual(
        [changed.status, changed.result?.emailAddress, changed.result?.isEmailConfirmed],
        [200, old, true],
        changed.text,
      );
      assertRefused(await change({ emailAddress: `${old}.za.` }), 400, 'request.invalid');
    });
  });
}
