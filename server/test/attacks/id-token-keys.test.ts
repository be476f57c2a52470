// The keys of ID tokens: made once with any number of nodes, published before they sign, and gone with a compromised rotation.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerOf } from '../support/forge.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const SESSIONS = '/api/services/app/Session/GetAll';
const PUBLISH_AHEAD = 600;
const DAY = 86_400;
const LOOK_MS = 50;
const PATIENCE_MS = 10_000;

for (const [name, start] of Object.entries(setUps)) {
  describe(`keys of ID tokens on ${name}`, () => {
    let setUp: SetUp;
    let nodes: TestService[];
    let here: TestService;
    let there: TestService;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      nodes = [here, there];
    });
    after(() => setUp.close());

    const kids = async (node: TestService): Promise<string[]> =>
      JSON.parse((await node.get('/.well-known/jwks.json')).text)
        .keys.filter(({ kty }: { kty: string }) => kty === 'RSA')
        .map(({ kid }: { kid: string }) => kid);
    const sign = (node: TestService, algorithm: 'RS256' | 'ES256' = 'RS256') =>
      node.service.idTokens.sign({ typ: 'JWT', claims: { sub: '7' }, algorithm });
    const signs = async (node: TestService) => headerOf(await sign(node)).kid as string;
    const knows = async (node: TestService, token: string) =>
      (await node.service.idTokens.verify(token, 'JWT')) !== undefined;

    /** Waits until the other node has read the keys. It does so within 2 s; a busy test machine gets more. */
    async function untilPublished(expected: readonly string[]) {
      for (const node of nodes)
        for (let waitedMs = 0; (await kids(node)).join() !== expected.join(); waitedMs += LOOK_MS) {
          assert.equal(waitedMs < PATIENCE_MS, true, `${await kids(node)} in place of ${expected}`);
          await sleep(LOOK_MS);
        }
    }

    it('are made once, when nodes need the first one at the same time, and sign at once', async () => {
      assert.deepEqual(await kids(here), []);
      const used = await Promise.all([here, there, here, there].map(signs));
      assert.equal(new Set(used).size, 1);
      for (const node of nodes) assert.deepEqual(await kids(node), [used[0]]);
      const rows = await here.service.database.sql.selectFrom('id_token_key').selectAll().execute();
      assert.deepEqual([rows.length, JSON.stringify(rows).includes('PRIVATE KEY')], [1, false]);
      assert.equal(JSON.stringify(rows).includes('"d"'), false);
    });

    it('are published before they sign, by age once, and verify until no token of theirs is left', async () => {
      const [old = ''] = await kids(here);
      const token = await sign(here);
      here.clock.advance(91 * DAY);
      await Promise.all([here, there, here, there].map((node) => node.service.keys.maintain()));
      const [, next = '', ...more] = await kids(here);
      assert.deepEqual(more, []);
      await untilPublished([old, next]);
      here.clock.advance(PUBLISH_AHEAD - 1);
      for (const node of nodes) assert.equal(await signs(node), old);
      here.clock.advance(1);
      for (const node of nodes) assert.deepEqual([await signs(node), await knows(node, token)], [next, true]);
      here.clock.advance(25 * DAY);
      await there.service.keys.maintain();
      await untilPublished([next]);
      for (const node of nodes) assert.equal(await knows(node, token), false);
    });

    it('are rotated with the others on command, and all of them replaced if they are compromised', async () => {
      const before = await kids(here);
      const own = await here.service.keys.rotate({ compromised: false });
      assert.equal((await kids(here)).includes(own), false, 'the command names the key of access tokens');
      const [planned] = (await kids(here)).filter((kid) => !before.includes(kid));
      await untilPublished([...before, planned ?? '']);
      const token = await sign(there);
      await Promise.all(nodes.map((node) => node.service.keys.rotate({ compromised: true })));
      // Both have made a key, and the later one has replaced the other. The nodes read it soon after.
      const stored = await here.service.database.sql.selectFrom('id_token_key').select('kid').execute();
      const [fresh = ''] = stored.map(({ kid }) => kid);
      assert.equal(stored.length, 1);
      await untilPublished([fresh]);
      for (const node of nodes) assert.deepEqual([await signs(node), await knows(node, token)], [fresh, false]);
    });

    it('make no token that the API accepts, in either algorithm', async () => {
      for (const token of [await sign(here), await sign(here, 'ES256')])
        for (const node of nodes) {
          const { status, error } = await node.get(SESSIONS, { token });
          assert.deepEqual([status, error.reason], [401, 'token.invalid']);
        }
    });
  });
}
