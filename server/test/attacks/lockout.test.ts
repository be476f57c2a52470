// Attacks on the lockout: parallel guesses, other spellings, other ways to sign in, and locking out the owner.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountSubject } from '../../src/lockout/index.ts';
import { createManualClock } from '../support/clock.ts';
import { createMigratedUrl, engines } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type Verifications, watchVerifications } from '../support/verifications.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
const WRONG = 'a wrong guess at it';
const MAX_FAILURES = 5;
const LOCK_SECONDS = 300;

const reasons = (answers: readonly TestAnswer[]) => Object.groupBy(answers, ({ error }) => error?.reason ?? 'success');

function assertLockedOut(answer: TestAnswer, retryAfter?: number) {
  assert.deepEqual([answer.status, answer.error.reason], [401, 'signIn.lockedOut']);
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
  if (retryAfter !== undefined) assert.equal(answer.headers['retry-after'], String(retryAfter));
}

/** Asserts that of parallel wrong guesses only the allowed number was verified, and the last of these locked the account. */
function assertAllowed(answers: readonly TestAnswer[], checked: number, allowed: number) {
  const byReason = reasons(answers);
  const [wrong = 0, locked = 0, unanswered = 0] = (
    ['signIn.invalidCredentials', 'signIn.lockedOut', 'service.unavailable'] as const
  ).map((reason) => byReason[reason]?.length);
  // A busy machine answers 503, which reveals nothing to the attacker. It may answer fewer guesses than allowed.
  const answered = answers.length - unanswered;
  const told = Math.min(allowed - 1, answered);
  assert.ok(checked <= allowed + unanswered);
  assert.deepEqual([wrong, locked], [told, answered - told]);
}

