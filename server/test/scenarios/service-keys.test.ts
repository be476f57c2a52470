// Service keys: administrators make them, other services call with them, and a withdrawn one works nowhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { introspect, postForm } from '../support/introspection.ts';
import { until } from '../support/patience.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app/ServiceKey';

for (const [name, start] of Object.entries(setUps)) {
  describe(`service keys on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;

    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
    });
    after(() => setUp.close());

    const send = async (path: string, body: object) => here.post(`${API}/${path}`, { token: await here.admin(), body });
    async function create(keyName: string, permissions = ['introspect']): Promise<string> {
      const answer = await send('Create', { name: keyName, permissions });
      assert.equal(answer.status, 200, answer.text);
      return JSON.parse(answer.text).result.key;
    }
    const list = async () => (await here.get(`${API}/GetAll`, { token: await here.admin() })).result.items;
    const statusOf = async (node: TestService, key: string) =>
      (await postForm(node, '/oauth/introspect', { token: 'x' }, `Bearer ${key}`)).status;

    it('shows a key once, and lists what it allows', async () => {
      const key = await create('shop', ['introspect', 'revocations']);
      assert.match(key, /^lks_[\w-]{43}$/);
      const answer = await here.get(`${API}/GetAll`, { token: await here.admin() });
      const shop = answer.result.items.find((one) => one.name === 'shop');
      assert.deepEqual(shop?.permissions, ['introspect', 'revocations']);
      assert.equal(shop?.lastUsedAt, null);
      assert.ok(!answer.text.includes(key.slice(4)));
      const entries = await here.get('/api/services/app/Audit/GetAll', {
        token: await here.admin(),
        query: { action: 'serviceKey.created' },
      });
      assert.equal(entries.result.items[0]?.userName, 'admin');
      assert.ok(!entries.text.includes(key.slice(4)));
    });

    it('refuses a name that is in use, is empty or could be taken for another', async () => {
      await create('twin');
      const twin = await send('Create', { name: 'twin', permissions: ['introspect'] });
      assert.deepEqual([twin.status, twin.error.reason], [409, 'serviceKey.duplicate']);
      for (const wrong of ['', ' ', 'two words', '-x', 'a\nb', 'ключ', 'x'.repeat(65)]) {
        assert.equal((await send('Create', { name: wrong, permissions: ['introspect'] })).status, 400, wrong);
      }
      for (const permissions of [[], ['all'], ['introspect', 'introspect'], 'introspect']) {
        assert.equal((await send('Create', { name: 'fine', permissions })).status, 400, String(permissions));
      }
      const unknown = await send('Create', { name: 'fine', permissions: ['all'] });
      const known = 'introspect, revocations, audit, manage, pages:maintenance, Pages.Users, users:resetPassword';
      assert.equal(unknown.error.details, `permissions.0 must be one of: ${known}.`);
    });

    it('gives one of concurrent creations the name', async () => {
      const token = await here.admin();
      const body = { name: 'race', permissions: ['introspect'] };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 ? here : there).post(`${API}/Create`, { token, body })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, ...Array(19).fill(409)]);
    });

    it('lets two keys overlap, and refuses the withdrawn one at once on every node', async () => {
      const old = await create('stock-1');
      const next = await create('stock-2');
      for (const key of [old, next]) assert.equal(await statusOf(there, key), 200);
      assert.equal((await send('Withdraw', { name: 'stock-1' })).status, 200);
      for (const node of [here, there]) {
        assert.equal(await statusOf(node, old), 401);
        assert.equal(await statusOf(node, next), 200);
      }
      const again = await send('Withdraw', { name: 'stock-1' });
      assert.deepEqual([again.status, again.error.reason], [404, 'serviceKey.notFound']);
    });

    it('records a use at most once a minute', async () => {
      const key = await create('busy');
      const lastUse = async () => (await list()).find((one) => one.name === 'busy')?.lastUsedAt;
      await introspect(here, 'x', key);
      const first = await lastUse();
      assert.equal(first, new Date(here.clock.now()).toISOString());
      here.clock.advance(59);
      await Promise.all([introspect(here, 'x', key), introspect(there, 'x', key)]);
      assert.equal(await lastUse(), first);
      here.clock.advance(1);
      await Promise.all(Array.from({ length: 10 }, () => introspect(here, 'x', key)));
      assert.equal(await lastUse(), new Date(here.clock.now()).toISOString());
    });

    it('allows only what its permissions name', async () => {
      const token = await here.admin();
      const introspecting = await create('introspecting', ['introspect']);
      const following = await create('following', ['revocations']);
      assert.equal((await here.get('/api/revocations', { token: introspecting })).status, 403);
      assert.equal((await here.get('/api/revocations', { token: following })).status, 200);
      const refused = await postForm(here, '/oauth/introspect', { token }, `Bearer ${following}`);
      assert.equal(refused.status, 403);
      assert.match(String(refused.headers['www-authenticate']), /error="insufficient_scope"/);
      assert.equal((await introspect(here, token, introspecting)).active, true);
    });

    it('tells once that it was withdrawn, also to who watches only then', async () => {
      const watch = async (keyName: string) => {
        const key = await here.service.serviceKeys.authenticate(await create(keyName), 'introspect');
        let ends = 0;
        const stop = await key.whenWithdrawn(() => {
          ends += 1;
        });
        const end = async () => {
          assert.equal((await send('Withdraw', { name: keyName })).status, 200);
          await until(() => ends > 0);
        };
        return { ...key, stop, end, count: () => ends };
      };
      const [first, second, unwatched] = [await watch('watched-1'), await watch('watched-2'), await watch('watched-3')];
      unwatched.stop();
      await first.end();
      await send('Withdraw', { name: 'watched-3' });
      await second.end();
      assert.deepEqual([first.count(), second.count(), unwatched.count()], [1, 1, 0]);
      const late: string[] = [];
      await first.whenWithdrawn(() => void late.push('at once'));
      assert.deepEqual(late, ['at once']);
    });

    it('ends the event streams of a withdrawn key, and of no other', async () => {
      const [withdrawn, kept] = [await create('ended', ['revocations']), await create('kept', ['revocations'])];
      const address = await there.app.listen({ port: 0, host: '127.0.0.1' });
      const open = async (key: string) => {
        const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
        const controller = new AbortController();
        const response = await fetch(`${address}/api/revocations`, { headers, signal: controller.signal });
        assert.equal(response.status, 200);
        return { controller, reader: response.body?.getReader() };
      };
      const [ended, other] = [await open(withdrawn), await open(kept)];
      await ended.reader?.read();
      await other.reader?.read();
      assert.equal((await send('Withdraw', { name: 'ended' })).status, 200);
      const end = async () => {
        while (!(await ended.reader?.read())?.done);
      };
      // The connection closes, or is cut.
      await end().catch(() => {});
      // This node's own commit reaches its followers though the clock of the test stands still.
      await there.post('/api/TokenAuth/SignOff', { token: await there.admin() });
      assert.equal((await other.reader?.read())?.done, false);
      other.controller.abort();
    });
  });
}
