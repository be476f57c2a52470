// Attacks on the rate limits from a whole IPv6 network: a new /64 for each guess, and using up a neighbour's budget.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines } from '../support/databases.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const LIMIT = 2;
const SITE_LIMIT = 16 * LIMIT;

let sites = 0;

for (const engine of engines) {
  describe(`the budget of an IPv6 /48 on ${engine}`, () => {
    let test: TestService;
    let site: string;
    before(async () => {
      test = await startTestService(engine);
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: LIMIT });
    });
    beforeEach(() => {
      sites += 1;
      site = `2001:db8:${sites.toString(16)}`;
      // After all windows of the previous test.
      test.clock.advance(60);
    });
    after(() => test.close());

    /** @param subnet the number of the /64 in the site. */
    const attempt = (subnet: number, from = site) =>
      test.post(AUTHENTICATE, { ip: `${from}:${subnet.toString(16)}::1`, body: {} });
    const statusOf = async (answer: Promise<TestAnswer>) => (await answer).status;
    async function exhaust() {
      for (let subnet = 1; subnet <= 16; subnet += 1) {
        for (let turn = 0; turn < LIMIT; turn += 1) assert.equal(await statusOf(attempt(subnet)), 400);
      }
    }

    it('is sixteen times that of a /64, and takes nothing from another /48', async () => {
      await exhaust();
      test.clock.advance(17.5);
      const { status, headers, error } = await attempt(17);
      assert.deepEqual([status, error.reason, headers['retry-after']], [429, 'rateLimit.exceeded', '43']);
      assert.equal(headers['ratelimit-policy'], `"login";q=${SITE_LIMIT};w=60`);
      assert.equal(headers.ratelimit, '"login";r=0;t=43');
      for (let subnet = 18; subnet < 40; subnet += 1) assert.equal(await statusOf(attempt(subnet)), 429);
      assert.equal(await statusOf(attempt(1, `${site}f`)), 400);
      test.clock.advance(42.4);
      assert.equal((await attempt(18)).headers['retry-after'], '1');
      test.clock.advance(0.1);
      assert.equal(await statusOf(attempt(18)), 400);
    });

    it('allows exactly that number of concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: SITE_LIMIT + 8 }, (_, subnet) => attempt(subnet)));
      assert.equal(answers.filter(({ status }) => status === 400).length, SITE_LIMIT);
      assert.equal(answers.filter(({ status }) => status === 429).length, 8);
    });

    it('is not used up by one /64 that keeps sending', async () => {
      for (let turn = 0; turn < 10 * SITE_LIMIT; turn += 1) {
        assert.equal(await statusOf(attempt(1)), turn < LIMIT ? 400 : 429);
      }
      for (let subnet = 2; subnet <= 16; subnet += 1) {
        for (let left = LIMIT - 1; left >= 0; left -= 1) {
          const { status, headers } = await attempt(subnet);
          assert.equal(status, 400);
          assert.equal(headers.ratelimit, `"login";r=${left};t=60`);
        }
      }
    });

    it('adds one audit entry and no rows for refused requests, and leaves an address its own budget', async () => {
      const countRows = async () =>
        (await test.service.database.sql.selectFrom('rate_window').select('address').execute()).length;
      await exhaust();
      assert.equal(await statusOf(attempt(17)), 429);
      const rows = await countRows();
      for (let subnet = 18; subnet < 60; subnet += 1) assert.equal(await statusOf(attempt(subnet)), 429);
      assert.equal(await countRows(), rows);
      const query = { action: 'rateLimit.exceeded', ipAddress: `${site}:11::1` };
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query });
      assert.equal(result.totalCount, 1);
      const everywhere = { action: 'rateLimit.exceeded', maxResultCount: 100 };
      const all = await test.get('/api/services/app/Audit/GetAll', { token: await test.admin(), query: everywhere });
      const ofSite = all.result.items.filter(({ ipAddress }) => ipAddress?.startsWith(`${site}:`));
      assert.equal(ofSite.length, 1);
      test.clock.advance(60);
      assert.equal((await attempt(18)).headers.ratelimit, `"login";r=${LIMIT - 1};t=60`);
    });
  });
}
