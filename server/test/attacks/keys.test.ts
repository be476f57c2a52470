// Signing keys: a rotation under load ends no session, and every node drops a compromised key.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { claimsOf, forge, headerOf } from '../support/forge.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SESSIONS = '/api/services/app/Session/GetAll';
const KEY_SET = '/.well-known/jwks.json';

const PUBLISH_AHEAD = 600;
const DAY = 86_400;
const LOOK_MS = 50;
const PATIENCE_MS = 10_000;

for (const [name, start] of Object.entries(setUps)) {
  describe(`signing keys on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let accounts: TestAccounts;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      accounts = await createTestAccounts(here);
    });
    after(() => setUp.close());

    const kids = async (node: TestService): Promise<string[]> =>
      JSON.parse((await node.get(KEY_SET)).text).keys.map(({ kid }: { kid: string }) => kid);
    const statusOf = async (node: TestService, token: string) => (await node.get(SESSIONS, { token })).status;
    const open = async () => accounts.open(await accounts.add());

    /** Waits until the other node has read the keys. It does so within 2 s; a busy test machine gets more. */
    async function waitUntil(holds: () => Promise<boolean>) {
      for (let waitedMs = 0; !(await holds()); waitedMs += LOOK_MS) {
        assert.equal(waitedMs < PATIENCE_MS, true, 'the other node has not read the keys');
        await sleep(LOOK_MS);
      }
    }

    it('rotate under load without ending a session', async () => {
      const before = await kids(here);
      const statuses: number[] = [];
      let isOver = false;
      const work = Array.from({ length: 6 }, async (_, index) => {
        const node = index % 2 ? here : there;
        let token = await open();
        let isLast = false;
        while (!isLast) {
          isLast = isOver;
          const refreshed = await node.post(REFRESH, { token });
          token = refreshed.result?.accessToken ?? token;
          statuses.push(refreshed.status, await statusOf(here, token), await statusOf(there, token));
        }
        return headerOf(token).kid;
      });
      const haveWorked = (calls: number) => waitUntil(async () => statuses.length >= calls);
      await haveWorked(50);
      const kid = await here.service.keys.rotate({ compromised: false });
      await waitUntil(async () => (await kids(there)).includes(kid));
      assert.deepEqual(
        [await kids(here), await kids(there)],
        [
          [...before, kid],
          [...before, kid],
        ],
      );
      here.clock.advance(PUBLISH_AHEAD);
      await haveWorked(statuses.length + 50);
      isOver = true;
      assert.deepEqual([...new Set(await Promise.all(work))], [kid]);
      assert.deepEqual([...new Set(statuses)], [200]);
    });

    it('sign only after verifiers can know them, and verify until their tokens expire', async () => {
      const old = here.service.keys.signingKey().kid;
      const token = await open();
      const kid = await here.service.keys.rotate({ compromised: false });
      await waitUntil(async () => (await kids(there)).includes(kid));
      here.clock.advance(PUBLISH_AHEAD - 1);
      assert.equal(headerOf(await open()).kid, old);
      here.clock.advance(1);
      assert.equal(headerOf(await open()).kid, kid);
      for (const node of [here, there]) assert.equal(await statusOf(node, token), 200);
      const refreshed = (await there.post(REFRESH, { token })).result.accessToken;
      assert.equal(headerOf(refreshed).kid, kid);
      const last = await open();
      await here.service.keys.maintain();
      assert.equal((await kids(here)).includes(old), true, 'removed before its tokens expired');
      assert.equal(await statusOf(here, last), 200);
      here.clock.advance(24 * DAY);
      await here.service.keys.maintain();
      assert.deepEqual(await kids(here), [kid]);
    });

    it('rotate by age once, with any number of nodes', async () => {
      here.clock.advance(91 * DAY);
      const before = await kids(here);
      await Promise.all([here, there, here, there].map((node) => node.service.keys.maintain()));
      await waitUntil(async () => (await kids(there)).length === (await kids(here)).length);
      const after = await kids(here);
      assert.equal(after.length, before.length + 1);
      assert.deepEqual(await kids(there), after);
    });

    it('that are compromised invalidate their tokens at once, also tokens that were just verified', async () => {
      const tokens = [await open(), await open(), await open()];
      const compromised = here.service.keys.signingKey();
      for (const node of [here, there]) for (const token of tokens) assert.equal(await statusOf(node, token), 200);
      const stolen = forge(headerOf(tokens[0] as string), claimsOf(tokens[0] as string), compromised.privateKey);
      assert.equal(await statusOf(here, stolen), 200, 'the attacker can sign with the key');
      const kid = await here.service.keys.rotate({ compromised: true });
      for (const token of [...tokens, stolen]) {
        const answer = await here.get(SESSIONS, { token });
        assert.deepEqual([answer.status, answer.error.reason], [401, 'token.invalid']);
      }
      assert.deepEqual(await kids(here), [kid]);
      await waitUntil(async () => (await kids(there)).includes(kid));
      assert.deepEqual(await kids(there), [kid]);
      for (const token of [...tokens, stolen]) assert.equal(await statusOf(there, token), 401);
      const fresh = await open();
      assert.equal(headerOf(fresh).kid, kid);
      for (const node of [here, there]) assert.equal(await statusOf(node, fresh), 200);
    });

    it('that are compromised are removed even when another rotation runs concurrently', async () => {
      for (let round = 0; round < 3; round += 1) {
        const token = await open();
        const rotations = [false, true, false].map((compromised, index) =>
          (index % 2 ? here : there).service.keys.rotate({ compromised }),
        );
        const made = await Promise.all(rotations);
        assert.equal(new Set(made).size, made.length);
        await waitUntil(async () => (await statusOf(here, token)) === 401 && (await statusOf(there, token)) === 401);
        const stored = await here.service.database.sql
          .selectFrom('signing_key')
          .select('kid')
          .orderBy('number')
          .execute();
        const stands = stored.map(({ kid }) => kid).join();
        for (const node of [here, there]) await waitUntil(async () => (await kids(node)).join() === stands);
        assert.equal(
          stored.some(({ kid }) => kid === made[1]),
          true,
          'the key in the answer is published',
        );
      }
    });

    it('publish their public half only, and are encrypted in the database', async () => {
      const { keys } = JSON.parse((await here.get(KEY_SET)).text);
      for (const key of keys) {
        assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      }
      const { d } = here.service.keys.signingKey().privateKey.export({ format: 'jwk' });
      const rows = await here.service.database.sql.selectFrom('signing_key').selectAll().execute();
      for (const form of [d as string, Buffer.from(d as string, 'base64url').toString('hex'), 'PRIVATE KEY']) {
        assert.equal(JSON.stringify(rows).includes(form), false);
        for (const { sealed_private_key: sealed } of rows) {
          assert.equal(Buffer.from(sealed, 'base64url').includes(form), false);
          assert.equal(Buffer.from(sealed, 'base64url').includes(Buffer.from(d as string, 'base64url')), false);
        }
      }
    });
  });
}

describe('the keys of another service', () => {
  it('sign nothing that is accepted here, with the same secret or another', async () => {
    const test = await startTestService('sqlite');
    const others = [await startTestService('sqlite'), await startTestService('sqlite', { secret: 'x'.repeat(40) })];
    try {
      const own = await test.admin();
      for (const other of others) {
        const token = await other.admin();
        for (const [node, foreign] of [
          [test, token],
          [other, own],
        ] as const) {
          assert.equal((await node.get(SESSIONS, { token: foreign })).error.reason, 'token.invalid');
        }
        const spliced = forge(headerOf(own), claimsOf(own), other.service.keys.signingKey().privateKey);
        assert.equal((await test.get(SESSIONS, { token: spliced })).error.reason, 'token.invalid');
      }
    } finally {
      for (const each of [test, ...others]) await each.close();
    }
  });
});
