// A reset whose database fails at any transaction: the service replaces the password and says so, or changes nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serviceErrors } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const API = '/api/services/app/User';
const NEW_PASSWORD = 'gravel lantern staple';

for (const engine of engines) {
  describe(`a reset while the database fails, on ${engine}`, () => {
    let test: TestService;
    /** How many transactions still succeed. */
    let left = Number.POSITIVE_INFINITY;

    const failing = (database: Database): Database => ({
      ...database,
      async transaction(work, options) {
        if (left <= 0) throw serviceErrors.unavailable();
        left -= 1;
        return database.transaction(work, options);
      },
    });

    before(async () => {
      test = await startTestService(engine, { around: failing });
    });
    after(() => test.close());

    async function prove(userName: string): Promise<string> {
      await test.post(`${API}/SendEmailLink`, { body: { username: userName } });
      const texts = (await test.deliver()).map(({ text }) => text);
      const code = texts.map((text) => /^ {4}(\d{6})$/m.exec(text)?.[1]).find(Boolean);
      const answer = await test.post(`${API}/ValidateResetCode`, { body: { username: userName, code, method: 2 } });
      assert.equal(answer.status, 200, answer.text);
      return answer.result.token ?? assert.fail(answer.text);
    }

    const opens = async (userName: string, password: string) => {
      const body = { userNameOrEmailAddress: userName, password };
      return (await test.post('/api/TokenAuth/Authenticate', { body })).status === 200;
    };

    for (let successes = 0; successes <= 4; successes += 1) {
      it(`is done completely or not at all when only ${successes} transactions succeed`, async () => {
        const userName = `person${successes}`;
        await test.createUser(userName, { emailAddress: `${userName}@example.org`, isEmailConfirmed: true });
        const body = { username: userName, token: await prove(userName), newPassword: NEW_PASSWORD };
        left = successes;
        const { status } = await test.post(`${API}/ResetPasswordUsingToken`, { body });
        left = Number.POSITIVE_INFINITY;
        test.clock.advance(10);
        assert.ok(status === 200 || status === 503, String(status));
        assert.equal(await opens(userName, NEW_PASSWORD), status === 200);
        assert.equal(await opens(userName, USER_PASSWORD), status !== 200);
        const again = await test.post(`${API}/ResetPasswordUsingToken`, { body });
        assert.equal(again.status, status === 200 ? 400 : 200, 'a token still works until it is redeemed');
        if (successes >= 2) assert.equal(status, 200, 'a reservation and the replacement are enough');
      });
    }
  });
}
