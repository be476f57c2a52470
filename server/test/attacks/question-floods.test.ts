// Floods of answers to security questions are bounded per address and per node. Refused requests leave no row.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { freshAddress, startTestService, type TestAnswer, type TestService } from '../support/service.ts';
import { type Verifications, watchVerifications } from '../support/verifications.ts';

const ROUND = '/api/services/app/User/ValidateSecurityQuestions';
const ASKED = 3;
/** Thirty for each sign-in request that an address may make. */
const LIMIT = 30;
const WINDOW_SECONDS = 60;
const AT_ONCE = 4;

for (const engine of engines) {
  describe(`floods of answers on ${engine}`, () => {
    let test: TestService;
    let hashes: Verifications;
    let count = 0;
    before(async () => {
      test = await startTestService(engine);
      hashes = watchVerifications(test);
      await test.set('Shesha.Security', { useResetPasswordViaSecurityQuestions: true });
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 1 });
      await test.createUser('known');
    });
    beforeEach(() => {
      count += 1;
      hashes.restore();
    });
    after(() => test.close());

    const give = (username: string, ip = freshAddress()) =>
      test.post(ROUND, { ip, body: { username, submittedQuestions: [] } });
    /** Counts the rows that rounds have added. */
    async function countRows() {
      const { sql } = test.service.database;
      const locks = await sql.selectFrom('lockout').select('subject').execute();
      const trail = await sql.selectFrom('audit').select('id').where('action', '=', 'reset.proven').execute();
      return { locks: locks.length, trail: trail.length };
    }
    /** Returns the parts of an answer that an attacker can compare. */
    const visible = ({ status, headers, result, error }: TestAnswer) => {
      const { date: _, 'content-length': __, ...told } = headers;
      return { status, told, result, reason: error?.reason };
    };

    it('from one address are refused after thirty for each sign-in of its budget, and then leave no row', async () => {
      const ip = freshAddress();
      for (let turn = 0; turn < LIMIT; turn += 1) {
        assert.equal((await give(`nobody${count}x${turn}`, ip)).result.isSuccess, false);
      }
      const before = await countRows();
      hashes.reset();
      test.clock.advance(17.5);
      for (let turn = LIMIT; turn < 2 * LIMIT; turn += 1) {
        const answer = await give(`nobody${count}x${turn}`, ip);
        assertRefused(answer, 429, 'rateLimit.exceeded');
        assert.equal(answer.headers['retry-after'], '43');
      }
      assert.deepEqual([await countRows(), hashes.checked.length], [before, 0]);
      test.clock.advance(WINDOW_SECONDS - 17.5);
      assert.equal((await give(`nobody${count}`, ip)).status, 200);
    });

    it('use neither the budget of other requests nor that of other addresses', async () => {
      const ip = freshAddress();
      for (let turn = 0; turn <= LIMIT; turn += 1) await give(`nobody${count}`, ip);
      assertRefused(await give('known', ip), 429, 'rateLimit.exceeded');
      assert.equal((await give('known')).status, 200);
      const body = { userNameOrEmailAddress: 'nobody', password: 'a wrong guess at it' };
      assertRefused(await test.post('/api/TokenAuth/Authenticate', { ip, body }), 401, 'signIn.invalidCredentials');
    });

    it('do not reveal by their budget which names have accounts', async () => {
      const seen = [];
      for (const username of ['known', `nobody${count}`]) {
        test.clock.advance(3600);
        const ip = freshAddress();
        const answers = [];
        for (let turn = 0; turn <= LIMIT; turn += 1) answers.push(visible(await give(username, ip)));
        seen.push(answers);
      }
      assert.deepEqual(seen[1], seen[0]);
    });

    it('from many addresses use at most four places of a node, and leave no row when refused', async () => {
      const before = await countRows();
      const names = Array.from({ length: 50 }, (_, turn) => (turn === 0 ? 'known' : `nobody${count}x${turn}`));
      const open = Promise.withResolvers<void>();
      const decided = Promise.withResolvers<void>();
      let refused = 0;
      hashes.before(() => {
        if (hashes.checked.length > AT_ONCE * ASKED) decided.resolve();
        return open.promise;
      });
      const rounds = names.map(async (username) => {
        const answer = await give(username);
        if (answer.status === 503) refused += 1;
        if (refused === names.length - AT_ONCE) decided.resolve();
        return answer;
      });
      await decided.promise;
      const held = hashes.checked.length;
      open.resolve();
      const answers = await Promise.all(rounds);
      assert.ok(held <= AT_ONCE * ASKED, `${held} hashes at once`);
      assert.equal(refused, names.length - AT_ONCE);
      for (const answer of answers.filter(({ status }) => status === 503)) {
        assertRefused(answer, 503, 'service.unavailable');
        assert.equal(answer.headers['retry-after'], '1');
      }
      const now = await countRows();
      assert.equal(now.trail - before.trail, AT_ONCE);
      assert.ok(now.locks - before.locks <= AT_ONCE);
      assert.equal((await give(`later${count}`)).status, 200, 'places are free again');
    });
  });
}
