// latchkey service-keys: makes, lists and withdraws keys beside a running service.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toInstant } from '../../src/foundation/clock.ts';
import { enginesAtLength, openPatiently } from '../support/databases.ts';
import { callProcess, type TestProcess } from '../support/process.ts';
import { createSite, type Site } from './run.ts';

const DAY_MS = 86_400_000;

for (const engine of enginesAtLength) {
  describe(`latchkey service-keys on ${engine}`, () => {
    let site: Site;
    let service: TestProcess;
    before(async () => {
      site = await createSite(engine);
      service = await site.serve();
    });
    after(() => site.close());

    async function introspect(key: string): Promise<number> {
      const body = new URLSearchParams({ token: 'x' });
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${service.url}/oauth/introspect`, { method: 'POST', headers, body })).status;
    }

    it('prints a key once, and withdraws it at once from the running service', async () => {
      const made = await site.run(['service-keys', 'create', 'shop', '--permissions', 'introspect,revocations']);
      assert.equal(made.code, 0, made.err);
      assert.match(made.out, /^lks_[\w-]{43}\n$/);
      assert.match(made.err, /Made the service key shop\. It is shown only once\./);
      const key = made.out.trim();
      assert.equal(await introspect(key), 200);

      const listed = await site.run(['service-keys', 'list']);
      assert.match(listed.out, /^shop +introspect,revocations +\S+Z +\S+Z$/m);
      assert.ok(!listed.out.includes(key.slice(4)));

      const withdrawn = await site.run(['service-keys', 'withdraw', ' shop\u200b']);
      assert.deepEqual([withdrawn.code, withdrawn.out], [0, 'Withdrew the service key shop.\n']);
      assert.equal(await introspect(key), 401);
    });

    it('records who made and withdrew a key', async () => {
      await site.run(['service-keys', 'create', 'stock', '--permissions', 'introspect']);
      const credentials = { userNameOrEmailAddress: 'admin', password: 'correct horse battery' };
      const signedIn = await callProcess(service.url, 'POST', '/api/TokenAuth/Authenticate', { body: credentials });
      const token = signedIn.result.accessToken;
      const query = '?action=serviceKey.created';
      const { result } = await callProcess(service.url, 'GET', `/api/services/app/Audit/GetAll${query}`, { token });
      assert.equal(result.items[0].userName, 'command line');
      assert.deepEqual(result.items[0].details, { name: 'stock', permissions: 'introspect' });
    });

    it('says in one line what is wrong', async () => {
      const failures: [words: string[], code: number, message: RegExp][] = [
        [['create', 'x'], 2, /Say what the key allows: --permissions introspect,revocations/],
        [['create', '--permissions', 'introspect'], 2, /needs NAME/],
        [['create', 'two words', '--permissions', 'introspect'], 1, /name has characters or a form/],
        [['create', 'x', '--permissions', 'all'], 1, /permissions/],
        [['create', 'x', '--permissions', ''], 1, /permissions/],
        [['create', 'stock', '--permissions', 'introspect'], 1, /Another service key has this name/],
        [['withdraw', 'nothing'], 1, /There is no service key with this name/],
      ];
      for (const [words, code, message] of failures) {
        const ended = await site.run(['service-keys', ...words]);
        assert.equal(ended.code, code, ended.err);
        assert.match(ended.err, message);
        assert.equal(ended.out, '');
        assert.equal(ended.err.trim().split('\n').length, 1, ended.err);
      }
    });

    it('has a doctor that warns of keys that no service has used for 90 days', async () => {
      const url = site.env.LATCHKEY_DATABASE_URL ?? `sqlite:${join(site.folder, 'data/latchkey.db')}`;
      const daysAgo = (days: number) => toInstant(Date.now() - days * DAY_MS - 1000);
      const examine = async () => (await site.run(['doctor'])).out;
      const keys = { used: [200, 89], young: [89, null], idle: [200, 90], unused: [90, null] } as const;
      for (const name of Object.keys(keys)) {
        await site.run(['service-keys', 'create', name, '--permissions', 'introspect']);
      }
      assert.match(await examine(), /^ok {4}service keys +5 in use$/m);
      const { sql, close } = await openPatiently(url);
      for (const [name, [createdDays, usedDays]] of Object.entries(keys)) {
        await sql
          .updateTable('service_key')
          .set({ created_at: daysAgo(createdDays), last_used_at: usedDays === null ? null : daysAgo(usedDays) })
          .where('name', '=', name)
          .execute();
      }
      await close();
      const warning =
        /^warn {2}service keys +not used for 90 days: (.*)\. Withdraw each key .*service-keys withdraw NAME$/m;
      const [, names = ''] = warning.exec(await examine()) ?? [];
      assert.deepEqual(names.split(', ').sort(), ['idle', 'unused']);
      for (const name of ['idle', 'unused']) await site.run(['service-keys', 'withdraw', name]);
      assert.match(await examine(), /^ok {4}service keys +3 in use$/m);
    });
  });
}