for (const engine of engines) {
  describe(`lockout on ${engine}`, () => {
    let test: TestService;
    let hashes: Verifications;
    let count = 0;
    let userName: string;
    let id: number;

    const tryPassword = (name: string, password: string, frontEnd?: string) =>
      test.post(AUTHENTICATE, {
        body: { userNameOrEmailAddress: name, password },
        ...(frontEnd && { headers: { 'sha-frontend-application': frontEnd } }),
      });
    async function fail(times: number, name = userName, frontEnd?: string) {
      let last: TestAnswer | undefined;
      for (let turn = 0; turn < times; turn += 1) last = await tryPassword(name, WRONG, frontEnd);
      return last as TestAnswer;
    }
    async function createFrontEnd(appKey: string, rows: Record<string, unknown>) {
      const path = '/api/services/app/FrontEndApp/Create';
      await test.post(path, { token: await test.admin(), body: { appKey, name: appKey } });
      for (const [row, value] of Object.entries(rows)) {
        await test.set(`Abp.Zero.UserManagement.UserLockOut.${row}`, value, appKey);
      }
    }

    before(async () => {
      test = await startTestService(engine);
      hashes = watchVerifications(test);
      await createFrontEnd('lax', { IsEnabled: false });
      await createFrontEnd('strict', { MaxFailedAccessAttemptsBeforeLockout: 2, DefaultAccountLockoutSeconds: 900 });
      await createFrontEnd('weak', { MaxFailedAccessAttemptsBeforeLockout: 100, DefaultAccountLockoutSeconds: 1 });
    });
    beforeEach(async () => {
      hashes.restore();
      count += 1;
      userName = `victim${count}`;
      id = await test.createUser(userName, { emailAddress: `${userName}@Example.com` });
      hashes.reset();
    });
    after(() => test.close());

    it('verifies no more than the allowed number of 100 parallel guesses', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => tryPassword(userName, WRONG)));
      assertAllowed(answers, hashes.checked.length, MAX_FAILURES);
      for (const answer of reasons(answers)['signIn.lockedOut'] ?? []) assertLockedOut(answer, LOCK_SECONDS);
    });

    it('locks with the attempt that reaches the maximum, and then verifies not even the right password', async () => {
      assert.equal((await fail(MAX_FAILURES - 1)).error.reason, 'signIn.invalidCredentials');
      assertLockedOut(await fail(1), LOCK_SECONDS);
      assertLockedOut(await tryPassword(userName, USER_PASSWORD), LOCK_SECONDS);
      assert.equal(hashes.checked.length, MAX_FAILURES);
    });

    it('ends a lock on time, also after attempts during the lock', async () => {
      await fail(MAX_FAILURES);
      test.clock.advance(LOCK_SECONDS - 1);
      assertLockedOut(await fail(20), 1);
      test.clock.advance(1);
      await test.signIn(userName);
    });

    it('counts every spelling of the name and the e-mail address together', async () => {
      const wide = userName.replace('victim', 'ｖｉｃｔｉｍ');
      const spellings = [userName, userName.toUpperCase(), wide, `${userName}@example.COM`, `${wide}＠EXAMPLE.com`];
      const answers = await Promise.all(spellings.map((name) => tryPassword(name, WRONG)));
      assert.equal(hashes.checked.length, MAX_FAILURES);
      assert.equal(reasons(answers)['signIn.lockedOut']?.length, 1);
      for (const name of spellings) assertLockedOut(await tryPassword(name, USER_PASSWORD));
    });

    it('accepts 30 concurrent right passwords for one name without a lock', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => tryPassword(userName, USER_PASSWORD)));
      assert.deepEqual(Object.keys(reasons(answers)), ['success']);
      assert.equal((await fail(MAX_FAILURES - 1)).error.reason, 'signIn.invalidCredentials');
      await test.signIn(userName);
    });

    it('accepts a right password among parallel wrong ones only when it is verified before the lock', async () => {
      const guesses = Array.from({ length: 40 }, (_, turn) => (turn === 39 ? USER_PASSWORD : WRONG));
      const answers = await Promise.all(guesses.map((guess) => tryPassword(userName, guess)));
      const wrong = reasons(answers)['signIn.invalidCredentials'] ?? [];
      const allowed = answers[39]?.status === 200 ? 2 * MAX_FAILURES : MAX_FAILURES;
      assert.ok(wrong.length < allowed && hashes.checked.length <= allowed);
    });

    it('counts wrong current passwords of a signed-in user', async () => {
      const token = await test.signIn(userName);
      const change = (currentPassword: string) =>
        test.post(`${USER}/ChangePassword`, { token, body: { currentPassword, newPassword: 'quite another phrase' } });
      await fail(2);
      for (const _ of [3, 4]) assert.equal((await change(WRONG)).error.reason, 'password.incorrect');
      assertLockedOut(await change(WRONG), LOCK_SECONDS);
      assertLockedOut(await change(USER_PASSWORD), LOCK_SECONDS);
      assertLockedOut(await tryPassword(userName, USER_PASSWORD), LOCK_SECONDS);
    });

    it('verifies no more than the allowed number of parallel wrong current passwords', async () => {
      const token = await test.signIn(userName);
      hashes.reset();
      const body = { currentPassword: WRONG, newPassword: 'quite another phrase' };
      await Promise.all(Array.from({ length: 30 }, () => test.post(`${USER}/ChangePassword`, { token, body })));
      assert.equal(hashes.checked.length, MAX_FAILURES);
    });

    it('resets the counter after a success', async () => {
      for (const _ of [1, 2]) {
        assert.equal((await fail(MAX_FAILURES - 1)).error.reason, 'signIn.invalidCredentials');
        await test.signIn(userName);
      }
    });

    it('locks after 100 failures in a row for every front end', async () => {
      hashes.skipHashing();
      assert.equal((await fail(99, userName, 'lax')).error.reason, 'signIn.invalidCredentials');
      assertLockedOut(await fail(1, userName, 'lax'), 3600);
      hashes.restore();
      for (const frontEnd of ['lax', 'weak', 'default-app']) {
        assertLockedOut(await tryPassword(userName, USER_PASSWORD, frontEnd), 3600);
      }
      test.clock.advance(3600);
      assertLockedOut(await fail(1, userName, 'lax'), 3600);
      test.clock.advance(3600);
      await test.signIn(userName);
      assert.equal((await fail(1, userName, 'lax')).error.reason, 'signIn.invalidCredentials');
    });

    it('applies the stricter value of the named front end and default-app to accounts with permissions', async () => {
      for (const [role, frontEnd, failures, seconds] of [
        ['Administrator', 'lax', MAX_FAILURES, LOCK_SECONDS],
        ['UserManager', 'weak', MAX_FAILURES, LOCK_SECONDS],
        ['UserManager', 'strict', 2, 900],
      ] as const) {
        const powerful = `${role}${frontEnd}`;
        await test.createUser(powerful, { roleNames: [role] });
        assert.equal((await fail(failures - 1, powerful, frontEnd)).error.reason, 'signIn.invalidCredentials');
        assertLockedOut(await fail(1, powerful, frontEnd), seconds);
      }
      assert.equal((await fail(MAX_FAILURES, userName, 'lax')).error.reason, 'signIn.invalidCredentials');
    });

    it('counts up to 100 in a row across short locks, front ends and ways to sign in', async () => {
      const token = await test.signIn(userName);
      hashes.restore();
      hashes.skipHashing();
      const body = { currentPassword: WRONG, newPassword: 'quite another phrase' };
      const headers = { 'sha-frontend-application': 'lax' };
      let last: TestAnswer | undefined;
      for (let turn = 1; turn <= 100; turn += 1) {
        if (turn % 3 === 0) last = await test.post(`${USER}/ChangePassword`, { token, body, headers });
        else last = await tryPassword(userName, WRONG, turn % 3 === 1 ? 'weak' : 'lax');
        if (turn < 100 && last.headers['retry-after']) test.clock.advance(Number(last.headers['retry-after']));
      }
      assert.equal(hashes.checked.length, 100);
      assertLockedOut(last as TestAnswer, 3600);
    });

    it('verifies 100 of 150 parallel guesses while lockout is off', async () => {
      hashes.skipHashing();
      const answers = await Promise.all(Array.from({ length: 150 }, () => tryPassword(userName, WRONG, 'lax')));
      assertAllowed(answers, hashes.checked.length, 100);
    });

    it('is reset by an administrator, and by a password that an administrator sets', async () => {
      await fail(MAX_FAILURES);
      const token = await test.admin();
      const { result } = await test.get(`${USER}/Get`, { token, query: { id } });
      assert.equal(Date.parse(result.lockedUntil ?? ''), test.clock.now() + LOCK_SECONDS * 1000);
      await test.post(`${USER}/UnlockUser`, { token, body: { userId: id } });
      await test.signIn(userName);
      await fail(MAX_FAILURES);
      const newPassword = 'harbour violet tractor';
      await test.post(`${USER}/ResetPassword`, { token, body: { userId: id, newPassword } });
      await test.signIn(userName, newPassword);
    });

    it('counts attempts whose caller hangs up before the answer', async () => {
      await test.app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = test.app.server.address() as { port: number };
      const body = JSON.stringify({ userNameOrEmailAddress: userName, password: WRONG });
      const head = `POST ${AUTHENTICATE} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      for (let turn = 1; turn <= MAX_FAILURES; turn += 1) {
        const socket = connect(port, '127.0.0.1');
        const closed = new Promise((resolve) => socket.once('close', resolve));
        hashes.before(async () => {
          socket.destroy();
          await closed;
        });
        socket.write(head + body);
        await closed;
        await settled(turn === MAX_FAILURES ? 0 : turn);
      }
      hashes.before(() => {});
      assertLockedOut(await tryPassword(userName, USER_PASSWORD), LOCK_SECONDS);
    });

    /** Waits until no attempt is reserved and the given number of failures is counted. */
    async function settled(failures: number) {
      for (;;) {
        const query = test.service.database.sql.selectFrom('lockout').select(['failures', 'reservations']);
        const row = await query.where('subject', '=', accountSubject(id)).executeTakeFirst();
        if (row?.reservations === '[]' && row.failures === failures) return;
        await nextTurn();
      }
    }

    it('releases the attempts of a process that died', async () => {
      const policy = { enabled: true, maxFailures: MAX_FAILURES, seconds: LOCK_SECONDS };
      for (let turn = 0; turn < MAX_FAILURES; turn += 1) {
        assert.ok('id' in (await test.service.lockouts.reserve(accountSubject(id), policy)));
      }
      const { sleep } = test.clock;
      Object.assign(test.clock, { sleep: async () => test.clock.advance(1) });
      const answer = await tryPassword(userName, USER_PASSWORD);
      Object.assign(test.clock, { sleep });
      assert.deepEqual([answer.status, answer.error?.reason], [503, 'service.unavailable']);
      assert.equal(hashes.checked.length, 0);
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
      test.clock.advance(30);
      await test.signIn(userName);
    });

    it('counts nothing when a guess could not be verified', async () => {
      hashes.before(() => {
        throw new Error('out of memory');
      });
      assert.equal((await fail(2 * MAX_FAILURES)).status, 500);
      hashes.restore();
      await test.signIn(userName);
    });

    it('opens no session for a password that was changed while it was verified', async () => {
      const token = await test.admin();
      hashes.before(async () => {
        hashes.before(() => {});
        await test.post(`${USER}/ResetPassword`, {
          token,
          body: { userId: id, newPassword: 'harbour violet tractor' },
        });
      });
      const answer = await tryPassword(userName, USER_PASSWORD);
      assert.deepEqual([answer.status, answer.error?.reason], [401, 'signIn.invalidCredentials']);
    });
  });
}

describe('lockout over two nodes', () => {
  it('verifies no more than the allowed number of 100 parallel guesses over both nodes', async (context) => {
    const shared = { url: await createMigratedUrl('postgres'), clock: createManualClock() };
    const nodes = [await startTestService('postgres', shared), await startTestService('postgres', shared)];
    context.after(() => Promise.all(nodes.map((node) => node.close())));
    const [one, two] = nodes as [TestService, TestService];
    await one.createUser('victim');
    const watched = nodes.map(watchVerifications);
    const body = { userNameOrEmailAddress: 'victim', password: WRONG };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, turn) => (turn % 2 ? one : two).post(AUTHENTICATE, { body })),
    );
    assertAllowed(answers, watched.flatMap(({ checked }) => checked).length, MAX_FAILURES);
    for (const node of nodes) {
      assertLockedOut(await node.post(AUTHENTICATE, { body: { ...body, password: USER_PASSWORD } }), LOCK_SECONDS);
    }
  });
});
