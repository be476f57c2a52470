// Attacks that try to enumerate accounts by comparing answers, locks and work for known and unknown names.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type Verifications, watchVerifications } from '../support/verifications.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USER = '/api/services/app/User';
const WRONG = 'a wrong guess at it';

/** Returns the parts of an answer that an attacker can compare. */
function visible({ status, headers, body }: TestAnswer) {
  const { date: _, ...told } = headers;
  return { status, headers: told, body: { ...body, error: { ...body.error, traceId: 'any' } } };
}

for (const engine of enginesAtLength) {
  describe(`the service under enumeration of accounts, on ${engine}`, () => {
    let test: TestService;
    let hashes: Verifications;
    let admin: string;
    let count = 0;

    const tryPassword = (name: string, password = WRONG, frontEnd = 'default-app') =>
      test.post(AUTHENTICATE, {
        body: { userNameOrEmailAddress: name, password },
        headers: { 'sha-frontend-application': frontEnd },
      });
    const manage = (path: string, userId: number) => test.post(`${USER}/${path}`, { token: admin, body: { userId } });

    before(async () => {
      test = await startTestService(engine);
      hashes = watchVerifications(test);
      admin = await test.admin();
    });
    beforeEach(() => {
      count += 1;
      hashes.reset();
    });
    after(() => test.close());

    /** Returns one name per kind of account, and names without one. */
    async function createNames() {
      await test.createUser(`known${count}`, { emailAddress: `mail${count}@example.com` });
      const path = `${USER}/Create`;
      await test.post(path, { token: admin, body: { userName: `bare${count}` } });
      const deactivated = await test.createUser(`out${count}`);
      await manage('InactivateUser', deactivated);
      const deleted = await test.createUser(`gone${count}`);
      await test.send('DELETE', `${USER}/Delete`, { token: admin, query: { id: deleted } });
      await test.createUser(`must${count}`, { requireChangePassword: true });
      const kinds = ['known', 'bare', 'out', 'gone', 'must', 'nobody'];
      return [...kinds.map((kind) => `${kind}${count}`), `nobody${count}@example.com`, `' or 1=1 -- ${count}`];
    }

    it('answers each attempt alike, before, during and after a lock', async () => {
      const names = await createNames();
      const seen = new Map<string, unknown[]>();
      const tryAll = async (times: number) => {
        for (let turn = 0; turn < times; turn += 1) {
          for (const name of names) seen.set(name, [...(seen.get(name) ?? []), visible(await tryPassword(name))]);
        }
      };
      await tryAll(7);
      test.clock.advance(200);
      await tryAll(1);
      test.clock.advance(100);
      await tryAll(6);
      const [first = [], ...others] = [...seen.values()];
      const reasons = first.map((answer) => (answer as TestAnswer).body.error.reason.split('.')[1]);
      const [wrong, locked] = ['invalidCredentials', 'lockedOut'];
      assert.deepEqual(reasons, [
        ...Array(4).fill(wrong),
        ...Array(4).fill(locked),
        ...Array(4).fill(wrong),
        locked,
        locked,
      ]);
      for (const other of others) assert.deepEqual(other, first);
    });

    for (const when of ['before', 'after']) {
      it(`answers alike when a week has passed since the last attempt, ${when} the cleanup`, async () => {
        const names = await createNames();
        for (let turn = 0; turn < 4; turn += 1) {
          for (const name of names) await tryPassword(name);
        }
        test.clock.advance(7 * 86_400 + 1);
        admin = await test.admin();
        if (when === 'after') for (const job of test.service.jobs) await job();
        const answers: unknown[] = [];
        for (const name of names) answers.push(visible(await tryPassword(name)));
        const [first, ...others] = answers;
        assert.equal((first as TestAnswer).body.error.reason, 'signIn.invalidCredentials');
        for (const other of others) assert.deepEqual(other, first);
      });
    }

    it('answers alike for a front end without lockout, which locks after 100 failures', async () => {
      const path = '/api/services/app/FrontEndApp/Create';
      await test.post(path, { token: admin, body: { appKey: 'lax', name: 'Lax' } });
      await test.set('Abp.Zero.UserManagement.UserLockOut.IsEnabled', false, 'lax');
      await test.createUser('watched');
      hashes.skipHashing();
      const series = async (name: string) => {
        const answers: unknown[] = [];
        for (let turn = 0; turn < 101; turn += 1) answers.push(visible(await tryPassword(name, WRONG, 'lax')));
        return answers;
      };
      const known = await series('watched');
      assert.deepEqual(await series('unwatched'), known);
      assert.equal((known[99] as TestAnswer).headers['retry-after'], '3600');
      hashes.restore();
    });

    it('counts all spellings of an unknown name as one', async () => {
      const [name, wide] = [`Phantom${count}`, `ＰＨＡＮＴＯＭ${count}`];
      const spellings = [name, name.toUpperCase(), name.toLowerCase(), wide, wide.toLowerCase()];
      const answers = await Promise.all(spellings.map((spelling) => tryPassword(spelling)));
      assert.equal(answers.filter(({ error }) => error.reason === 'signIn.lockedOut').length, 1);
      for (const spelling of spellings) {
        assert.equal((await tryPassword(spelling)).error.reason, 'signIn.lockedOut');
      }
    });

    it('verifies no more than the allowed number of 40 parallel guesses at an unknown name', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => tryPassword(`phantom${count}`)));
      assert.equal(hashes.checked.length, 5);
      assert.equal(answers.filter(({ error }) => error.reason === 'signIn.lockedOut').length, 36);
    });

    it('verifies one hash for each attempt, also for an account without one', async () => {
      for (const name of await createNames()) {
        hashes.reset();
        await tryPassword(name);
        assert.equal(hashes.checked.length, 1, name);
        const [kind] = name.match(/^[a-z]+/) ?? [];
        const hasHash = kind === 'known' || kind === 'out' || kind === 'must';
        assert.equal(hashes.checked[0] !== null, hasHash, name);
      }
    });

    it('reveals that an account is deactivated only after the right password', async () => {
      const id = await test.createUser(`former${count}`);
      await manage('InactivateUser', id);
      assert.equal((await tryPassword(`former${count}`)).error.reason, 'signIn.invalidCredentials');
      const answer = await tryPassword(`former${count}`, USER_PASSWORD);
      assert.deepEqual([answer.status, answer.error.reason], [401, 'signIn.notActive']);
      assert.equal(answer.headers['www-authenticate'], undefined);
      for (let turn = 0; turn < 5; turn += 1) await tryPassword(`former${count}`);
      assert.equal((await tryPassword(`former${count}`, USER_PASSWORD)).error.reason, 'signIn.lockedOut');
    });

    it('never writes an unknown name to the audit trail or the log', async () => {
      const typed = `hunter2-typed-as-name-${engine}`;
      for (let turn = 0; turn < 6; turn += 1) await tryPassword(typed);
      const { result } = await test.get('/api/services/app/Audit/GetAll', {
        token: admin,
        query: { maxResultCount: 100 },
      });
      const mine = result.items.filter(({ action, userId }: { action: string; userId: number | null }) => {
        return action === 'signIn.password' && userId === null;
      });
      assert.ok(mine.length >= 6);
      assert.ok(!JSON.stringify(result).includes('hunter2') && !test.logs.join().includes('hunter2'));
      const rows = await test.service.database.sql.selectFrom('lockout').select('subject').execute();
      assert.ok(!JSON.stringify(rows).includes('hunter2'));
    });

    it('reveals that a name is taken only to administrators', async () => {
      const body = { userName: 'admin', password: USER_PASSWORD };
      assert.equal((await test.post(`${USER}/Create`, { body })).error.reason, 'token.missing');
      const token = await test.signIn(await createPlainUser());
      assert.equal((await test.post(`${USER}/Create`, { token, body })).error.reason, 'permission.denied');
    });

    async function createPlainUser() {
      await test.createUser(`plain${count}`);
      return `plain${count}`;
    }
  });
}
