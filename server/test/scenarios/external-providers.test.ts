// External providers as administrators register them, on both engines and on two nodes.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../src/app/first-start.ts';
import { createTestAccounts, type TestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { until } from '../support/patience.ts';
import { createTestProvider } from '../support/providers.ts';
import { ISSUER, type TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app';
const path = <Name extends string>(name: Name) => `/api/services/app/ExternalProvider/${name}` as const;
const MISSING = '00000000-0000-4000-8000-000000000000';
const MOST = 100;
const PARALLEL = 12;
const ec = (namedCurve: string, type: 'pkcs8' | 'sec1' = 'pkcs8') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type, format: 'pem' }).toString();
const P256 = ec('P-256');
const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
const ENDPOINTS = {
  authorization: 'https://acme.example/authorize?audience=people',
  token: 'https://acme.example/token',
  userinfo: 'https://acme.example/me',
};

/** The least that a provider of each type needs. */
const least: Record<string, object> = {
  google: { clientSecret: 'google-canary' },
  microsoft: { clientSecret: 'microsoft-canary', tenant: TENANT },
  github: { clientSecret: 'github-canary' },
  gitlab: { clientSecret: 'gitlab-canary' },
  apple: { teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0', privateKey: P256 },
  facebook: { clientSecret: 'facebook-canary' },
  linkedin: { clientSecret: 'linkedin-canary' },
  oidc: { issuer: 'https://acme.example/realms/staff' },
  oauth2: { endpoints: ENDPOINTS },
};

const LONG = 'x'.repeat(20_000);
/** Members that are refused, with the member that the answer names. */
const wrong: [type: string, more: object, member: string][] = [
  ['oidc', { type: 'saml' }, 'type'],
  ...['', '.', '..', 'a/b', ' -a', 'a?', 'a%20b', 'é'.repeat(101), 'a\u0000'].map((name): [string, object, string] => [
    'oidc',
    { name },
    'name',
  ]),
  ['oidc', { displayName: '' }, 'displayName'],
  ['oidc', { displayName: 'x'.repeat(101) }, 'displayName'],
  ['oidc', { isEnabled: 'yes' }, 'isEnabled'],
  ['oidc', { clientId: '' }, 'clientId'],
  ['oidc', { clientId: 'x'.repeat(501) }, 'clientId'],
  ['google', { clientSecret: LONG }, 'clientSecret'],
  ['google', { clientSecret: 'abc ' }, 'clientSecret'],
  ['google', { clientSecret: 'abc\n' }, 'clientSecret'],
  ['google', { clientSecret: '' }, 'clientSecret'],
  ['google', { clientSecret: 7 }, 'clientSecret'],
  ...[
    ...['http://acme.example', 'acme.example', 'https://acme.example/?a=b', 'https://acme.example/#a'],
    ...['https://acme.example?', 'https://acme.example/.well-known/openid-configuration', 'https://10.0.0.1'],
    ...['https://[::1]/', 'https://169.254.169.254/', 'https://a:b@acme.example', 'https://-a.example/', ''],
  ].map((issuer): [string, object, string] => ['oidc', { issuer }, 'issuer']),
  ['gitlab', { issuer: 'https://192.168.0.1' }, 'issuer'],
  ...['common', 'organizations', 'Consumers', 'acme.onmicrosoft.com', '{tenantid}', `${TENANT}/..`].map(
    (tenant): [string, object, string] => ['microsoft', { tenant }, 'tenant'],
  ),
  ...['authorization', 'token', 'userinfo', 'emails'].flatMap((name): [string, object, string][] => [
    ['oauth2', { endpoints: { ...ENDPOINTS, [name]: 'http://acme.example/x' } }, `endpoints.${name}`],
    ['oauth2', { endpoints: { ...ENDPOINTS, [name]: 'https://127.0.0.1/x' } }, `endpoints.${name}`],
    ['oauth2', { endpoints: { ...ENDPOINTS, [name]: '' } }, `endpoints.${name}`],
  ]),
  ['oauth2', { endpoints: { token: ENDPOINTS.token } }, 'endpoints.authorization'],
  ['oidc', { scopes: ['openid', 'a b'] }, 'scopes'],
  ['oidc', { scopes: ['profile'] }, 'scopes'],
  ['google', { scopes: ['email'] }, 'scopes'],
  // Without it, Entra ID sends no object id.
  ['microsoft', { scopes: ['openid', 'email'] }, 'scopes'],
  ['oidc', { scopes: ['openid', 'openid'] }, 'scopes'],
  ['oidc', { scopes: 'openid' }, 'scopes'],
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'Nonce'].map(
    (name): [string, object, string] => [
      'oidc',
      { authorizationParameters: { [name]: 'x' } },
      'authorizationParameters',
    ],
  ),
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri', 'a b', 'ä', ''].map(
    (name): [string, object, string] => [
      'oidc',
      { authorizationParameters: { [name]: 'x' } },
      'authorizationParameters',
    ],
  ),
  ['oidc', { authorizationParameters: { prompt: 1 } }, 'authorizationParameters.prompt'],
  ['oidc', { authorizationParameters: { prompt: 'a\nb' } }, 'authorizationParameters.prompt'],
  ['oidc', { authorizationParameters: [] }, 'authorizationParameters'],
  [
    'oidc',
    { authorizationParameters: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`p${i}`, ''])) },
    'authorizationParameters',
  ],
  ['oidc', { claims: { providerKey: 'x'.repeat(101) } }, 'claims.providerKey'],
  ['oidc', { emailTrust: 'never' }, 'emailTrust'],
  ...['a@b.example', '*.example.com', 'https://example.com', '10.0.0.1', 'a b', '-a.example', 'xn--', '@'].map(
    (domain): [string, object, string] => ['oidc', { allowedDomains: [domain] }, 'allowedDomains'],
  ),
  ['oidc', { allowedDomains: Array.from({ length: 101 }, (_, i) => `d${i}.example`) }, 'allowedDomains'],
  ['oidc', { registersNewUsers: null }, 'registersNewUsers'],
  ['oidc', { roleForNewUsers: 'Nobody' }, 'roleForNewUsers'],
  ['oidc', { secretExpiresAt: 'tomorrow' }, 'secretExpiresAt'],
  ['oidc', { secretExpiresAt: '2030-12-31T23:59:60Z' }, 'secretExpiresAt'],
  ['apple', { teamId: 'a1b2c3d4e5' }, 'teamId'],
  ['apple', { keyId: 'A1B2C3D4E' }, 'keyId'],
  ['apple', { privateKey: ec('P-384') }, 'privateKey'],
  ['apple', { privateKey: 'abc' }, 'privateKey'],
  ['apple', { privateKey: P256.replace('PRIVATE', 'PUBLIC') }, 'privateKey'],
  ['apple', { privateKey: LONG }, 'privateKey'],
  ['apple', { clientSecret: 'abc' }, 'clientSecret'],
];

