// Attacks by a change of a registered provider: while a person is there, to read its stored secret, or to verify an address.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { createTestAccounts } from '../support/accounts.ts';
import { assertRefused } from '../support/answers.ts';
import { enginesAtLength } from '../support/databases.ts';
import { ACME_ENDPOINTS, CLIENT_ID, CLIENT_SECRET, PLAIN_SECRET } from '../support/makers.ts';
import { type Person, startProviderWorld, type World } from '../support/provider-world.ts';
import { types } from '../support/registered-types.ts';
import { startTestService, type TestService } from '../support/service.ts';

const path = <Name extends string>(name: Name) => `/api/services/app/ExternalProvider/${name}` as const;
const BY_CODE = '/api/TokenAuth/ExternalAuthenticateByCode';
const ISSUER = 'https://sso.acme.example/realms/staff';
const OTHER = 'https://gitlab.com';

for (const engine of enginesAtLength) {
  describe(`a registered provider that changes, on ${engine}`, () => {
    let world: World;
    let test: TestService;
    let token: string;
    let number = 0;
    before(async () => {
      world = await startProviderWorld();
      test = await startTestService(engine, { egress: world.egress });
      token = await test.admin();
    });
    after(async () => {
      await test.close();
      await world.close();
    });
    afterEach(() => world.behave());

    async function register(type = 'oidc', by = token): Promise<{ id: string; name: string }> {
      number += 1;
      const body = { type, name: `${type} ${number}`, clientId: CLIENT_ID, ...types[type]?.row };
      const answer = await test.post(path('Create'), { token: by, body });
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    }

    const put = (id: string, changes: object, by = token) =>
      test.send('PUT', path('Update'), { token: by, body: { id, ...changes } });
    async function update(id: string, changes: object, by = token) {
      const answer = await put(id, changes, by);
      assert.equal(answer.status, 200, answer.text);
    }
    const move = (id: string) => update(id, { issuer: OTHER, clientSecret: PLAIN_SECRET });

    async function begin(name: string): Promise<{ address: string; request: string }> {
      const body = { name, redirectUri: 'https://id.example.com/login/external/here' };
      const answer = await test.post('/api/services/app/ExternalLogin/Begin', { body });
      assert.equal(answer.status, 200, answer.text);
      return { ...answer.result, request: answer.result.request ?? assert.fail('no request') };
    }

    async function come(name: string, person: Person) {
      const { address, request } = await begin(name);
      return test.post(BY_CODE, { body: { authProvider: name, request, ...world.visit(address, person) } });
    }

    /** A person whom both providers know by the same key. Only userinfo has the names. */
    const personOf = (mailbox: string): Person => ({
      claims: { sub: `key-${number}`, email: `${mailbox}${number}@acme.example`, email_verified: true },
      userinfo: { given_name: 'Ann', family_name: 'Lee' },
    });

    const sessions = async () => (await test.service.database.sql.selectFrom('session').selectAll().execute()).length;

    it('opens to a key of the former provider no account of the same key at the present one', async () => {
      const { id, name } = await register();
      world.answer(`${ISSUER}/userinfo`, async () => {
        await move(id);
        assert.equal((await come(name, personOf('victim'))).status, 200);
        return { body: { sub: `key-${number}`, given_name: 'Eve', family_name: 'Ill' } };
      });
      const before = await sessions();
      assertRefused(await come(name, personOf('eve')), 401, 'external.couldNotValidate');
      assert.equal(await sessions(), before + 1, 'that of the victim');
    });

    it('signs no linked person in who was identified before it was disabled', async () => {
      const { id, name } = await register();
      const ann = personOf('ann');
      assert.equal((await come(name, ann)).status, 200);
      world.answer(`${ISSUER}/userinfo`, async () => {
        await update(id, { isEnabled: false });
        return { body: { sub: `key-${number}`, given_name: 'Ann', family_name: 'Lee' } };
      });
      assertRefused(await come(name, ann), 401, 'external.couldNotValidate');
    });

    it('takes no answer to a request that its former issuer got while it changed', async () => {
      const { id, name } = await register();
      world.answer(`${ISSUER}/.well-known/openid-configuration`, async () => {
        await move(id);
        const endpoints = { authorization_endpoint: `${ISSUER}/auth`, token_endpoint: `${ISSUER}/token` };
        return { body: { issuer: ISSUER, ...endpoints, jwks_uri: `${ISSUER}/certs` } };
      });
      const { address, request } = await begin(name);
      assert.equal(new URL(address).origin, new URL(ISSUER).origin);
      const { iss: _, ...brought } = world.visit(address, personOf('ann'));
      const before = world.asked.length;
      const answer = await test.post(BY_CODE, { body: { authProvider: name, request, ...brought } });
      assertRefused(answer, 401, 'external.couldNotValidate');
      assert.deepEqual(world.asked.slice(before), [], 'the code went nowhere');
    });

    it('verifies no address of a new account while an administrator without all permissions has changed it', async () => {
      const accounts = await createTestAccounts(test);
      for (const grantedPermissions of [['pages:maintenance'], ['pages:maintenance', 'Pages.Users']]) {
        const body = { name: `Role ${number}`, grantedPermissions };
        assert.equal((await test.post('/api/services/app/Role/Create', { token, body })).status, 200);
        const maintainer = await accounts.open(await accounts.add([body.name]));
        const { id, name } = await register('oidc', maintainer);
        let people = 0;
        const isVerified = async () => {
          people += 1;
          const email = `boss${people}.${number}@company.example`;
          const claims = { sub: email, email, email_verified: true };
          const answer = await come(name, { claims, userinfo: { given_name: 'Ann', family_name: 'Lee' } });
          assert.equal(answer.status, 200, answer.text);
          const query = { id: answer.result.userId ?? 0 };
          const { result } = await test.get('/api/services/app/User/Get', { token, query });
          assert.equal(result.emailAddress, email);
          return result.isEmailConfirmed;
        };
        assert.equal(await isVerified(), false);
        await update(id, { clientSecret: 'another secret', secretExpiresAt: '2030-01-01T00:00:00.000Z' });
        await update(id, { clientSecret: CLIENT_SECRET });
        assert.equal(await isVerified(), false, 'an administrator with all permissions has replaced its secret alone');
        await update(id, {});
        assert.equal(await isVerified(), true, 'an administrator with all permissions has saved it');
        await update(id, {}, maintainer);
        assert.equal(await isVerified(), true, 'nothing has changed');
        await update(id, { clientSecret: CLIENT_SECRET }, maintainer);
        assert.equal(await isVerified(), true, 'it was its secret already');
        await update(id, { displayName: 'Staff' }, maintainer);
        assert.equal(await isVerified(), false);
        await update(id, {});
        assert.equal(await isVerified(), true);
        const history = await test.get(path('GetHistory'), { token, query: { id } });
        assert.equal(history.result.items.length, 3, 'to save it as it is leaves no change there');
        assert.doesNotMatch(JSON.stringify([history, await test.get(path('GetAll'), { token })]), /untrusted/i);
      }
    });

    const moves: [type: string, moved: object, stays: object][] = [
      ['oidc', { issuer: OTHER }, { scopes: ['openid', 'email'] }],
      ['gitlab', { issuer: ISSUER }, { clientId: 'another' }],
      [
        'oauth2',
        { endpoints: { ...ACME_ENDPOINTS, token: `${ISSUER}/token` } },
        { endpoints: { ...ACME_ENDPOINTS, userinfo: `${ISSUER}/userinfo` } },
      ],
    ];
    for (const [type, moved, stays] of moves) {
      it(`sends its stored secret to no other address: ${type}`, async () => {
        const { id } = await register(type);
        const refused = await put(id, moved);
        assertRefused(refused, 400, 'request.invalid');
        assert.deepEqual(refused.error.validationErrors?.[0]?.members, ['clientSecret']);
        await update(id, stays);
        const before = world.asked.length;
        await test.post(path('Test'), { token, body: { id } });
        const there = new URL(type === 'oidc' ? OTHER : ISSUER).origin;
        assert.ok(world.asked.slice(before).every(({ url }) => url.origin !== there || url.pathname.endsWith('info')));
        await update(id, { ...moved, clientSecret: CLIENT_SECRET });
      });
    }
  });
}
