// Owners are told of every change, in few messages, and can change what protects the account only so often in a day.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AuthError } from '../../src/foundation/errors.ts';
import type { Tx } from '../../src/storage/database.ts';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl } from '../support/databases.ts';
import { openLocks } from '../support/locks.ts';
import { createPerson, createTestProvider, linkBody } from '../support/providers.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const NEW_PASSWORD = 'quarry velvet thimble';
const RACERS = 20;
const GAP = 300;
const DAY = 86_400;

/** Changes of an account in a day. */
const LIMIT = 30;

for (const [name, start] of Object.entries(setUps)) {
  describe(`notices to account owners on ${name}`, () => {
    const acme = createTestProvider('Acme');
    let setUp: SetUp;
    let accounts: TestAccounts;
    let id: number;
    let userName: string;
    let number: string;
    let count = 0;

    before(async () => {
      setUp = await start({ additions: { providers: [acme.info] } });
      accounts = await createTestAccounts(setUp.here);
      await setUp.here.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
    });
    after(() => setUp.close());
    beforeEach(async () => {
      count += 1;
      ({ id, userName } = await accounts.add());
      number = `+27821235${String(100 + count)}`;
      const email = `${userName}@example.org`;
      const addresses = {
        email,
        email_key: email,
        is_email_confirmed: 1,
        mobile: number,
        is_mobile_confirmed: 1,
      } as const;
      await setUp.here.service.database.sql.updateTable('account').set(addresses).where('id', '=', id).execute();
      await told();
    });

    const nodes = () => [setUp.here, setUp.there];
    const nodeOf = (n: number) => (n % 2 === 0 ? setUp.here : setUp.there);

    /** Makes a change of factors in a transaction of its own. */
    async function change({ service }: TestService, more: (tx: Tx) => Promise<void> = async () => {}) {
      const account = (await service.accounts.find(id)) ?? assert.fail();
      await service.database.transaction(async (tx) => {
        await service.accountFactors.completeChange(tx, account, 'passkeyRemoved');
        await more(tx);
      });
    }
    const sendWaiting = () =>
      Promise.all(nodes().flatMap((node) => [1, 2].map(() => node.service.ownerNotices.sendWaiting())));
    /** Returns what the owner was told since the last call, the SMS first. */
    async function told() {
      const messages = (await setUp.here.deliver()).filter(({ to }) => to === number || to.startsWith(`${userName}@`));
      return messages
        .toSorted((a, b) => b.means.localeCompare(a.means))
        .map(({ means, text = '' }) => [means, text] as const);
    }
    const rows = () =>
      setUp.here.service.database.sql.selectFrom('owner_notice').selectAll().where('account_id', '=', id).execute();

    it('tell the first of many changes at once, and the others together', async () => {
      await Promise.all(Array.from({ length: RACERS }, (_, n) => change(nodeOf(n))));
      const first = await told();
      assert.deepEqual(
        first.map(([means]) => means),
        ['sms', 'email'],
      );
      setUp.here.clock.advance(GAP - 0.001);
      await sendWaiting();
      assert.deepEqual(await told(), []);
      setUp.here.clock.advance(0.001);
      await sendWaiting();
      const [sms, mail, ...others] = await told();
      assert.deepEqual(others, []);
      const sentence = `A passkey was removed. (${RACERS - 1} times)`;
      assert.ok(sms?.[1].includes(` ${sentence} `), JSON.stringify(sms));
      assert.ok(mail?.[1].includes(`\n${sentence}\n`), JSON.stringify(mail));
      setUp.here.clock.advance(GAP);
      await sendWaiting();
      assert.deepEqual([await told(), await rows()], [[], []]);
    });

    it('come in time though many addresses have nothing to tell', async () => {
      const { sql: db } = setUp.here.service.database;
      const [first, second] = [await change(setUp.here), await change(setUp.here)];
      assert.deepEqual([first, second, (await told()).length], [undefined, undefined, 2]);
      const { id: other } = await accounts.add();
      const idle = { account_id: other, means: 'email', waiting: '[]', front_end: 'default-app' } as const;
      const due_at = setUp.here.clock.now();
      const rowOf = (_: unknown, n: number) => ({ ...idle, due_at, recipient: `${n}@example.org` });
      await db
        .insertInto('owner_notice')
        .values(Array.from({ length: 600 }, rowOf))
        .execute();
      setUp.here.clock.advance(GAP);
      await setUp.here.service.ownerNotices.sendWaiting();
      assert.equal((await told()).length, 2);
      const left = await db.selectFrom('owner_notice').select('recipient').where('account_id', '=', other).execute();
      assert.deepEqual(left, []);
    });

    const update = (more: object, n = 0) =>
      setUp.here.admin().then((token) => nodeOf(n).send('PUT', `${API}/User/Update`, { token, body: { id, ...more } }));

    it('tell a password and another user name that an administrator sets', async () => {
      const token = await setUp.here.admin();
      const reset = await setUp.there.post(`${API}/User/ResetPassword`, {
        token,
        body: { userId: id, newPassword: NEW_PASSWORD },
      });
      assert.equal(reset.status, 200, reset.text);
      const ofReset = await told();
      assert.deepEqual(
        ofReset.map(([means]) => means),
        ['sms', 'email'],
      );
      for (const [, text] of ofReset) {
        assert.match(text, /An administrator set a new password\./);
        assert.doesNotMatch(text, new RegExp(NEW_PASSWORD));
      }
      setUp.here.clock.advance(GAP);
      const renamed = `${userName}-renamed`;
      assert.equal((await update({ userName: renamed, surname: 'Other' })).status, 200);
      const ofName = await told();
      assert.equal(ofName.length, 2);
      for (const [, text] of ofName) {
        assert.match(text, /An administrator changed the user name\./);
        assert.ok(text.includes(renamed), 'the owner signs in with it');
      }
      assert.equal((await update({ surname: 'Third' })).status, 200);
      assert.equal((await update({ userName: renamed })).status, 200);
      assert.deepEqual(await told(), [], 'nothing to sign in with has changed');
    });

    it('tell an address that an administrator changes: the former one if it was verified, else the other one', async () => {
      const account = setUp.here.service.database.sql.updateTable('account').where('id', '=', id);
      await account.set({ is_mobile_confirmed: 0 }).execute();
      assert.equal((await update({ mobileNumber: `+27821236${String(100 + count)}` })).status, 200);
      const [mail, ...others] = await told();
      assert.deepEqual([mail?.[0], others], ['email', []]);
      assert.match(mail?.[1] ?? '', /An administrator changed the mobile number\./);
      assert.equal((await update({ emailAddress: `${userName}@example.com` })).status, 200);
      const [former, ...more] = await told();
      assert.deepEqual([former?.[0], more], ['email', []]);
      assert.match(former?.[1] ?? '', /changed the verified e-mail address or mobile number/);
      assert.equal((await update({ emailAddress: `${userName}@example.net`, userName: `${userName}x` })).status, 200);
      setUp.here.clock.advance(GAP);
      await sendWaiting();
      assert.deepEqual(await told(), [], 'no address is verified any more');
      assert.deepEqual(await rows().then((all) => all.filter(({ waiting }) => waiting !== '[]')), []);
    });

    it('tell many changes by administrators in few messages', async () => {
      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, n) => update({ userName: `${userName}-${n}` }, n)),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal((await told()).length, 2);
      setUp.here.clock.advance(GAP);
      await sendWaiting();
      const [sms, mail, ...others] = await told();
      assert.deepEqual(others, []);
      for (const [, text = ''] of [sms ?? [], mail ?? []]) {
        assert.ok(text.includes(`An administrator changed the user name. (${RACERS - 1} times)`), text);
      }
    });

    it('tell nothing of a change that is rolled back', async () => {
      const fail = async () => assert.fail('rolled back');
      const changes = Array.from({ length: RACERS }, (_, n) => change(nodeOf(n), n % 2 === 0 ? undefined : fail));
      await Promise.allSettled(changes);
      setUp.here.clock.advance(GAP);
      await sendWaiting();
      const texts = (await told()).filter(([means]) => means === 'email').map(([, text]) => text);
      assert.equal(texts.length, 2);
      assert.match(texts.join(), new RegExp(`\\(${RACERS / 2 - 1} times\\)`));
    });

    it('go to the address that the account had, under the name that it has', async () => {
      await change(setUp.here);
      await change(setUp.here);
      await told();
      const { sql } = setUp.here.service.database;
      await sql
        .updateTable('account')
        .set({ mobile: null, is_mobile_confirmed: 0, name: 'Thandi' })
        .where('id', '=', id)
        .execute();
      setUp.here.clock.advance(GAP);
      await sendWaiting();
      const [sms, mail] = await told();
      assert.equal(sms?.[0], 'sms');
      assert.match(mail?.[1] ?? '', /^Hello Thandi/);
    });

    it('end with the account', async () => {
      await change(setUp.here);
      await change(setUp.here);
      await told();
      const call = { token: await setUp.here.admin(), query: { id } };
      assert.equal((await setUp.here.send('DELETE', `${API}/User/Delete`, call)).status, 200);
      setUp.here.clock.advance(GAP);
      await sendWaiting();
      assert.deepEqual([await told(), await rows()], [[], []]);
    });

    it('tell a change of the own password by e-mail, and not by SMS', async () => {
      const body = { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD };
      const answer = await setUp.here.post(`${API}/User/ChangePassword`, {
        token: await accounts.open({ id, userName }),
        body,
      });
      assert.equal(answer.status, 200, answer.text);
      const [mail, ...others] = await told();
      assert.deepEqual([mail?.[0], others], ['email', []]);
      assert.match(mail?.[1] ?? '', /password of your account with Latchkey was changed/);
    });

    it('are of 30 changes a day at most, of any kind and at the same time; removals are always possible', async () => {
      const { accounts: stored, accountFactors, countChange, database } = setUp.here.service;
      const account = (await stored.find(id)) ?? assert.fail();
      const complete = (done: Parameters<typeof accountFactors.completeChange>[2]) =>
        database.transaction((tx) => accountFactors.completeChange(tx, account, done));
      await complete('authenticatorEnrolled');
      const tries = Array.from({ length: 2 * LIMIT }, (_, n) => {
        const { service } = nodeOf(n);
        return service.database.transaction((tx) => service.countChange(tx, id));
      });
      const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected');
      assert.equal(2 * LIMIT - refused.length, LIMIT - 1, 'the enrollment counts too');

      const token = await accounts.open({ id, userName });
      const { questions } = (await setUp.here.get(`${API}/User/GetMySecurityQuestions`, { token })).result;
      const currentPassword = USER_PASSWORD;
      const answers = [{ questionId: questions[0]?.id, answer: 'blue' }];
      const calls = {
        'User/SetMySecurityQuestions': { currentPassword, answers },
        'ExternalLogin/Link': linkBody(acme, createPerson()),
      };
      const send = (path: string, body: object) => setUp.there.post(`${API}/${path}`, { token, body });
      for (const [path, body] of Object.entries(calls)) {
        const answer = await send(path, body);
        assertRefused(answer, 429, 'account.tooManyChanges', path);
        const seconds = Number(answer.headers['retry-after']);
        assert.ok(seconds > 0 && seconds <= DAY, String(seconds));
      }
      for (const done of ['recoveryCodesReplaced', 'authenticatorEnrolled', 'passkeyRegistered'] as const) {
        await assert.rejects(complete(done), (error) => error instanceof AuthError && error.status === 429);
      }
      await complete('authenticatorRemoved');
      setUp.here.clock.advance(DAY);
      await database.transaction((tx) => countChange(tx, id));
    });
  });
}

