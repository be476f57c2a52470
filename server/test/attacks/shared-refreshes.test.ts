// Refreshes that share a transaction: each token is exchanged once, and no session pays for what ends another.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { followFeed } from '../support/feed-reader.ts';
import { ADMIN_PASSWORD, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const USER = '/api/services/app/User';

const COUNT = 24;

for (const [name, start] of Object.entries(setUps)) {
  describe(`many refreshes at once on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      await here.createUser('thandi');
    });
    after(() => setUp.close());

    /** One after the other, because sign-ins at once may be shed. */
    async function open(name = 'thandi', count = COUNT) {
      const tokens: string[] = [];
      while (tokens.length < count) tokens.push(await here.signIn(name, USER_PASSWORD));
      return tokens;
    }
    /** Returns the new tokens. Each refusal says that the token is revoked. */
    async function refresh(tokens: readonly string[], node: TestService) {
      const answers = await Promise.all(tokens.map((token) => node.post(REFRESH, { token })));
      return answers.map(({ status, result, error }) => {
        if (status !== 200) assert.equal(error.reason, 'token.revoked');
        return status === 200 ? String(result.accessToken) : undefined;
      });
    }
    const isAccepted = async (token: string) => {
      const nodes = await Promise.all([here, there].map((node) => node.get(SESSIONS, { token })));
      assert.equal(nodes[0]?.status, nodes[1]?.status);
      return nodes[0]?.status === 200;
    };

    it('exchange each token once, on whichever node, and the feed revokes it', async () => {
      const reader = await followFeed(there);
      let tokens = await open();
      for (let round = 0; round < 3; round += 1) {
        const [mine, theirs] = await Promise.all([refresh(tokens, here), refresh(tokens.toReversed(), there)]);
        const others = theirs.toReversed();
        const next = tokens.map((_, n) => [mine[n], others[n]].filter((token) => token !== undefined));
        assert.deepEqual(new Set(next.map(({ length }) => length)), new Set([1]));
        await reader.catchUp();
        for (const token of tokens) assert.ok(reader.refuses(token) && !(await isAccepted(token)));
        tokens = next.flat();
        for (const token of tokens) assert.ok(!reader.refuses(token) && (await isAccepted(token)));
      }
    });

    it('leave no live token where sessions end meanwhile, and one where they do not', async () => {
      const reader = await followFeed(here);
      const tokens = await open();
      const ended = tokens.filter((_, n) => n % 3 === 0);
      const [next] = await Promise.all([
        refresh(tokens, here),
        ...ended.map((token) => there.post(SIGN_OFF, { token })),
      ]);
      await reader.catchUp();
      for (const [n, token] of tokens.entries()) {
        const newer = next[n];
        assert.ok(reader.refuses(token) && !(await isAccepted(token)));
        if (n % 3 === 0) assert.ok(!newer || (reader.refuses(newer) && !(await isAccepted(newer))));
        else assert.ok(newer && !reader.refuses(newer) && (await isAccepted(newer)));
      }
    });

    it('leave no live token of an account that is deactivated meanwhile', async () => {
      const id = await here.createUser('sipho');
      const admin = await here.signIn('admin', ADMIN_PASSWORD);
      const theirs = await open('sipho', 8);
      const mixed = (await open()).flatMap((token, n) => [token, ...theirs.slice(n, n + 1)]);
      const [next, deactivated] = await Promise.all([
        refresh(mixed, here),
        there.post(`${USER}/InactivateUser`, { token: admin, body: { userId: id } }),
      ]);
      assert.equal(deactivated.status, 200);
      for (const [n, token] of mixed.entries()) {
        const newer = next[n];
        if (theirs.includes(token)) assert.ok(!newer || !(await isAccepted(newer)));
        else assert.ok(newer && (await isAccepted(newer)));
      }
    });

    it('are in the audit trail, once each', async () => {
      const { audit } = here.service;
      const filter = { action: ['session.refreshed'], outcome: 'success' } as const;
      const count = async () => (await audit.list(filter, { skip: 0, take: 1000 })).entries.length;
      const tokens = await open();
      const before = await count();
      await Promise.all([refresh(tokens, here), refresh(tokens, here)]);
      assert.equal(await count(), before + COUNT);
    });
  });
}
