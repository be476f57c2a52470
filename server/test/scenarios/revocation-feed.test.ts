// The revocation feed: what verifiers in other services read.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endAllSessions } from '../../src/app/restore-check.ts';
import { toNumericDate } from '../../src/foundation/clock.ts';
import type { FeedPage } from '../../src/revocation-feed/index.ts';
import { engines } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { startTestService, type TestService } from '../support/service.ts';

const FEED = '/api/revocations';
const ALL_GENERATIONS = 2_147_483_647;

for (const engine of engines) {
  describe(`the revocation feed on ${engine}`, () => {
    let test: TestService;
    let key: string;

    before(async () => {
      test = await startTestService(engine);
      key = await test.createServiceKey('shop', ['revocations']);
    });
    after(() => test.close());

    async function read(after = ''): Promise<FeedPage> {
      const answer = await test.get(FEED, { token: key, query: { after } });
      assert.equal(answer.status, 200, answer.text);
      return JSON.parse(answer.text);
    }
    const sessionOf = (token: string) => String(claimsOf(token).sid);
    const refresh = async (token: string) =>
      String((await test.post('/api/TokenAuth/RefreshTokenAsync', { token })).result.accessToken);

    it('counts the exchanges of a token in its claim gen, and revokes the tokens below', async () => {
      await test.createUser('refresher');
      const first = await test.signIn('refresher');
      const { next } = await read();
      assert.equal(claimsOf(first).gen, 0);
      const second = await refresh(first);
      assert.equal(claimsOf(second).gen, 1);
      const third = await refresh(second);
      const page = await read(next);
      const [item, ...more] = page.items;
      assert.deepEqual(more, [], 'one item tells the state of a session');
      assert.equal(item?.sid, sessionOf(third));
      assert.equal(item?.generation, 2);
      assert.equal(page.complete, true);
      assert.equal(page.next, item?.cursor);
      assert.deepEqual((await read(page.next)).items, []);
    });

    it('revokes all tokens of a session that ended', async () => {
      await test.createUser('leaver');
      const token = await test.signIn('leaver');
      const { next } = await read();
      await test.post('/api/TokenAuth/SignOff', { token });
      const { items } = await read(next);
      assert.deepEqual(
        items.map(({ sid, generation }) => ({ sid, generation })),
        [{ sid: sessionOf(token), generation: ALL_GENERATIONS }],
      );
    });

    it('names keys, and begins another epoch when all sessions end', async () => {
      const { next } = await read();
      const kids = test.service.keys.publicKeys().keys.map((one) => String((one as { kid?: string }).kid));
      await test.service.keys.rotate({ compromised: true });
      const { items } = await read(next);
      assert.deepEqual(
        items.map(({ keyId }) => keyId),
        kids,
      );
      const before = test.clock.now();
      await endAllSessions(test.service, 'test');
      const gone = await test.get(FEED, { token: key, query: { after: next } });
      assert.equal(gone.status, 410, gone.text);
      const page = await read();
      assert.ok(page.items.some(({ issuedBefore }) => issuedBefore === toNumericDate(before) + 1));
    });
  });
}