it('notices that are sent late and the end of their account do not wait for each other', async (context) => {
  const url = await createMigratedUrl('postgres');
  const test = await startTestService('postgres', { url });
  context.after(() => test.close());
  const locks = await openLocks(url);
  context.after(() => locks.close());
  const { accounts, accountFactors, database, ownerNotices } = test.service;
  const ends = {
    thandi: (token: string, id: number) => test.send('DELETE', `${API}/User/Delete`, { token, query: { id } }),
    sipho: (token: string, id: number) => test.post(`${API}/User/Erase`, { token, body: { id } }),
  };
  for (const [name, end] of Object.entries(ends)) {
    const id = await test.createUser(name, { emailAddress: `${name}@example.org`, isEmailConfirmed: true });
    const account = (await accounts.find(id)) ?? assert.fail();
    for (let changes = 0; changes < 2; changes += 1)
      await database.transaction((tx) => accountFactors.completeChange(tx, account, 'passkeyRemoved'));
    test.clock.advance(GAP);
    const admin = await test.admin();
    // The job has taken what waits, and its message is next.
    await locks.hold('lock table message in share mode');
    const sending = ownerNotices.sendWaiting();
    await locks.untilWaiting(1);
    const ending = end(admin, id);
    await locks.untilWaiting(2);
    await locks.release();
    const [{ status }] = await Promise.all([ending, sending]);
    assert.equal(status, 200);
  }
});
