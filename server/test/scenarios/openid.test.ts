// Sign-in through an OpenID provider: a real one, the base class of the extension API, and the guide's code as printed.
// Alone in its process: it stands in for a browser's globals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { decodeJwt } from 'jose';
import { OidcProviderApiBase } from '../../src/extensions/index.ts';
import { failure, writeExtension } from '../support/extensions.ts';
import { assertWellTyped } from '../support/guide.ts';
import {
  clients,
  type OpenidProvider,
  REDIRECT_URI,
  registrationOf,
  startOpenidProvider,
  toAccessCode,
} from '../support/openid-provider.ts';
import { callProcess, startProcess } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';

const root = join(import.meta.dirname, '../../..');
const ann = {
  email: 'ann@example.com',
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Lee',
  name: 'Dr. Ann Lee',
};

function signIn(service: TestService, providerKey: string, providerAccessCode: string, authProvider = 'latchkey') {
  const body = { authProvider, providerKey, providerAccessCode };
  return service.post('/api/TokenAuth/ExternalAuthenticateAsync', { body });
}

async function count(test: TestService, table: 'account' | 'external_login'): Promise<number> {
  return (await test.service.database.sql.selectFrom(table).selectAll().execute()).length;
}

/** Runs with a provider and a service that has it registered, and stops both. */
async function withProvider(
  options: Parameters<typeof startOpenidProvider>[0],
  run: (provider: OpenidProvider, service: TestService) => Promise<void>,
) {
  const provider = await startOpenidProvider(options);
  const service = await startTestService('sqlite', { additions: { providers: [registrationOf(provider.issuer)] } });
  try {
    await run(provider, service);
  } finally {
    await service.close();
    await provider.stop();
  }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`an OpenID provider, with ${engine}`, () => {
    let provider: OpenidProvider;
    let service: TestService;
    before(async () => {
      provider = await startOpenidProvider();
      service = await startTestService(engine, { additions: { providers: [registrationOf(provider.issuer)] } });
    });
    after(async () => {
      await service.close();
      await provider.stop();
    });

    it('creates an account at the first sign-in, and signs in at the second', async () => {
      provider.people.set('ann-1', ann);
      const first = await signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')));
      assert.equal(first.status, 200, first.text);
      const { amr, name, email } = decodeJwt(first.result.accessToken ?? '');
      assert.deepEqual({ amr, name, email }, { amr: ['ext'], name: 'Ann Lee', email: 'ann@example.com' });
      const token = first.result.accessToken;
      const { user } = (await service.get('/api/services/app/Session/GetCurrentLoginInfo', { token })).result;
      assert.deepEqual([user?.firstName, user?.lastName, user?.isEmailConfirmed], ['Ann', 'Lee', true]);

      provider.people.set('ann-1', { ...ann, email: 'ann@other.example' });
      const second = await signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')));
      assert.equal(second.status, 200, second.text);
      assert.equal(second.result.userId, first.result.userId);
    });

    it('creates one account, however many sign-ins of a new person come at once', async () => {
      provider.people.set('bob-2', { ...ann, email: 'bob@example.com' });
      const [accounts, links] = [await count(service, 'account'), await count(service, 'external_login')];
      const answers = await Promise.all(Array.from({ length: 20 }, () => provider.signIn('bob-2')));
      const tries = await Promise.all(answers.map((answer) => signIn(service, 'bob-2', toAccessCode(answer))));
      assert.deepEqual([...new Set(tries.map(({ status }) => status))], [200]);
      assert.equal(new Set(tries.map(({ result }) => result.userId)).size, 1);
      assert.deepEqual(
        [await count(service, 'account'), await count(service, 'external_login')],
        [accounts + 1, links + 1],
      );
    });

    it('refuses a deactivated account: 401, until it is active again', async () => {
      provider.people.set('dan-4', { ...ann, email: 'dan@example.com' });
      const enter = async () => signIn(service, 'dan-4', toAccessCode(await provider.signIn('dan-4')));
      const { userId: id } = (await enter()).result;
      const manage = async (action: string) => {
        const token = await service.admin();
        assert.equal(
          (await service.post(`/api/services/app/User/${action}`, { token, body: { userId: id } })).status,
          200,
        );
      };
      await manage('InactivateUser');
      const answer = await enter();
      assert.deepEqual([answer.status, answer.error?.reason], [401, 'signIn.notActive'], answer.text);
      await manage('ActivateUser');
      assert.equal((await enter()).result.userId, id);
    });

    it('does not lead to a local account with the same e-mail address: 409, and nothing is linked', async () => {
      await service.createUser('local', { emailAddress: 'local@example.com' });
      const [accounts, links] = [await count(service, 'account'), await count(service, 'external_login')];
      for (const [turn, email] of ['local@example.com', 'LOCAL@example.com'].entries()) {
        provider.people.set(`loc-${turn}`, { ...ann, email });
        const answer = await signIn(service, `loc-${turn}`, toAccessCode(await provider.signIn(`loc-${turn}`)));
        assert.deepEqual([answer.status, answer.error?.reason], [409, 'external.emailInUse'], answer.text);
      }
      assert.deepEqual([await count(service, 'account'), await count(service, 'external_login')], [accounts, links]);
    });

    it('requests metadata and keys once', async () => {
      provider.people.set('eve-3', { ...ann, email: 'eve@example.com' });
      const asked = provider.requests.length;
      const accessCode = toAccessCode(await provider.signIn('eve-3'));
      assert.equal((await signIn(service, 'eve-3', accessCode)).status, 200);
      const requests = provider.requests.slice(asked).filter((request) => !/\/(auth|interaction)/.test(request));
      assert.deepEqual(requests, ['POST /token Basic', 'GET /me Bearer']);
    });
  });
}