for (const [setUpName, start] of Object.entries(setUps)) {
  describe(`external providers on ${setUpName}`, () => {
    let setUp: SetUp;
    let test: TestService;
    let accounts: TestAccounts;
    let token: string;
    before(async () => {
      setUp = await start({ additions: { providers: [createTestProvider('Acme').info] } });
      test = setUp.here;
      accounts = await createTestAccounts(test);
    });
    after(() => setUp.close());
    beforeEach(async () => {
      token = await test.admin();
      for (const { id } of await test.service.externalProviders.readAll()) await remove(id);
      await test.service.database.sql.deleteFrom('external_login').execute();
    });

    const remove = (id: string, by = token) => test.send('DELETE', path('Delete'), { token: by, query: { id } });
    const post = (body: object, by = token, node = test) => node.post(path('Create'), { token: by, body });
    const put = (id: string, changes: object, by = token) =>
      test.send('PUT', path('Update'), { token: by, body: { id, ...changes } });
    async function create(type: string, more: object = {}) {
      // So that the list has an order.
      test.clock.advance(1);
      const answer = await post({ type, name: type, clientId: `${type}-client`, ...least[type], ...more });
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    }
    async function update(id: string, changes: object) {
      const answer = await put(id, changes);
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    }
    const get = async (id: string) => (await test.get(path('Get'), { token, query: { id } })).result;
    const membersOf = (answer: Awaited<ReturnType<typeof post>>) =>
      answer.error?.validationErrors?.flatMap(({ members }) => members);
    async function link(accountId: number, provider: string, providerKey: string) {
      const login = { provider, providerKey, accountId, linkedAt: test.clock.now() };
      await test.service.database.transaction((tx) => test.service.externalLoginStore.add(tx.sql, login));
    }
    const logins = async (provider: string) =>
      (
        await test.service.database.sql
          .selectFrom('external_login')
          .selectAll()
          .where('provider', '=', provider)
          .execute()
      ).length;

    it('have the least that their type needs, and the usual for all else', async () => {
      const { result: types } = await test.get(path('GetTypes'), { token });
      assert.deepEqual(types.map(({ type }) => type).toSorted(), Object.keys(least).toSorted());
      for (const { type, needs, may } of types) {
        const { clientSecret, privateKey, ...shown } = Object(least[type]);
        const { id, createdAt, ...made } = await create(type);
        const endpoints = type === 'oauth2' ? { ...ENDPOINTS, emails: null } : null;
        assert.deepEqual(made, {
          type,
          name: type,
          displayName: type,
          isEnabled: true,
          clientId: `${type}-client`,
          hasClientSecret: clientSecret !== undefined,
          hasPrivateKey: privateKey !== undefined,
          isReplacedByCode: false,
          warnings: [],
          redirectUri: `${ISSUER}/login/external/${type}`,
          issuer: null,
          tenant: null,
          scopes: [],
          authorizationParameters: {},
          claims: {},
          emailTrust: 'verified',
          allowedDomains: [],
          registersNewUsers: true,
          roleForNewUsers: null,
          secretExpiresAt: null,
          teamId: null,
          keyId: null,
          ...shown,
          endpoints,
        });
        assert.deepEqual(await get(id), { id, createdAt, ...made, externalLogins: 0 });
        for (const member of needs) {
          const answer = await post({ type, name: 'x', clientId: 'x', ...least[type], [member]: null });
          assertRefused(answer, 400, 'request.invalid', [type, member]);
          assert.deepEqual(membersOf(answer), [member]);
        }
        const others: Record<string, unknown> = {
          ...Object.assign({}, ...Object.values(least)),
          claims: { providerKey: 'oid' },
        };
        for (const [member, value] of Object.entries(others)) {
          if ([...needs, ...may].some((one) => one === member)) continue;
          const answer = await post({ type, name: 'x', clientId: 'x', ...least[type], [member]: value });
          assertRefused(answer, 400, 'request.invalid', [type, member]);
          assert.deepEqual(membersOf(answer), [member]);
        }
      }
      const { items } = (await test.get(path('GetAll'), { token })).result;
      assert.deepEqual(
        items.map(({ type }) => type),
        types.map(({ type }) => type),
      );
    });

    it('keep all that an administrator chooses, also when they change', async () => {
      await test.post(`${API}/Role/Create`, { token, body: { name: 'Staff' } });
      const chosen = {
        name: 'Acme Söhne',
        displayName: 'Acme & Söhne <b>',
        isEnabled: false,
        issuer: 'https://id.acme.example/',
        scopes: ['openid', 'profile'],
        authorizationParameters: { prompt: 'select_account', hd: 'acme.example' },
        claims: { providerKey: 'employee', emailAddress: 'mail' },
        emailTrust: 'always',
        allowedDomains: ['acme.example'],
        registersNewUsers: false,
        roleForNewUsers: 'Staff',
        secretExpiresAt: '2030-01-31T12:00:00.000Z',
      };
      const made = await create('oidc', { ...chosen, clientSecret: 'a secret' });
      assert.deepEqual(made, { ...made, ...chosen, hasClientSecret: true });
      assert.equal(made.redirectUri, `${ISSUER}/login/external/Acme%20S%C3%B6hne`);
      assert.deepEqual(await update(made.id.toUpperCase(), { displayName: 'Acme' }), { ...made, displayName: 'Acme' });
      // As a page sends it: all that it has, and empty fields for secrets.
      const { hasClientSecret: _, hasPrivateKey: __, redirectUri: ___, createdAt: ____, ...sent } = made;
      assert.deepEqual(await update(made.id, { ...sent, clientSecret: '', privateKey: '' }), made);
      const changed = await update(made.id, {
        clientSecret: null,
        claims: { providerKey: '', name: 'given' },
        allowedDomains: ['@EXAMPLE.org', 'bücher.example.', 'example.ORG'],
        roleForNewUsers: 'staff',
        secretExpiresAt: null,
        authorizationParameters: {},
        isEnabled: true,
      });
      assert.deepEqual(
        [changed.hasClientSecret, changed.claims, changed.allowedDomains, changed.roleForNewUsers],
        [false, { name: 'given' }, ['example.org', 'xn--bcher-kva.example'], 'Staff'],
      );
      assert.deepEqual([changed.secretExpiresAt, changed.authorizationParameters], [null, {}]);
      assert.deepEqual(await get(made.id), { ...changed, externalLogins: 0 });
      const microsoft = await create('microsoft', { tenant: TENANT.toUpperCase() });
      assert.equal(microsoft.tenant, TENANT);
      const apple = await create('apple', { privateKey: ec('P-256', 'sec1') });
      const opened = await test.service.externalProviders.open(apple.id);
      assert.match(opened.privateKey ?? '', /^-----BEGIN PRIVATE KEY-----\n/);
      const gitlab = await create('gitlab', { issuer: 'https://git.acme.example' });
      const moved = await update(gitlab.id, { issuer: null, clientSecret: 'gitlab-canary' });
      assert.equal(moved.issuer, null);
    });

    it('are refused with what is wrong', async () => {
      for (const [type, more, member] of wrong) {
        const answer = await post({ type, name: type, clientId: 'x', ...least[type], ...more });
        assertRefused(answer, 400, 'request.invalid', more);
        assert.ok(membersOf(answer)?.includes(member), `${JSON.stringify(more)}: ${answer.text}`);
        assert.ok(!answer.text.includes('PRIVATE KEY') && !answer.text.includes('-canary'));
      }
      assert.deepEqual(await test.service.externalProviders.readAll(), []);
      const shared = await post({ type: 'microsoft', name: 'm', clientId: 'x', clientSecret: 'y', tenant: 'common' });
      assert.match(shared.error.details, /one provider for each tenant/);
    });

    it('warn of a key that changes, and of a maker that has a type of its own', async () => {
      for (const providerKey of ['email', 'UPN', 'preferred_username']) {
        const { id, warnings } = await create('oidc', { claims: { providerKey } });
        assert.match(warnings.join(), new RegExp(`^The key "${providerKey}" can change`));
        assert.deepEqual((await update(id, { claims: { providerKey: 'oid' } })).warnings, []);
        await remove(id);
      }
      const others: [type: string, more: object, maker: string][] = [
        ['oidc', { issuer: `https://login.microsoftonline.com/${TENANT}/v2.0` }, 'Microsoft'],
        ['oidc', { issuer: 'https://accounts.google.com' }, 'Google'],
        ['gitlab', { issuer: 'https://appleid.apple.com' }, 'Apple'],
        [
          'oauth2',
          { endpoints: { ...ENDPOINTS, authorization: 'https://github.com/login/oauth/authorize' } },
          'GitHub',
        ],
      ];
      // The key of people whom an import has from Entra ID.
      const [[, entra] = assert.fail()] = others;
      const { id: entraId, warnings: none } = await create('oidc', { ...entra, claims: { providerKey: 'oid' } });
      assert.deepEqual(none, []);
      await remove(entraId);
      for (const [type, more, maker] of others) {
        const { id, warnings } = await create(type, more);
        assert.match(warnings.join(), new RegExp(`^This is an address of "${maker}".* of the type "${maker}" instead`));
        await remove(id);
      }
    });

    it('keep their type and name, which no other has in any spelling', async () => {
      const { id } = await create('oidc', { name: 'Straße' });
      for (const name of ['STRASSE', 'straße', 'Strasse', 'ACME', 'acme', 'Ａｃｍｅ']) {
        assertRefused(
          await post({ type: 'oidc', name, clientId: 'x', ...least.oidc }),
          409,
          'externalProvider.nameTaken',
        );
      }
      for (const [member, value] of Object.entries({ type: 'google', name: 'Another' })) {
        const answer = await put(id, { [member]: value });
        assertRefused(answer, 400, 'request.invalid');
        assert.deepEqual(membersOf(answer), [member]);
      }
      await update(id, { type: 'oidc', name: 'Straße' });
      assertRefused(await put(MISSING, { displayName: 'x' }), 404, 'externalProvider.notFound');
      assertRefused(await test.get(path('Get'), { token, query: { id: MISSING } }), 404, 'externalProvider.notFound');
      assertRefused(await remove(MISSING), 404, 'externalProvider.notFound');
      const missing = { token, body: { id: MISSING } };
      assertRefused(await test.post(path('Test'), missing), 404, 'externalProvider.notFound');
    });

    it('have a name that no other has, however many ask for it at once', async () => {
      const tries = Array.from({ length: PARALLEL }, (_, index) =>
        post(
          { type: 'oidc', name: index % 3 ? 'Race' : 'RACE', clientId: `c${index}`, ...least.oidc },
          token,
          index % 2 ? setUp.here : setUp.there,
        ),
      );
      const refused = (await Promise.all(tries)).filter(({ status }) => status !== 200);
      assert.equal(refused.length, PARALLEL - 1);
      for (const answer of refused) assertRefused(answer, 409, 'externalProvider.nameTaken');
    });

    it('are at most as many as the service allows, also when the last ones come together', async () => {
      const rows = Array.from({ length: MOST - 2 }, (_, index) => ({
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        type: 'oidc',
        name: `full${index}`,
        name_key: `full${index}`,
        settings: JSON.stringify({ scopes: [], allowedDomains: [], claims: {}, authorizationParameters: {} }),
        is_enabled: 1 as const,
        client_id: 'x',
        created_at: test.clock.now(),
      }));
      const { database } = test.service;
      await database.sql.insertInto('external_provider').values(rows).execute();
      const tries = Array.from({ length: 6 }, (_, index) =>
        post(
          { type: 'oidc', name: `last${index}`, clientId: 'x', ...least.oidc },
          token,
          index % 2 ? setUp.here : setUp.there,
        ),
      );
      const outcomes = (await Promise.all(tries)).map(({ status, error }) => (status === 200 ? 200 : error.reason));
      assert.equal(outcomes.filter((one) => one === 200).length, 2);
      assert.deepEqual(new Set(outcomes), new Set([200, 'externalProvider.tooMany']));
      await database.sql.deleteFrom('external_provider').execute();
    });

    it('are known on every node with their secrets, which no copy of them has', async () => {
      const { id } = await create('google');
      const { externalProviders } = setUp.there.service;
      const find = () => externalProviders.list().find((one) => one.id === id);
      await until(() => find() !== undefined);
      const known = find() ?? assert.fail();
      assert.deepEqual([known.clientSecret, known.privateKey], ['google-canary', null]);
      assert.ok(!JSON.stringify([known, { ...known }]).includes('canary'));
      await update(id, { clientSecret: 'another-canary', isEnabled: false });
      await until(() => find()?.isEnabled === false);
      assert.equal(find()?.clientSecret, 'another-canary');
      await remove(id);
      await until(() => find() === undefined);
    });

    it('can be disabled when an address of theirs is not allowed any more', async () => {
      const { id } = await create('oidc', { issuer: 'https://sso.example.com' });
      const { sql } = test.service.database;
      const stored = sql.selectFrom('external_provider').select('settings').where('id', '=', id);
      const { settings } = await stored.executeTakeFirstOrThrow();
      const moved = { settings: settings.replace('sso.example.com', '10.0.0.1') };
      await sql.updateTable('external_provider').set(moved).where('id', '=', id).execute();
      for (const changes of [{ displayName: 'SSO' }, { displayName: 'SSO', isEnabled: false }])
        assertRefused(await put(id, changes), 400, 'request.invalid');
      const { isEnabled, issuer } = await update(id, { isEnabled: false });
      assert.deepEqual([isEnabled, issuer], [false, 'https://10.0.0.1']);
      assertRefused(await put(id, { isEnabled: true }), 400, 'request.invalid');
      await remove(id);
    });

    it('do not become those of another issuer while people are linked to them', async () => {
      const [ann, bob] = [await accounts.add(), await accounts.add()];
      const changes: [string, object, object][] = [
        ['oidc', { issuer: 'https://evil.example' }, { clientSecret: 'new', scopes: ['openid'] }],
        ['oidc', { claims: { providerKey: 'email' } }, { claims: { emailAddress: 'mail' } }],
        ['microsoft', { tenant: MISSING }, { clientId: 'new' }],
        ['oauth2', { endpoints: { ...ENDPOINTS, userinfo: 'https://evil.example' } }, { endpoints: ENDPOINTS }],
        ['gitlab', { issuer: 'https://evil.example' }, { isEnabled: false }],
      ];
      for (const [type, identity, other] of changes) {
        const { id } = await create(type);
        await link(ann.id, type, '1');
        await link(bob.id, type, '2');
        const refused = await put(id, identity);
        assertRefused(refused, 409, 'externalProvider.hasLogins', identity);
        assert.match(refused.error.details, /There are 2 external logins of this provider/);
        await update(id, other);
        await test.service.database.sql.deleteFrom('external_login').execute();
        await update(id, { clientSecret: 'new', ...identity });
        await remove(id);
      }
      await link(ann.id, 'Former', '1');
      const former = { type: 'oidc', name: 'Former', clientId: 'x', ...least.oidc } as const;
      const refused = await post(former);
      assertRefused(refused, 409, 'externalProvider.hasLogins');
      assert.match(
        refused.error.details,
        /There is 1 external login of this name, of a former provider or of an import\..*--keep-logins/,
      );
      const { externalProviders } = test.service;
      await externalProviders.create(former, operator('test'), { keepsLogins: true });
      assert.equal(await logins('Former'), 1);
    });

    it('take the external logins and the sessions of their people with them', async () => {
      const { id } = await create('oidc', { name: 'Gone' });
      const [ann, bob, eve] = [await accounts.add(), await accounts.add(), await accounts.add()];
      await link(ann.id, 'Gone', '1');
      await link(ann.id, 'Gone', '2');
      await link(bob.id, 'Gone', '3');
      await link(eve.id, 'Other', '1');
      const tokens = [];
      for (const account of [ann, ann, bob, eve]) tokens.push(await accounts.open(account));
      assert.equal((await remove(id)).status, 200);
      assert.deepEqual([await logins('Gone'), await logins('Other')], [0, 1]);
      const statuses = [];
      for (const one of tokens) statuses.push((await test.get(`${API}/Session/GetAll`, { token: one })).status);
      assert.deepEqual(statuses, [401, 401, 401, 200]);
      const { result } = await test.get(`${API}/Audit/GetAll`, { token, query: { maxResultCount: 1 } });
      assert.deepEqual(
        result.items.map(({ action, details }) => [action, details]),
        [['externalProvider.deleted', { provider: 'Gone', kind: 'oidc', externalLogins: 3 }]],
      );
      await create('oidc', { name: 'Gone' });
    });

    it('leave the external logins to a provider of code that has taken their name', async () => {
      const { id } = await create('oidc', { name: 'Moved' });
      const names = { name: 'Acme', name_key: 'acme' };
      await test.service.database.sql.updateTable('external_provider').set(names).where('id', '=', id).execute();
      const ann = await accounts.add();
      await link(ann.id, 'Acme', '1');
      const opened = await accounts.open(ann);
      const { isReplacedByCode, externalLogins } = await get(id);
      assert.deepEqual({ isReplacedByCode, externalLogins }, { isReplacedByCode: true, externalLogins: 0 });
      assert.equal((await remove(id)).status, 200);
      assert.equal(await logins('Acme'), 1);
      assert.equal((await test.get(`${API}/Session/GetAll`, { token: opened })).status, 200);
    });

    it('give no more than the administrator holds, and take nothing from accounts that hold more', async () => {
      await test.post(`${API}/Role/Create`, {
        token,
        body: { name: 'Maintainer', grantedPermissions: ['pages:maintenance'] },
      });
      await test.post(`${API}/Role/Create`, { token, body: { name: 'Clerk', grantedPermissions: ['Invoices.Read'] } });
      const maintainer = await accounts.open(await accounts.add(['Maintainer']));
      const input = { type: 'oidc', name: 'Staff', clientId: 'x', ...least.oidc };
      assertRefused(await post({ ...input, roleForNewUsers: 'UserManager' }, maintainer), 403, 'permission.denied');
      const { id } = (await post({ ...input, roleForNewUsers: 'clerk' }, maintainer)).result;
      assert.equal((await get(id)).roleForNewUsers, 'Clerk');
      assertRefused(await put(id, { roleForNewUsers: 'Administrator' }, maintainer), 403, 'permission.denied');
      await update(id, { roleForNewUsers: 'Administrator' });
      for (const changes of [{ emailTrust: 'always' }, { roleForNewUsers: null }, { issuer: 'https://evil.example' }]) {
        assertRefused(await put(id, changes, maintainer), 403, 'permission.denied', changes);
      }
      await update(id, { roleForNewUsers: null });
      const admin = await accounts.add(['Administrator']);
      await link(admin.id, 'Staff', '1');
      assertRefused(await remove(id, maintainer), 403, 'permission.denied');
      assert.equal(await logins('Staff'), 1);
      await test.service.database.sql.deleteFrom('external_login').execute();
      assert.equal((await remove(id, maintainer)).status, 200);
    });

    it('are for administrators of the service alone', async () => {
      const { id } = await create('oidc');
      const manager = await accounts.open(await accounts.add(['UserManager']));
      for (const [by, status] of [
        [manager, 403],
        [null, 401],
      ] as const) {
        const call = { token: by };
        const answers = [
          await test.get(path('GetTypes'), call),
          await test.get(path('GetAll'), call),
          await test.get(path('Get'), { ...call, query: { id } }),
          await test.get(path('GetHistory'), { ...call, query: { id } }),
          await test.post(path('Create'), { ...call, body: { type: 'oidc', name: 'x', clientId: 'x', ...least.oidc } }),
          await test.send('PUT', path('Update'), { ...call, body: { id } }),
          await test.send('DELETE', path('Delete'), { ...call, query: { id } }),
          await test.post(path('Test'), { ...call, body: { id } }),
        ];
        assert.deepEqual(
          answers.map((answer) => answer.status),
          answers.map(() => status),
        );
      }
    });

    it('tell their history, in which a change can be undone, and no secret stands', async () => {
      const { id } = await create('oidc', {
        clientSecret: 'first-canary',
        secretExpiresAt: '2030-01-31T12:00:00.000Z',
      });
      const readHistory = async () => (await test.get(path('GetHistory'), { token, query: { id } })).result.items;
      assert.deepEqual(await readHistory(), []);
      await update(id, { scopes: ['openid'], claims: { name: 'given' }, isEnabled: false });
      await update(id, { scopes: ['openid'], clientSecret: 'first-canary' });
      test.clock.advance(1);
      await update(id, { clientSecret: 'second-canary', secretExpiresAt: null });
      const [second, first, ...others] = await readHistory();
      assert.deepEqual(others, [], 'a change of nothing is none');
      const at = (seconds: number) => new Date(test.clock.now() - seconds * 1000).toISOString();
      assert.deepEqual(second, {
        ...{ number: 2, at: at(0), by: 'admin' },
        changes: [
          { member: 'clientSecret', oldValue: null, newValue: null },
          { member: 'secretExpiresAt', oldValue: '2030-01-31T12:00:00.000Z', newValue: null },
        ],
      });
      assert.deepEqual([first?.number, first?.at, first?.by], [1, at(1), 'admin']);
      const changes = new Map(first?.changes.map(({ member, ...values }) => [member, values]));
      assert.deepEqual(Object.fromEntries(changes), {
        scopes: { oldValue: [], newValue: ['openid'] },
        claims: { oldValue: {}, newValue: { name: 'given' } },
        isEnabled: { oldValue: true, newValue: false },
      });
      const former = Object.fromEntries([...changes].map(([member, { oldValue }]) => [member, oldValue]));
      const { scopes, claims, isEnabled } = await update(id, former);
      assert.deepEqual({ scopes, claims, isEnabled }, former);
      assert.ok(!JSON.stringify(await readHistory()).includes('canary'));
      const missing = { token, query: { id: MISSING } };
      assertRefused(await test.get(path('GetHistory'), missing), 404, 'externalProvider.notFound');
      await remove(id);
      assertRefused(await test.get(path('GetHistory'), { token, query: { id } }), 404, 'externalProvider.notFound');
    });

    it('tell their history as they are read, in whatever order the members came', async () => {
      const { id } = await create('oauth2');
      const { authorization, token: tokens, userinfo } = ENDPOINTS;
      await update(id, {
        endpoints: { userinfo: `${userinfo}/2`, token: tokens, authorization },
        claims: { surname: 'family', providerKey: 'id' },
      });
      const { endpoints, claims } = await get(id);
      const [last] = (await test.get(path('GetHistory'), { token, query: { id } })).result.items;
      const values = new Map(last?.changes.map(({ member, newValue }) => [member, newValue]));
      // A page compares the texts, before it undoes a change.
      assert.equal(
        JSON.stringify([endpoints, claims]),
        JSON.stringify(['endpoints', 'claims'].map((one) => values.get(one))),
      );
    });

    it('lose a role that is deleted', async () => {
      const { result: role } = await test.post(`${API}/Role/Create`, { token, body: { name: 'Temp' } });
      const { id } = await create('oidc', { roleForNewUsers: 'Temp' });
      const { externalProviders } = setUp.there.service;
      await until(() => externalProviders.list()[0]?.roleForNewUsers === 'Temp');
      await test.send('DELETE', `${API}/Role/Delete`, { token, query: { id: role.id } });
      assert.equal((await get(id)).roleForNewUsers, null);
      await until(() => externalProviders.list()[0]?.roleForNewUsers === null);
      const { items } = (await test.get(path('GetHistory'), { token, query: { id } })).result;
      const change = { member: 'roleForNewUsers', oldValue: 'Temp', newValue: null };
      assert.deepEqual([items[0]?.by, items[0]?.changes], [null, [change]]);
      assertRefused(await put(id, { roleForNewUsers: 'Temp' }), 400, 'request.invalid');
    });

    it('are tried without a change', async () => {
      const { id } = await create('oidc');
      const { status, result } = await test.post(path('Test'), { token, body: { id } });
      assert.equal(status, 200);
      assert.ok(Array.isArray(result.steps));
      const { items } = (await test.get(`${API}/Audit/GetAll`, { token, query: { maxResultCount: 1 } })).result;
      assert.equal(items[0]?.action, 'externalProvider.created');
    });

    it('leave their secrets in no answer, table, entry and line of the log', async () => {
      const google = await create('google');
      const apple = await create('apple');
      await update(google.id, { clientSecret: 'second-canary', scopes: ['openid'] });
      const other = ec('P-256');
      await update(apple.id, { privateKey: other });
      const { result } = await test.get(`${API}/Audit/GetAll`, { token, query: { maxResultCount: 4 } });
      const named = ({ name, type }: { name: string; type: string }) => ({ provider: name, kind: type });
      assert.deepEqual(
        result.items.map(({ action, details }) => [action, details]),
        [
          ['externalProvider.updated', { ...named(apple), changed: 'privateKey', isEnabled: true }],
          ['externalProvider.updated', { ...named(google), changed: 'scopes clientSecret', isEnabled: true }],
          ['externalProvider.created', named(apple)],
          ['externalProvider.created', named(google)],
        ],
      );
      const answers = [google, apple, await get(google.id), await get(apple.id)];
      answers.push(...(await test.get(path('GetAll'), { token })).result.items);
      const changes = await sql`select * from external_provider_change`.execute(test.service.database.sql);
      assert.equal(changes.rows.length, 2);
      const rows = await sql`select * from external_provider`.execute(test.service.database.sql);
      const trail = await sql`select * from audit`.execute(test.service.database.sql);
      const all = JSON.stringify([answers, rows.rows, changes.rows, trail.rows, test.logs, test.printed]);
      const keyLines = [P256, other].map((key) => key.split('\n')[1]);
      for (const secret of ['google-canary', 'second-canary', ...keyLines]) assert.ok(secret && !all.includes(secret));
    });
  });
}
