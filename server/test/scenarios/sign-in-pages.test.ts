// The pages of providers, as the sign-in page requests them: Acme of the guide, and a real OpenID provider.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Acme, startAcme } from '../support/acme.ts';
import { assertEnvelope, assertRefused } from '../support/answers.ts';
import {
  clients,
  type OpenidProvider,
  registrationOf,
  startOpenidProvider,
  toAccessCode,
} from '../support/openid-provider.ts';
import { createTestProvider } from '../support/providers.ts';
import { startTestService, type TestCall, type TestService } from '../support/service.ts';

const LIST = '/api/services/app/ExternalLogin/GetSignInPages';
const FIND = '/api/services/app/ExternalLogin/GetSignInPage';
const SECONDS = 10;

describe('the sign-in pages of providers', () => {
  let acme: Acme;
  let company: OpenidProvider;
  let test: TestService;
  const plain = createTestProvider('Plain');
  before(async () => {
    acme = await startAcme();
    company = await startOpenidProvider();
    const providers = [plain.info, acme.provider, registrationOf(company.issuer)];
    test = await startTestService('sqlite', { additions: { providers } });
  });
  afterEach(() => {
    company.recover();
    test.clock.advance(SECONDS);
  });
  after(async () => {
    await test.close();
    await company.stop();
    await acme.server.stop();
  });

  const find = (name: string, call: TestCall = {}) => test.get(FIND, { query: { name }, ...call });
  const discoveries = () => company.requests.filter((request) => request.endsWith('/openid-configuration')).length;
  const companyPage = () => ({ address: `${company.issuer}/auth`, clientId: clients.latchkey.clientId });

  it('are listed for providers that have one, without calling any; the list of all providers stays the same', async () => {
    const listed = await test.get(LIST);
    assertEnvelope(listed);
    assert.deepEqual(listed.result, {
      items: [
        { name: 'Acme', displayName: 'Acme', icon: null },
        { name: 'latchkey', displayName: 'latchkey', icon: null },
      ],
    });
    const all = await test.get('/api/TokenAuth/GetExternalAuthenticationProviders');
    assert.deepEqual(
      all.result,
      [plain.info, acme.provider, clients.latchkey].map(({ clientId }, place) => ({
        name: ['Plain', 'Acme', 'latchkey'][place],
        clientId,
        displayName: ['Plain', 'Acme', 'latchkey'][place],
      })),
    );
    assert.equal(discoveries(), 0);
  });

  it('come from the class, or from the metadata of an OpenID provider; nothing more is returned', async () => {
    const found = await find('Acme');
    assertEnvelope(found);
    assert.deepEqual(found.result, { address: `${acme.server.url}/sign-in`, clientId: acme.server.clientId });
    assert.deepEqual((await find('latchkey')).result, companyPage());
  });

  it('are requested by exact name, of providers that have one', async () => {
    for (const name of ['Plain', 'acme', 'Acme ', 'nobody', '__proto__']) {
      assertRefused(await find(name), 400, 'external.unknownProvider', name);
    }
    for (const query of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'a\u0000b' }]) {
      assertRefused(await test.get(FIND, { query: query as Record<string, string> }), 400, 'request.invalid', query);
    }
  });

  it('are read together with the metadata that the sign-in needs, which requests no more', async () => {
    company.people.set('ann-1', { email: 'ann@example.com', email_verified: true, given_name: 'Ann' });
    assert.deepEqual((await find('latchkey')).result, companyPage());
    const before = discoveries();
    const providerAccessCode = toAccessCode(await company.signIn('ann-1'));
    const body = { authProvider: 'latchkey', providerKey: 'ann-1', providerAccessCode };
    assert.equal((await test.post('/api/TokenAuth/ExternalAuthenticateAsync', { body })).status, 200);
    assert.equal(discoveries(), before);
  });

  it('cost a provider one request in ten seconds, however many callers there are, also while it fails', async () => {
    for (const fails of [false, true]) {
      test.clock.advance(SECONDS);
      const before = discoveries();
      if (fails) company.fail('/.well-known', 503);
      const answers = await Promise.all(Array.from({ length: 30 }, () => find('latchkey')));
      answers.push(await find('latchkey'));
      const expected = fails ? 'external.unavailable' : `${company.issuer}/auth`;
      assert.deepEqual([...new Set(answers.map(({ result, error }) => error?.reason ?? result.address))], [expected]);
      assert.equal(discoveries(), before + 1);
    }
    const errors = test.logs.filter((line) => line.includes('"level":"error"'));
    assert.equal(errors.length, 1, 'only the request that asked says why it failed');
    assert.match(errors[0] ?? '', /OpenID provider http:\/\/127\.0\.0\.1:\d+, discovery: .*\(503\)/);
  });

  it('are back when the provider is, and a hanging provider delays them by ten seconds at most', async () => {
    const { reached, left } = company.fail('/.well-known', 'hang');
    const pending = find('latchkey');
    await reached;
    test.clock.advance(SECONDS);
    assertRefused(await pending, 502, 'external.unavailable');
    await left;
    company.recover();
    assert.deepEqual((await find('latchkey')).result, companyPage());
  });

  it('use no budget: any page can make its visitors request them', async () => {
    const ip = '192.0.2.7';
    for (let turn = 0; turn < 12; turn += 1) {
      const { status, headers } = await find('Acme', { ip });
      assert.deepEqual([status, headers.ratelimit], [200, undefined]);
    }
    const body = { name: 'Acme', redirectUri: 'https://app.example.com/return' };
    const begun = await test.post('/api/services/app/ExternalLogin/Begin', { body, ip });
    assert.equal(begun.headers.ratelimit, '"login";r=9;t=60', 'to begin uses the budget of sign-ins');
  });
});