describe('an OpenID provider with its own rules', () => {
  it('returns only a code, to a front end that knows the key', () =>
    withProvider({}, async (provider, service) => {
      provider.people.set('ann-1', ann);
      const answer = await provider.signIn('ann-1', { flow: 'code' });
      assert.equal(answer.idToken, '');
      assert.equal(answer.iss, provider.issuer);
      assert.equal((await signIn(service, 'ann-1', toAccessCode(answer))).status, 200);
      const again = await provider.signIn('ann-1', { flow: 'code' });
      assert.equal((await signIn(service, 'ann-1', toAccessCode(again, { iss: undefined }))).status, 200);
    }));

  it('accepts clients without a secret', () =>
    withProvider({}, async (provider) => {
      provider.people.set('ann-1', ann);
      const providers = [registrationOf(provider.issuer, 'public')];
      const service = await startTestService('sqlite', { additions: { providers } });
      const accessCode = toAccessCode(await provider.signIn('ann-1', { client: 'public' }));
      assert.equal((await signIn(service, 'ann-1', accessCode, 'public')).status, 200);
      assert.ok(provider.requests.includes('POST /token'), 'without Authorization');
      await service.close();
    }));

  it('accepts secrets only in a form', () =>
    withProvider({ secretIn: 'client_secret_post' }, async (provider, service) => {
      provider.people.set('ann-1', ann);
      assert.equal((await signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')))).status, 200);
      assert.ok(provider.requests.includes('POST /token'), 'without Authorization');
    }));

  it('has other secrets than the registrations: 502, with each way of sending them', () =>
    withProvider({}, async (provider) => {
      provider.people.set('ann-1', ann);
      const mistaken = { ...registrationOf(provider.issuer), clientSecret: 'not this one' };
      class Posting extends OidcProviderApiBase {
        readonly issuer = provider.issuer;
        override readonly clientAuthentication = 'client_secret_post';
      }
      const posting = { ...mistaken, name: 'posting', providerApiType: Posting };
      const service = await startTestService('sqlite', { additions: { providers: [mistaken, posting] } });
      for (const { name, request } of [
        { name: 'latchkey', request: 'POST /token Basic' },
        { name: 'posting', request: 'POST /token' },
      ]) {
        const answer = await signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')), name);
        assert.equal(answer.error.reason, 'external.unavailable');
        assert.equal(provider.requests.at(-1), request);
        assert.match(service.logs.at(-1) ?? '', /token request: the answer is 401 invalid_client/);
      }
      await service.close();
    }));

  for (const algorithm of ['ES256', 'PS256', 'Ed25519'] as const) {
    it(`puts all claims in an ID token signed with ${algorithm}: userinfo is not requested`, () =>
      withProvider({ algorithm, tellsAll: true }, async (provider, service) => {
        provider.people.set('ann-1', ann);
        const answer = await signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')));
        assert.equal(answer.status, 200, answer.text);
        assert.equal(decodeJwt(answer.result.accessToken ?? '').name, 'Ann Lee');
        assert.ok(!provider.requests.includes('GET /me Bearer'));
      }));
  }

  const names: [what: string, claims: object, expected: [string, string]][] = [
    ['only the whole name', { name: 'Ann Lee' }, ['Ann Lee', '']],
    ['one given name', { given_name: 'Ann', name: 'Ann of Nowhere' }, ['Ann', '']],
    ['only a family name', { family_name: 'Lee', name: 'Dr. Lee' }, ['', 'Lee']],
    ['names that are null', { given_name: null, family_name: null, name: 'Ann Lee' }, ['Ann Lee', '']],
    ['names that are no texts', { given_name: ['Ann'], family_name: 1 }, ['', '']],
    ['no name', {}, ['', '']],
  ];
  it('names claims in its own way', () =>
    withProvider({}, async (provider, service) => {
      for (const [index, [what, claims, expected]] of names.entries()) {
        provider.people.set(what, { email: `ann${index}@example.com`, email_verified: true, ...claims });
        const answer = await signIn(service, what, toAccessCode(await provider.signIn(what)));
        assert.equal(answer.status, 200, `${what}: ${answer.text}`);
        const token = answer.result.accessToken;
        const { user } = (await service.get('/api/services/app/Session/GetCurrentLoginInfo', { token })).result;
        assert.deepEqual([user?.firstName, user?.lastName], expected, what);
      }
    }));

  it('does not return the e-mail address: 502, with a text that refers to an administrator', () =>
    withProvider({}, async (provider, service) => {
      for (const claims of [{}, { email: null, email_verified: true }, { email: '', email_verified: true }]) {
        provider.people.set('ann-1', { given_name: 'Ann', ...claims });
        const answer = await signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')));
        assert.deepEqual([answer.status, answer.error.reason], [502, 'external.incompleteProfile']);
      }
    }));
});

describe('an OpenID provider in trouble', () => {
  const paths = ['/.well-known/openid-configuration', '/token', '/jwks', '/me'];
  const signInAnew = async (provider: OpenidProvider, service: TestService) =>
    signIn(service, 'ann-1', toAccessCode(await provider.signIn('ann-1')));

  it('is down: 502, and works when it is back, with metadata requested again', () =>
    withProvider({}, async (provider, service) => {
      provider.people.set('ann-1', ann);
      const early = toAccessCode(await provider.signIn('ann-1'));
      const late = toAccessCode(await provider.signIn('ann-1'));
      await provider.stop();
      assert.equal((await signIn(service, 'ann-1', early)).error.reason, 'external.unavailable');
      assert.match(service.logs.join(''), /discovery: ECONNREFUSED/);
      await provider.start();
      assert.equal((await signIn(service, 'ann-1', early)).status, 200);
      await provider.stop();
      assert.equal((await signIn(service, 'ann-1', late)).error.reason, 'external.unavailable');
      await provider.start();
      assert.equal((await signIn(service, 'ann-1', late)).status, 200);
      const discoveries = provider.requests.filter((request) => request.endsWith('/openid-configuration'));
      assert.equal(discoveries.length, 2);
    }));

  it('fails, or redirects elsewhere: 502, no redirect is followed, and the next sign-in works', () =>
    withProvider({}, async (provider, service) => {
      provider.people.set('ann-1', ann);
      for (const path of paths) {
        for (const status of [302, 404, 500, 503]) {
          const accessCode = toAccessCode(await provider.signIn('ann-1'));
          provider.fail(path, status);
          const answer = await signIn(service, 'ann-1', accessCode);
          assert.equal(answer.error?.reason, 'external.unavailable', `${path} ${status}: ${answer.text}`);
          provider.recover();
          assert.ok(!provider.requests.includes('GET /elsewhere'));
        }
      }
      assert.equal((await signInAnew(provider, service)).status, 200);
    }));

  it('never answers: 502 after ten seconds, or five for userinfo, and the service aborts the request', () =>
    withProvider({}, async (provider, service) => {
      provider.people.set('ann-1', ann);
      for (const path of paths) {
        const accessCode = toAccessCode(await provider.signIn('ann-1'));
        const { reached, left } = provider.fail(path, 'hang');
        const pending = signIn(service, 'ann-1', accessCode);
        await reached;
        service.clock.advance(path === '/me' ? 4 : 9);
        assert.equal(await Promise.race([pending.then(() => 'answered'), sleep(50, 'waiting')]), 'waiting', path);
        service.clock.advance(1);
        assert.equal((await pending).error.reason, 'external.unavailable', path);
        await left;
        provider.recover();
      }
      assert.equal((await signInAnew(provider, service)).status, 200);
    }));
});

const guide = readFileSync(join(root, 'docs/guide/external-providers.md'), 'utf8');

/** Writes the guide's code block that opens with this file's name into an empty folder. @returns its path. */
function extract(name: string): string {
  const blocks = [...guide.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.startsWith(`// ${name}`));
  assert.equal(found.length, 1, `the guide has one block that is ${name}`);
  return writeExtension(name, found[0] ?? '');
}

describe('the code of the guide', () => {
  type Snippet = {
    goToProvider(provider: object): Promise<void>;
    readAnswer(provider: object): { authProvider: string; providerKey: string; providerAccessCode: string };
  };
  const { clientId, clientSecret } = clients.latchkey;
  const variables = { COMPANY_CLIENT_ID: clientId, COMPANY_CLIENT_SECRET: clientSecret };
  let provider: OpenidProvider;

  before(async () => {
    provider = await startOpenidProvider();
    provider.people.set('zoe-1', { ...ann, email: 'zoe@example.com', given_name: 'Zoë' });
  });
  after(() => provider.stop());

  /** A page: the part of the browser's globals that the snippet uses and Node lacks. */
  function openPage(address: URL) {
    const page = { left: '', shown: address.href };
    const assign = (url: string) => {
      page.left = url;
    };
    const replaceState = (_: unknown, __: string, path: string) => {
      page.shown = path;
    };
    Object.assign(globalThis, { location: Object.assign(new URL(address), { assign }), history: { replaceState } });
    return page;
  }

  it('signs people in, in a browser’s page and in the service as it really runs', async () => {
    const env = { ...variables, COMPANY_ISSUER: provider.issuer, LATCHKEY_EXTENSIONS: extract('company.ts') };
    const service = await startProcess({ env });
    try {
      const { goToProvider, readAnswer }: Snippet = await import(pathToFileURL(extract('openid.js')).href);
      const listed = await callProcess(service.url, 'GET', '/api/TokenAuth/GetExternalAuthenticationProviders');
      assert.deepEqual(listed.result, [{ name: 'company', clientId, displayName: 'company' }]);
      const company = {
        ...listed.result[0],
        authorizationEndpoint: `${provider.issuer}/auth`,
        redirectUri: REDIRECT_URI,
      };
      const users = new Set<number>();
      for (const _ of ['first', 'second']) {
        const start = openPage(new URL('https://app.example.com/'));
        await goToProvider(company);
        const end = openPage(await provider.browse(start.left, 'zoe-1'));
        const body = readAnswer(company);
        assert.equal(end.shown, '/signed-in?from=company', 'code and token are gone');
        assert.throws(() => readAnswer(company), /no question of ours/, 'an answer is read once');
        const answer = await callProcess(service.url, 'POST', '/api/TokenAuth/ExternalAuthenticateAsync', { body });
        assert.equal(answer.status, 200, JSON.stringify(answer));
        users.add(answer.result.userId);
      }
      assert.equal(users.size, 1);
      assert.ok(!service.output().includes(clientSecret));
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });

  it('stops the start while a variable is missing', async () => {
    Object.assign(process.env, variables, { COMPANY_ISSUER: '' });
    assert.match(
      await failure([extract('company.ts')]),
      /company\.ts fails to initialize: COMPANY_ISSUER is not set\./,
    );
  });

  it('type-checks in a folder that finds the checkout', async () => {
    const path = extract('company.ts');
    const folder = dirname(path);
    await assertWellTyped(folder, ['company.ts']);
  });
});
