// Attacks by the sign-in address of a provider: hostile metadata and broken classes redirect no browser.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ExternalAuthProviderApiBase } from '../../src/providers/index.ts';
import { assertRefused } from '../support/answers.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-openid.ts';
import { registrationOf } from '../support/openid-provider.ts';
import { startTestService, type TestService } from '../support/service.ts';

const FIND = '/api/services/app/ExternalLogin/GetSignInPage';
const SECRET = 'canary secret & of the client';

/** Runs `run` with a service whose only provider, "Acme", returns `answer`. */
async function withAnswer(answer: (api: ExternalAuthProviderApiBase) => unknown, run: (test: TestService) => unknown) {
  class Api extends ExternalAuthProviderApiBase {
    override getSignInAddressAsync() {
      return answer(this) as Promise<string>;
    }
    async getUserInfoAsync() {
      return null;
    }
  }
  const providers = [{ name: 'Acme', clientId: 'id', clientSecret: SECRET, providerApiType: Api }];
  const test = await startTestService('sqlite', { additions: { providers } });
  try {
    await run(test);
  } finally {
    await test.close();
  }
}

const find = (test: TestService, name = 'Acme') => test.get(FIND, { query: { name } });

async function assertNowhere(test: TestService, name?: string) {
  const answer = await find(test, name);
  assertRefused(answer, 502, 'external.unavailable');
  assert.doesNotMatch(answer.text, /canary|evil/);
  const line = test.logs.findLast((one) => one.includes('could not be asked')) ?? '';
  assert.ok(line.includes(answer.error.traceId), 'the failure is logged');
  assert.doesNotMatch(test.logs.join(''), /canary/);
  assert.equal((await test.get('/health/ready')).status, 200);
}

describe('a provider class', () => {
  const answers: [what: string, answer: (api: ExternalAuthProviderApiBase) => unknown][] = [
    ['that sends people to a script', async () => 'javascript:fetch("//evil.example")'],
    ['that sends people to an address without TLS', async () => 'http://evil.example/sign-in'],
    ['that sends people to this service itself, by a path', async () => '/login'],
    [
      'that puts its secret into the address',
      async ({ providerInfo }) => `http://evil.example/?${providerInfo.clientSecret}`,
    ],
    ['that throws an error with its secret', ({ providerInfo }) => assert.fail(`x ${providerInfo.clientSecret} x`)],
    ['that rejects with undefined', () => Promise.reject(undefined)],
    ['that answers with an unreadable object', async () => new Proxy({}, { get: () => assert.fail('a trap') })],
    [
      'that answers with an object that only looks like a text',
      async () => ({ toString: () => 'https://evil.example' }),
    ],
  ];
  for (const [what, answer] of answers) {
    it(`${what}: 502`, () => withAnswer(answer, (test) => assertNowhere(test)));
  }

  it('that never answers: 502 after ten seconds', async () => {
    const asked = Promise.withResolvers<void>();
    const hang = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    await withAnswer(hang, async (test) => {
      const waiting = find(test);
      await asked.promise;
      test.clock.advance(10);
      assertRefused(await waiting, 502, 'external.unavailable');
    });
  });
});

describe('metadata of an OpenID provider', () => {
  let hostile: HostileProvider;
  let test: TestService;
  before(async () => {
    hostile = await startHostileProvider('latchkey');
    hostile.behave();
    test = await startTestService('sqlite', { additions: { providers: [registrationOf(hostile.issuer)] } });
  });
  after(async () => {
    await test.close();
    await hostile.stop();
  });

  const endpoints = [
    undefined,
    null,
    '',
    7,
    ['https://evil.example'],
    'javascript:alert(1)',
    'http://evil.example/auth',
  ];
  it('with a missing or unsafe sign-in address: 502, and the address once it is valid again', async () => {
    const page = { address: `${hostile.issuer}/auth`, clientId: 'latchkey' };
    assert.deepEqual((await find(test, 'latchkey')).result, page);
    for (const endpoint of endpoints) {
      test.clock.advance(10);
      const body = {
        issuer: hostile.issuer,
        token_endpoint: `${hostile.issuer}/token`,
        authorization_endpoint: endpoint,
      };
      hostile.answers['/.well-known/openid-configuration'] = () => ({ body });
      await assertNowhere(test, 'latchkey');
    }
    test.clock.advance(10);
    hostile.behave();
    assert.deepEqual((await find(test, 'latchkey')).result, page);
  });

  it('of another issuer: 502', async () => {
    test.clock.advance(10);
    const body = { issuer: 'https://evil.example', authorization_endpoint: 'https://evil.example/auth' };
    hostile.answers['/.well-known/openid-configuration'] = () => ({ body });
    await assertNowhere(test, 'latchkey');
  });
});
