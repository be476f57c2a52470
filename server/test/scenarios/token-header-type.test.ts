// The header type of tokens: fixed by the key, which a start makes anew after the setting has changed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createManualClock } from '../support/clock.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { claimsOf, forge, headerOf } from '../support/forge.ts';
import { callProcess, startProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, startTestService, type TestService } from '../support/service.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SESSIONS = '/api/services/app/Session/GetAll';
const KEY_SET = '/.well-known/jwks.json';

/** Longer than nodes need to learn of a new key. */
const ALL_KNOW = 5;

const typeOf = (token: string) => headerOf(token).typ;
const statusOf = async (node: TestService, token: string) => (await node.get(SESSIONS, { token })).status;
const kids = async (node: TestService): Promise<string[]> =>
  JSON.parse((await node.get(KEY_SET)).text).keys.map(({ kid }: { kid: string }) => kid);
const change = (node: TestService, headerType: string) => node.set('Latchkey.Tokens', { headerType });

for (const engine of enginesAtLength) {
  describe(`the header type of tokens on ${engine}`, () => {
    /** Runs nodes of one service, each started when `start` is called. */
    async function withNodes(work: (start: () => Promise<TestService>) => Promise<void>) {
      const folder = mkdtempSync(join(tmpdir(), 'latchkey-header-type-'));
      const file = `sqlite:${join(folder, 'latchkey.db')}`;
      const shared = {
        url: engine === 'sqlite' ? file : await createMigratedUrl(engine),
        clock: createManualClock(),
      };
      const nodes: TestService[] = [];
      const start = async () => {
        const node = await startTestService(engine, shared);
        nodes.push(node);
        return node;
      };
      try {
        await work(start);
      } finally {
        for (const node of nodes.reverse()) await node.close();
        rmSync(folder, { recursive: true });
      }
    }

    it('is at+jwt, and JWT from the next start on', () =>
      withNodes(async (start) => {
        const first = await start();
        await change(first, 'JWT');
        const before = await first.admin();
        assert.equal(typeOf(before), 'at+jwt', 'the change has no effect before the next start');

        const second = await start();
        second.clock.advance(ALL_KNOW);
        const after = await second.admin();
        assert.deepEqual(headerOf(after), { alg: 'ES256', typ: 'JWT', kid: (await kids(second))[1] });
        for (const token of [before, after]) assert.equal(await statusOf(second, token), 200);
        const refreshed = (await second.post(REFRESH, { token: before })).result.accessToken;
        assert.equal(typeOf(refreshed), 'JWT', 'a refresh gives a token of the new type');

        await change(second, 'at+jwt');
        const third = await start();
        third.clock.advance(ALL_KNOW);
        assert.equal(typeOf(await third.admin()), 'at+jwt');
        assert.equal(await statusOf(third, refreshed), 200);
      }));

    it('is the one of the key: the other type is refused, though our own key signed the token', () =>
      withNodes(async (start) => {
        const first = await start();
        const old = first.service.keys.signingKey();
        const before = await first.admin();
        await change(first, 'JWT');
        const node = await start();
        node.clock.advance(ALL_KNOW);
        const after = await node.admin();
        const key = node.service.keys.signingKey();
        const accepted = forge(headerOf(after), claimsOf(after), key.privateKey);
        assert.equal(await statusOf(node, accepted), 200, 'the test forges correctly');
        for (const typ of ['at+jwt', 'jwt', 'Jwt', 'application/jwt', '', null, undefined]) {
          const forged = forge({ ...headerOf(after), typ }, claimsOf(after), key.privateKey);
          assert.equal((await node.get(SESSIONS, { token: forged })).error.reason, 'token.invalid', `typ ${typ}`);
        }
        const forged = forge({ ...headerOf(before), typ: 'JWT' }, claimsOf(before), old.privateKey);
        assert.equal((await node.get(SESSIONS, { token: forged })).error.reason, 'token.invalid', 'the older key');
      }));

    it('makes one key, however many nodes start at the same time, and none without a change', () =>
      withNodes(async (start) => {
        const node = await start();
        assert.equal((await kids(node)).length, 1);
        await change(node, 'JWT');
        const { keys } = node.service;
        // A SQLite database has one node. Its calls race as well, because each reads the keys before it makes one.
        const race = async () => void (await (engine === 'sqlite' ? keys.applyHeaderType() : start()));
        await Promise.all(Array.from({ length: 4 }, race));
        assert.equal((await kids(await start())).length, 2);
        assert.equal((await kids(await start())).length, 2);
      }));

    it('is also the one of a key that a rotation makes, and then no start makes another', () =>
      withNodes(async (start) => {
        const node = await start();
        await change(node, 'JWT');
        await node.service.keys.rotate({ compromised: false });
        assert.equal(typeOf(await node.admin()), 'at+jwt');
        const next = await start();
        assert.equal((await kids(next)).length, 2);
        next.clock.advance(600);
        assert.equal(typeOf(await next.admin()), 'JWT');
      }));

    it('has its default in settings that were stored before it existed', () =>
      withNodes(async (start) => {
        const node = await start();
        await node.set('Latchkey.Tokens', { audience: 'earlier' });
        const value = JSON.stringify({ accessTokenLifetime: 7200, sessionLifetime: 9000, audience: 'earlier' });
        const stored = node.service.database.sql.updateTable('setting_value').set({ value });
        await stored.where('name', '=', 'Latchkey.Tokens').execute();
        const next = await start();
        assert.equal(next.service.settings.badValues(), 0);
        const token = await next.admin();
        assert.deepEqual([claimsOf(token).aud, typeOf(token)], ['earlier', 'at+jwt']);
        await next.set('Latchkey.Tokens', { accessTokenLifetime: 3600 });
        assert.equal(claimsOf(await next.admin()).aud, 'earlier');
      }));

    it('has the stored value beside members that are out of bounds, which have their defaults', () =>
      withNodes(async (start) => {
        const node = await start();
        await change(node, 'JWT');
        const value = JSON.stringify({ accessTokenLifetime: -1, audience: 'kept', headerType: 'JWT' });
        const stored = node.service.database.sql.updateTable('setting_value').set({ value });
        await stored.where('name', '=', 'Latchkey.Tokens').execute();
        const next = await start();
        assert.equal(next.service.settings.badValues(), 1);
        next.clock.advance(600);
        const { aud, exp, iat } = claimsOf(await next.admin());
        assert.deepEqual([aud, Number(exp) - Number(iat)], ['kept', 86_400]);
      }));
  });
}

it('a service that is restarted after the change issues JWT at once, and keeps the open sessions', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-header-type-'));
  const env = { LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD, LATCHKEY_ADMIN_PASSWORD_FINAL: 'true' };
  const credentials = { userNameOrEmailAddress: 'admin', password: ADMIN_PASSWORD };
  const signIn = async (url: string): Promise<string> =>
    (await callProcess(url, 'POST', '/api/TokenAuth/Authenticate', { body: credentials })).result.accessToken;
  const first = await startProcess({ dataDir, env });
  const token = await signIn(first.url);
  const body = { name: 'Latchkey.Tokens', value: { headerType: 'JWT' } };
  const changed = await callProcess(first.url, 'POST', '/api/services/app/Settings/UpdateValue', { token, body });
  assert.equal(changed.status, 200);
  assert.equal(typeOf(await signIn(first.url)), 'at+jwt');
  await first.stop();
  const second = await startProcess({ dataDir, env, port: first.port });
  try {
    assert.equal(typeOf(await signIn(second.url)), 'JWT');
    assert.equal((await callProcess(second.url, 'GET', SESSIONS, { token })).status, 200);
  } finally {
    await second.stop();
    rmSync(dataDir, { recursive: true });
  }
});
