// Applications as administrators register them, on both engines and on two nodes.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../src/app/first-start.ts';
import { assertRefused } from '../support/answers.ts';
import { beside } from '../support/databases.ts';
import { until } from '../support/patience.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const path = <Name extends string>(name: Name) => `/api/services/app/Application/${name}` as const;
const MISSING = '00000000-0000-4000-8000-000000000000';
const SECRET = /^[A-Za-z0-9]{43,}$/;
const STANDARD = ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access'];
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const MOST = 500;
const PARALLEL = 20;
for (const [name, start] of Object.entries(setUps)) {
  describe(`applications on ${name}`, () => {
    let setUp: SetUp;
    let test: TestService;
    let token: string;
    let ended: string[] = [];
    before(async () => {
      setUp = await start();
      test = setUp.here;
      test.service.applications.whenEnding(async (tx, { clientId, isEnabled }, what) => {
        // In the transaction: it sees the change.
        const row = await tx.sql
          .selectFrom('application')
          .select('is_enabled')
          .where('client_id', '=', clientId)
          .executeTakeFirst();
        ended.push(`${clientId} ${what} ${isEnabled} ${row?.is_enabled ?? 'gone'}`);
      });
    });
    after(() => setUp.close());
    beforeEach(async () => {
      token = await test.admin();
      for (const { id } of await test.service.applications.readAll()) await remove(id);
      ended = [];
    });

    const remove = (id: string) => test.send('DELETE', path('Delete'), { token, query: { id } });
    const post = (body: object, node = test) => node.post(path('Create'), { token, body });
    async function create(more: object = {}) {
      // So that the list has an order.
      test.clock.advance(1);
      const answer = await post({ name: 'Shop', kind: 'web', ...more });
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    }
    async function update(id: string, changes: object) {
      const answer = await test.send('PUT', path('Update'), { token, body: { id, ...changes } });
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    }
    const refuseUpdate = (id: string, changes: object) =>
      test.send('PUT', path('Update'), { token, body: { id, ...changes } });
    const get = async (id: string) => (await test.get(path('Get'), { token, query: { id } })).result;
    const rotate = async (id: string, overlapSeconds?: number) => {
      const body = { id, ...(overlapSeconds !== undefined && { overlapSeconds }) };
      return (await test.post(path('RotateSecret'), { token, body })).result.clientSecret;
    };
    /** Whether each node knows these as secrets of the application. */
    async function verify(id: string, ...secrets: (string | null)[]) {
      const application = await test.service.applications.read(id);
      const known = await Promise.all(
        secrets.map(async (secret) => {
          const answers = [setUp.here, setUp.there].map(({ service }) =>
            service.applications.verifySecret(application, secret ?? ''),
          );
          const [here, there] = await Promise.all(answers);
          assert.equal(here, there);
          return here;
        }),
      );
      return known;
    }

    it('have the defaults of their kind', async () => {
      const web = await create({ redirectUris: ['https://shop.example.com/callback'] });
      const { id, clientId, clientSecret, createdAt, ...rest } = web;
      assert.match(clientId, /^[A-Za-z0-9._-]{1,64}$/);
      assert.match(clientSecret ?? '', SECRET);
      assert.deepEqual(rest, {
        name: 'Shop',
        kind: 'web',
        redirectUris: ['https://shop.example.com/callback'],
        postLogoutRedirectUris: [],
        authentication: 'secret',
        jwks: null,
        jwksUri: null,
        pkce: 'orNonce',
        grants: ['authorization_code', 'refresh_token'],
        scopes: STANDARD,
        resources: [],
        allowedRoles: [],
        consent: 'none',
        frontEnd: 'default-app',
        idTokenAlgorithm: 'RS256',
        claimsInIdToken: true,
        accessTokenLifetime: 600,
        backchannelLogoutUri: null,
        isEnabled: true,
      });
      assert.deepEqual(await get(id), { id, clientId, createdAt, ...rest });
      const others = [];
      for (const kind of ['browser', 'native', 'machine']) others.push(await create({ kind }));
      assert.deepEqual(
        others.map((one) => [one.authentication, one.pkce, one.grants, one.clientSecret !== null]),
        [
          ['none', 'required', ['authorization_code', 'refresh_token'], false],
          ['none', 'required', ['authorization_code', 'refresh_token', DEVICE_CODE], false],
          ['secret', 'orNonce', ['client_credentials'], true],
        ],
      );
      const { result } = await test.get(path('GetAll'), { token });
      assert.equal(result.items.length, 4);
      assert.deepEqual(result.items[0], await get(id));
    });

    it('keep all that an administrator chooses, also when they change', async () => {
      await test.post('/api/services/app/Role/Create', { token, body: { name: 'Staff' } });
      await test.post('/api/services/app/FrontEndApp/Create', { token, body: { appKey: 'shop', name: 'Shop' } });
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const chosen = {
        clientId: 'Shop_1.app-2',
        redirectUris: ['https://shop.example.com/callback?of=us', 'http://localhost:3000/cb'],
        postLogoutRedirectUris: ['https://shop.example.com/'],
        authentication: 'private_key_jwt',
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] },
        jwksUri: null,
        pkce: 'required',
        grants: ['authorization_code'],
        scopes: ['openid', 'orders.read'],
        resources: ['https://api.example.com/', 'orders'],
        allowedRoles: ['Staff'],
        consent: 'ask',
        frontEnd: 'shop',
        idTokenAlgorithm: 'ES256',
        claimsInIdToken: false,
        accessTokenLifetime: 86_400,
        backchannelLogoutUri: 'https://shop.example.com/signed-out',
        isEnabled: false,
      };
      const { clientSecret, ...created } = await create(chosen);
      assert.equal(clientSecret, null);
      assert.deepEqual(created, { ...created, ...chosen });
      const { result } = await test.send('PUT', path('Update'), { token, body: { ...created, name: 'Market' } });
      assert.deepEqual(result, { ...created, name: 'Market' });
      const back = await update(created.id.toUpperCase(), {
        jwks: null,
        jwksUri: 'http://127.0.0.1:8080/jwks',
        backchannelLogoutUri: null,
        allowedRoles: ['staff', 'STAFF'],
      });
      assert.deepEqual([back.jwks, back.backchannelLogoutUri, back.allowedRoles], [null, null, ['Staff']]);
      assert.deepEqual(await get(created.id), back);
    });

    it('may ask for groups as for roles, if people sign in to them', async () => {
      const scopes = ['openid', 'groups', 'roles'];
      const { id } = await create({ scopes });
      assert.deepEqual((await get(id)).scopes, ['openid', 'roles']);
      assert.deepEqual((await update(id, { scopes: ['groups'] })).scopes, ['roles']);
      assert.deepEqual((await create({ kind: 'machine', scopes: ['groups'] })).scopes, ['groups']);
    });

    it('are refused with what is wrong', async () => {
      const wrong: [object, string, string?][] = [
        [{ name: '' }, 'name'],
        [{ kind: 'app' }, 'kind'],
        [{ clientId: 'a b' }, 'clientId'],
        [{ clientId: 'x'.repeat(65) }, 'clientId'],
        [{ grants: [] }, 'grants'],
        [{ grants: ['implicit'] }, 'grants.0'],
        [{ grants: ['client_credentials'] }, 'grants'],
        [{ pkce: 'none' }, 'pkce'],
        [{ kind: 'browser', pkce: 'optional' }, 'pkce'],
        [{ kind: 'native', authentication: 'secret' }, 'authentication'],
        [{ accessTokenLifetime: 59 }, 'accessTokenLifetime'],
        [{ accessTokenLifetime: 86_401 }, 'accessTokenLifetime'],
        [{ allowedRoles: ['Nobody'] }, 'allowedRoles'],
        [{ backchannelLogoutUri: 'http://shop.example.com/' }, 'backchannelLogoutUri'],
        [{ backchannelLogoutUri: 'https://10.0.0.1/' }, 'backchannelLogoutUri'],
        [{ backchannelLogoutUri: 'https://user@shop.example.com/' }, 'backchannelLogoutUri'],
        [{ authentication: 'private_key_jwt' }, 'jwks'],
        [{ authentication: 'private_key_jwt', jwksUri: 'https://192.168.0.1/' }, 'jwksUri'],
        [
          { authentication: 'private_key_jwt', jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'AQAB' }] } },
          'jwks',
        ],
        [{ authentication: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'AQAB' }] } }, 'jwks.keys.0.kty'],
        [
          { redirectUris: Array.from({ length: 31 }, (_, index) => `https://shop.example.com/${index}`) },
          'redirectUris',
        ],
      ];
      for (const [more, member] of wrong) {
        const answer = await post({ name: 'Shop', kind: 'web', ...more });
        assertRefused(answer, 400, 'request.invalid', more);
        const members = answer.error.validationErrors?.flatMap((one) => one.members);
        assert.ok(members?.includes(member), `${JSON.stringify(more)}: ${answer.text}`);
      }
      for (const uri of [
        'http://shop.example.com/',
        'https://shop.example.com/#x',
        'https://*.example.com/',
        'shop:/x',
      ]) {
        const answer = await post({ name: 'Shop', kind: 'web', redirectUris: [uri] });
        assertRefused(answer, 400, 'application.redirectUriInvalid', uri);
      }
      assertRefused(await post({ name: 'Shop', kind: 'web', frontEnd: 'none' }), 404, 'frontEnd.notFound');
      const { id } = await create();
      assertRefused(await refuseUpdate(id, { clientId: 'another' }), 400, 'request.invalid');
      assertRefused(
        await refuseUpdate(id, { kind: 'machine', redirectUris: ['https://a.example/'] }),
        400,
        'application.redirectUriInvalid',
      );
      assertRefused(await refuseUpdate(MISSING, { name: 'x' }), 404, 'application.notFound');
      assertRefused(await test.get(path('Get'), { token, query: { id: MISSING } }), 404, 'application.notFound');
      assertRefused(await remove(MISSING), 404, 'application.notFound');
      assertRefused(
        await test.post(path('RotateSecret'), { token, body: { id: MISSING } }),
        404,
        'application.notFound',
      );
      const tooLong = { id, overlapSeconds: 604_801 };
      assertRefused(await test.post(path('RotateSecret'), { token, body: tooLong }), 400, 'request.invalid');
    });

    it('have a client id that no other has, however many ask for it at once', async () => {
      const tries = Array.from({ length: PARALLEL }, (_, index) =>
        post({ name: `Shop ${index}`, kind: 'web', clientId: 'shop' }, index % 2 ? setUp.here : setUp.there),
      );
      const answers = await Promise.all(tries);
      const refused = answers.filter(({ status }) => status !== 200);
      assert.equal(refused.length, PARALLEL - 1);
      for (const answer of refused) assertRefused(answer, 409, 'application.clientIdTaken');
      assert.equal((await test.service.applications.readAll()).length, 1);
      await create({ clientId: 'Shop' });
    });

    it('are at most as many as the service allows, also when the last ones come together', async () => {
      const now = test.clock.now();
      const settings = JSON.stringify({ redirectUris: [], allowedRoles: [], scopes: [] });
      const rows = Array.from({ length: MOST - 2 }, (_, index) => ({
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        client_id: `full${index}`,
        name: 'Full',
        kind: 'web' as const,
        settings,
        front_end: 'default-app',
        is_enabled: 1 as const,
        created_at: now,
      }));
      const { database } = test.service;
      for (let from = 0; from < rows.length; from += 100) {
        await database.sql
          .insertInto('application')
          .values(rows.slice(from, from + 100))
          .execute();
      }
      const tries = Array.from({ length: 6 }, (_, index) =>
        post({ name: 'Shop', kind: 'web' }, index % 2 ? setUp.here : setUp.there),
      );
      const statuses = (await Promise.all(tries)).map(({ status, error }) => (status === 200 ? 200 : error.reason));
      assert.deepEqual(statuses.filter((one) => one === 200).length, 2);
      assert.deepEqual(new Set(statuses), new Set([200, 'application.tooMany']));
      await database.sql.deleteFrom('application').execute();
    });

    it('are known on every node, with the origins of browser applications', async () => {
      const redirectUris = ['https://shop.example.com/callback', 'http://localhost:5173/callback'];
      const { id } = await create({ kind: 'browser', clientId: 'spa', redirectUris });
      const { applications } = setUp.there.service;
      await until(() => applications.find('spa')?.id === id);
      assert.deepEqual(applications.origins(), ['https://shop.example.com', 'http://localhost:5173']);
      assert.deepEqual([applications.isUsed(), applications.findById(id)?.clientId], [true, 'spa']);
      assert.equal(applications.list().length, 1);
      await update(id, { isEnabled: false });
      await until(() => applications.origins().length === 0);
      await remove(id);
      await until(() => !applications.isUsed() && applications.find('spa') === undefined);
    });

    it('can be disabled when an address of theirs is not allowed any more', async () => {
      const { id } = await create({ backchannelLogoutUri: 'https://shop.example.com/sign-out' });
      const { sql } = test.service.database;
      const { settings } = await sql.selectFrom('application').select('settings').executeTakeFirstOrThrow();
      const moved = { settings: settings.replace('shop.example.com', '10.0.0.1') };
      await sql.updateTable('application').set(moved).where('id', '=', id).execute();
      for (const changes of [{ name: 'Market' }, { isEnabled: false, name: 'Market' }])
        assertRefused(await refuseUpdate(id, changes), 400, 'request.invalid');
      const { isEnabled, backchannelLogoutUri } = await update(id, { isEnabled: false });
      assert.deepEqual([isEnabled, backchannelLogoutUri], [false, 'https://10.0.0.1/sign-out']);
      assertRefused(await refuseUpdate(id, { isEnabled: true }), 400, 'request.invalid');
    });

    it('change their secret at once, or keep the former one for a while', async () => {
      const { id, clientSecret: first } = await create();
      const other = await create();
      assert.deepEqual(await verify(id, first, other.clientSecret, '', `${first}x`), [true, false, false, false]);
      const second = await rotate(id);
      assert.match(second, SECRET);
      assert.deepEqual(await verify(id, first, second), [false, true]);
      const third = await rotate(id, 604_800);
      assert.deepEqual(await verify(id, first, second, third), [false, true, true]);
      test.clock.advance(604_799);
      token = await test.admin();
      assert.deepEqual(await verify(id, second, third), [true, true]);
      test.clock.advance(1);
      assert.deepEqual(await verify(id, second, third), [false, true]);
      await update(id, { isEnabled: false });
      assert.deepEqual(await verify(id, third), [false]);
      await update(id, { isEnabled: true });
      assert.deepEqual(await verify(id, third), [true]);
      await update(id, { kind: 'browser' });
      assert.deepEqual(await verify(id, third), [false]);
      assertRefused(await test.post(path('RotateSecret'), { token, body: { id } }), 409, 'application.withoutSecret');
      await update(id, { kind: 'web' });
      assert.deepEqual(await verify(id, third, ''), [false, false]);
      assert.deepEqual(await verify(id, await rotate(id)), [true]);
    });

    it('keep what their new kind can have, and get its defaults for the rest', async () => {
      const addresses = {
        redirectUris: ['https://shop.example.com/cb'],
        backchannelLogoutUri: 'https://shop.example.com/out',
      };
      const narrow = { scopes: ['openid', 'orders'], grants: ['authorization_code'], pkce: 'optional' };
      const { id } = await create({ ...addresses, ...narrow });
      const native = await update(id, { kind: 'native' });
      assert.deepEqual(
        [native.authentication, native.pkce, native.grants, native.scopes],
        ['none', 'required', narrow.grants, narrow.scopes],
      );
      const own = 'com.example.shop:/cb';
      await update(id, {
        grants: [DEVICE_CODE, 'refresh_token'],
        redirectUris: [...addresses.redirectUris, own],
        postLogoutRedirectUris: [own],
      });
      const web = await update(id, { kind: 'web' });
      assert.deepEqual(web, {
        ...native,
        ...addresses,
        kind: 'web',
        authentication: 'secret',
        grants: ['refresh_token'],
        postLogoutRedirectUris: [],
      });
      const machine = await update(id, { kind: 'machine' });
      assert.deepEqual(machine, {
        ...web,
        kind: 'machine',
        grants: ['client_credentials'],
        scopes: [],
        redirectUris: [],
        backchannelLogoutUri: null,
      });
      const named = await update(id, { kind: 'native', scopes: ['openid'] });
      assert.deepEqual(
        [named.scopes, named.grants],
        [['openid'], ['authorization_code', 'refresh_token', DEVICE_CODE]],
      );
      assert.deepEqual((await update(id, { kind: 'machine' })).scopes, []);
      assert.deepEqual((await update(id, { kind: 'web' })).scopes, STANDARD);
    });

    it('lose their keys when they no longer authenticate with one', async () => {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] };
      const { id } = await create({ authentication: 'private_key_jwt', jwks });
      const machine = await update(id, { kind: 'machine' });
      assert.deepEqual([machine.authentication, machine.jwks], ['private_key_jwt', jwks]);
      assertRefused(await refuseUpdate(id, { kind: 'browser', jwks }), 400, 'request.invalid');
      const browser = await update(id, { kind: 'browser' });
      assert.deepEqual([browser.authentication, browser.jwks], ['none', null]);
      const jwksUri = 'http://127.0.0.1:8080/jwks';
      await update(id, { kind: 'web', authentication: 'private_key_jwt', jwksUri });
      const web = await update(id, { authentication: 'secret' });
      assert.deepEqual([web.authentication, web.jwksUri], ['secret', null]);
    });

    it('tell which of their grants must end, in the transaction of the change', async () => {
      const { id } = await create({ clientId: 'shop' });
      await update(id, { name: 'Market', isEnabled: true });
      await rotate(id, 60);
      assert.deepEqual(ended, []);
      await rotate(id);
      await update(id, { allowedRoles: ['Administrator'] });
      await update(id, { kind: 'native' });
      await update(id, { isEnabled: false });
      await update(id, { isEnabled: true });
      await remove(id);
      assert.deepEqual(ended, [
        'shop own true 1',
        'shop roles true 1',
        'shop roles true 1',
        'shop own true 1',
        'shop all false 0',
        'shop deleted false gone',
      ]);
    });

    it('stay as they are while a transaction holds them', async () => {
      const { id } = await create();
      const { database, applications } = test.service;
      const order: string[] = [];
      let change: Promise<unknown> = Promise.resolve();
      await database.transaction(async (tx) => {
        assert.equal((await applications.findForUpdate(tx, id))?.isEnabled, true);
        const { update } = setUp.there.service.applications;
        change = beside(() => update(id, { isEnabled: false }, operator('test'))).then(() => order.push('changed'));
        await tx.sql.selectFrom('application').select('id').execute();
        order.push('held');
      });
      await change;
      assert.deepEqual(order, ['held', 'changed']);
    });

    it('cannot take the audience that the service has got a moment ago on another node', async () => {
      const set = async (audience: string) => {
        const body = { name: 'Latchkey.Tokens', value: { audience } };
        assert.equal((await test.post('/api/services/app/Settings/UpdateValue', { token, body })).status, 200);
      };
      await set('orders');
      const taken = { name: 'Shop', kind: 'web', clientId: 'orders' };
      assertRefused(await post(taken, setUp.there), 400, 'request.invalid');
      await set('latchkey');
      assert.equal((await post(taken, setUp.there)).status, 200);
      await setUp.there.service.settings.load();
    });

    it('follow their front end, and lose a role that is deleted to nobody', async () => {
      const body = { appKey: 'old-key', name: 'Shop' };
      const { result } = await test.post('/api/services/app/FrontEndApp/Create', { token, body });
      const { result: role } = await test.post('/api/services/app/Role/Create', { token, body: { name: 'Buyer' } });
      const { id } = await create({ frontEnd: 'old-key', allowedRoles: ['Buyer'] });
      await test.send('PUT', '/api/services/app/FrontEndApp/Update', { token, body: { ...result, appKey: 'new-key' } });
      assert.equal((await get(id)).frontEnd, 'new-key');
      await test.send('DELETE', '/api/services/app/FrontEndApp/Delete', { token, query: { id: result.id } });
      assert.equal((await get(id)).frontEnd, 'default-app');
      await test.send('DELETE', '/api/services/app/Role/Delete', { token, query: { id: role.id } });
      const changed = await update(id, { name: 'Market' });
      assert.deepEqual(changed.allowedRoles, ['Buyer']);
      assertRefused(await refuseUpdate(id, { allowedRoles: ['Buyer', 'Seller'] }), 400, 'request.invalid');
    });

    it('leave their secrets in no table, entry and line of the log', async () => {
      const { id, clientSecret } = await create({ clientId: 'shop' });
      const second = await rotate(id, 60);
      await update(id, { scopes: ['openid'] });
      await remove(id);
      const { result } = await test.get('/api/services/app/Audit/GetAll', { token, query: { maxResultCount: 4 } });
      assert.deepEqual(
        result.items.map(({ action, details }) => [action, details]),
        [
          ['application.deleted', { application: id, clientId: 'shop', name: 'Shop' }],
          [
            'application.updated',
            { application: id, clientId: 'shop', name: 'Shop', changed: 'scopes', isEnabled: true },
          ],
          ['application.secretRotated', { application: id, clientId: 'shop', name: 'Shop', overlapSeconds: 60 }],
          ['application.created', { application: id, clientId: 'shop', name: 'Shop', kind: 'web' }],
        ],
      );
      const kept = await create({ clientId: 'kept' });
      const rows = await sql`select * from application`.execute(test.service.database.sql);
      const trail = await sql`select * from audit`.execute(test.service.database.sql);
      const all = JSON.stringify([rows.rows, trail.rows, test.logs, test.printed]);
      for (const secret of [clientSecret, second, kept.clientSecret]) assert.ok(secret && !all.includes(secret));
    });

    it('come from templates, which the service accepts once they are filled in', async () => {
      const { result: templates } = await test.get(path('GetTemplates'), { token });
      assert.equal(new Set(templates.map(({ key }) => key)).size, 17);
      for (const { key, name: program, values, asks, snippet } of templates) {
        const fill = (text: string) =>
          asks.reduce((filled, ask) => filled.replaceAll(`{{${ask.name}}}`, ask.example), text);
        const filled = JSON.parse(fill(JSON.stringify(values)));
        const { id, clientSecret, ...created } = await create({ ...filled, name: program, clientId: key });
        assert.deepEqual(created, { ...created, ...filled }, key);
        assert.match(snippet, /\{\{clientId\}\}/, key);
        assert.equal(snippet.includes('{{clientSecret}}'), clientSecret !== null, key);
        const lines = fill(snippet).replaceAll('{{clientId}}', key).replaceAll('{{clientSecret}}', 'x');
        assert.deepEqual(
          lines.match(/\{\{\w+\}\}/g) ?? [],
          key === 'argocd' ? ['{{token}}', '{{logoutRedirectURL}}'] : [],
          key,
        );
        assert.ok(lines.includes(test.service.issuer), key);
        // JSON has no comments.
        if (/^\{/m.test(lines)) JSON.parse(lines);
        assert.equal(/^OIDCCryptoPassphrase [0-9a-f]{64}$/m.test(lines), key === 'apache', key);
        // A name may be given to another person (OpenID Connect Core, 5.7).
        const identifier = /(?:mapping-uid=|username-claim |RemoteUserClaim |User identifier: )(\S+)/.exec(lines)?.[1];
        const isWarned = lines.includes('known by their user name');
        assert.equal(isWarned, identifier !== undefined && identifier !== 'sub', key);
        assert.equal(isWarned, ['nextcloud', 'portainer', 'apache'].includes(key), key);
        assert.deepEqual(await get(id), { id, ...created });
      }
    });
  });
}
