// Attacks on the log: requests that are refused by design, or while the database is down, do not fill it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serviceErrors } from '../../src/foundation/errors.ts';
import type { Database } from '../../src/storage/database.ts';
import { engines } from '../support/databases.ts';
import { freshAddress, startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';

const ATTACK = 40;

/** Concurrent requests: few enough for the connections to the database. */
const BATCH = 10;

for (const engine of engines) {
  describe(`logs under attack on ${engine}`, () => {
    let test: TestService;
    let isAway = false;
    const around = (database: Database): Database => ({
      ...database,
      transaction: async (work, options) => {
        if (isAway) throw serviceErrors.unavailable({ retryAfterSeconds: 1, cause: new Error('ECONNREFUSED') });
        return database.transaction(work, options);
      },
    });
    before(async () => {
      test = await startTestService(engine, { around });
    });
    after(() => test.close());

    const attempt = (n: number, ip = freshAddress()) =>
      test.post(AUTHENTICATE, { ip, body: { userNameOrEmailAddress: `nobody${n}`, password: 'a wrong guess at it' } });
    async function attack() {
      const answers: TestAnswer[] = [];
      while (answers.length < ATTACK) {
        answers.push(...(await Promise.all(Array.from({ length: BATCH }, (_, n) => attempt(answers.length + n)))));
      }
      return answers;
    }
    /** Refuses as a full queue does. `hashing.test.ts` fills the real queue. */
    const refuse = async () => {
      throw serviceErrors.unavailable({ retryAfterSeconds: 1 });
    };
    const linesSince = (start: number) => test.logs.slice(start).map((line) => JSON.parse(line));
    async function countRefusals(reason: string) {
      const { text } = await test.get('/metrics', { ip: '127.0.0.1' });
      return Number(new RegExp(`^latchkey_refusals_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    }

    it('have one line a second, without a stack, for all requests that load or a limit refuses', async () => {
      const start = test.logs.length;
      const { compare } = test.service.passwords;
      Object.assign(test.service.passwords, { compare: refuse });
      const shed = (await attack()).filter(({ status }) => status === 503).length;
      Object.assign(test.service.passwords, { compare });
      assert.equal(shed, ATTACK);
      const lines = linesSince(start).filter(({ level }) => level !== 'debug');
      assert.deepEqual(
        lines.map(({ refused, err }) => [refused, err]),
        [[{ 'service.unavailable': 1 }, undefined]],
      );
      assert.equal(await countRefusals('service.unavailable'), shed);

      test.clock.advance(1);
      const ip = freshAddress();
      for (let n = 0; n < 10; n += 1) assert.equal((await attempt(n, ip)).status, 401);
      for (let n = 0; n < 20; n += 1) assert.equal((await attempt(n, ip)).status, 429);
      const [, next, ...more] = linesSince(start).filter(({ level }) => level !== 'debug');
      assert.deepEqual(next.refused, { 'service.unavailable': shed - 1, 'rateLimit.exceeded': 1 });
      assert.deepEqual(more, []);
      assert.equal(await countRefusals('rateLimit.exceeded'), 20);
      assert.doesNotMatch(test.logs.slice(start).join(''), /"stack"/);
    });

    it('have the cause of an outage, and its stack once a second', async () => {
      const start = test.logs.length;
      isAway = true;
      test.clock.advance(1);
      for (const { status, headers } of await attack()) assert.deepEqual([status, headers['retry-after']], [503, '1']);
      test.clock.advance(1);
      await attempt(0);
      isAway = false;
      const lines = linesSince(start).filter(({ level }) => level !== 'debug');
      assert.deepEqual(
        lines.map(({ msg, requests }) => [msg, requests]),
        [
          ['service.unavailable', 1],
          ['service.unavailable', ATTACK],
        ],
      );
      for (const { err } of lines) assert.match(err.stack, /ECONNREFUSED\n +at /);
    });
  });
}
