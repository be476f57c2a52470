// Providers that administrators register: each type against a provider that behaves as its maker documents.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { createRunningClock } from '../support/clock.ts';
import { APPLE, CLIENT_ID, CLIENT_SECRET, PLAIN_SECRET, TENANT } from '../support/makers.ts';
import { type Person, startProviderWorld, type World } from '../support/provider-world.ts';
import { types } from '../support/registered-types.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const BEGIN = '/api/services/app/ExternalLogin/Begin';
const BY_CODE = '/api/TokenAuth/ExternalAuthenticateByCode';
const CREATE = '/api/services/app/ExternalProvider/Create';
const ISSUER = 'https://sso.acme.example/realms/staff';
const REDIRECT_URI = 'https://id.example.com/login/external/here';

let world: World;
let test: TestService;
let token: string;
let numbers = 0;

/** Registers a provider; its name is new. */
async function register(type: string, more: object = {}): Promise<{ id: string; name: string }> {
  numbers += 1;
  const body = { type, name: `${type} ${numbers}`, clientId: CLIENT_ID, ...types[type]?.row, ...more };
  const answer = await test.post(CREATE, { token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.result;
}

/** Begins a sign-in, and signs the person in there. @returns what the front end sends. */
async function come(name: string, person: Person): Promise<Record<string, string>> {
  const { result, ...answer } = await test.post(BEGIN, { body: { name, redirectUri: REDIRECT_URI } });
  assert.equal(answer.status, 200, answer.text);
  const brought: Record<string, string> = world.visit(result.address, person);
  return { authProvider: name, request: result.request ?? '', ...brought };
}

const signIn = async (name: string, person: Person) => test.post(BY_CODE, { body: await come(name, person) });

async function userOf(accessToken: string) {
  const { result } = await test.get('/api/services/app/Session/GetCurrentLoginInfo', { token: accessToken });
  return result.user;
}

/** Registers a person by signing in. @returns the id of the account. */
async function signInAs(name: string, person: Person) {
  const { result, ...answer } = await signIn(name, person);
  assert.equal(answer.status, 200, answer.text);
  return userOf(result.accessToken ?? assert.fail('no token'));
}

const withClaims = (person: Person, claims: Record<string, unknown>): Person => ({
  ...person,
  claims: { ...person.claims, ...claims },
});

function personOf(type: string): Person {
  numbers += 1;
  return types[type]?.person(numbers) ?? assert.fail(type);
}

before(async () => {
  world = await startProviderWorld();
  // The providers have the clock of the machine.
  test = await startTestService('sqlite', { egress: world.egress, clock: createRunningClock() });
  token = await test.admin();
});
after(async () => {
  await test.close();
  await world.close();
});
afterEach(() => world.behave());

for (const [type, { key, names }] of Object.entries(types)) {
  describe(`a provider of the type ${type}`, () => {
    it('registers a person with the address and the names that it vouches for, and knows the person by its key', async () => {
      const { name } = await register(type);
      const person = personOf(type);
      const user = await signInAs(name, person);
      assert.deepEqual([user?.firstName, user?.lastName], names);
      assert.match(user?.email ?? '', /^(ann|relay)\d+@/);
      const linked = await test.service.externalLogins.list(test.service.database.sql, Number(user?.id));
      assert.deepEqual(
        linked.map(({ provider, providerKey }) => [provider, providerKey]),
        [[name, key(numbers)]],
      );
    });

    it('signs a linked person in whatever it says of the address today', async () => {
      const { name } = await register(type);
      const person = personOf(type);
      const { id } = (await signInAs(name, person)) ?? assert.fail();
      const silent = {
        email: undefined,
        email_verified: undefined,
        given_name: undefined,
        family_name: undefined,
        xms_edov: undefined,
      };
      const { user: _, ...rest } = person;
      const today = { ...withClaims(rest, silent), userinfo: {} };
      assert.equal((await signInAs(name, today))?.id, id);
    });

    it('redeems a code once', async () => {
      const { name } = await register(type);
      const answer = await come(name, personOf(type));
      assert.equal((await test.post(BY_CODE, { body: answer })).status, 200);
      assertRefused(await test.post(BY_CODE, { body: answer }), 401, 'external.couldNotValidate');
      const { request } = await come(name, personOf(type));
      assertRefused(await test.post(BY_CODE, { body: { ...answer, request } }), 401, 'external.couldNotValidate');
      assertRefused(await signInWith(name, { code: 'made-up' }), 401, 'external.couldNotValidate');
    });

    it('passes its test, which signs nobody in', async () => {
      const { id } = await register(type);
      const before = world.asked.length;
      const { result } = await test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
      assert.ok(result.steps.length >= 2);
      assert.deepEqual(
        result.steps.filter(({ isSuccess }) => !isSuccess),
        [],
      );
      assert.ok(result.steps.some(({ name }) => name === 'client'));
      const posted = world.asked.slice(before).filter(({ method }) => method !== 'GET');
      assert.deepEqual(
        posted.map(({ form }) => form.get('code')),
        ['latchkey-test'],
      );
    });

    it('fails its test with another client', async () => {
      const { id } = await register(type, { clientId: 'another' });
      const { result } = await test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
      assert.deepEqual(
        result.steps.filter(({ isSuccess }) => !isSuccess),
        [{ name: 'client', isSuccess: false, message: 'the provider refuses the client id or the client secret' }],
      );
    });
  });
}

/** Sends another answer than the provider gave. */
async function signInWith(name: string, changed: object) {
  const person = personOf(name.split(' ')[0] ?? '');
  return test.post(BY_CODE, { body: { ...(await come(name, person)), ...changed } });
}

describe('Google', () => {
  const anna = { sub: '2000', email: 'anna@corp.example', email_verified: true, given_name: 'Anna' };

  it('proves an address of a Workspace by "hd" only', async () => {
    const { name } = await register('google');
    assertRefused(await signIn(name, { claims: anna }), 401, 'external.couldNotValidate');
    assert.equal((await signIn(name, { claims: { ...anna, hd: 'corp.example' } })).status, 200);
  });

  it('lets in only people of the Workspace that the parameter "hd" names, whatever the request became', async () => {
    const { name } = await register('google', { authorizationParameters: { hd: 'corp.example' } });
    for (const hd of [undefined, 'other.example', 'CORP.example.evil'])
      assertRefused(await signIn(name, { claims: { ...anna, sub: '2001', hd } }), 401, 'external.couldNotValidate');
    assert.equal(
      (await signIn(name, { claims: { ...anna, sub: '2001', email: 'anna2@corp.example', hd: 'corp.example' } }))
        .status,
      200,
    );
  });

  it('may name itself without https:// in its ID tokens, and nobody else may', async () => {
    const { name } = await register('google');
    world.twist({ issuer: 'accounts.google.com' });
    assert.equal((await signIn(name, personOf('google'))).status, 200);
    world.twist({ issuer: 'accounts.google.com.evil.example' });
    assertRefused(await signIn(name, personOf('google')), 502, 'external.unavailable');
  });
});

describe('Microsoft Entra ID', () => {
  it('opens nothing by an address that a tenant has made up, and registers nobody with it', async () => {
    const id = await test.createUser('victim', { emailAddress: 'victim@corp.example' });
    const { name } = await register('microsoft');
    for (const xms_edov of [undefined, false, 'false', '0', 0, 'yes']) {
      const claims = {
        sub: 's',
        tid: TENANT,
        oid: 'attacker',
        email: 'victim@corp.example',
        upn: 'victim@corp.example',
        xms_edov,
      };
      const answer = await signIn(name, { claims });
      assertRefused(answer, 401, 'external.couldNotValidate');
    }
    const links = await test.service.externalLogins.list(test.service.database.sql, id);
    assert.deepEqual(links, []);
  });

  it('refuses people of another tenant', async () => {
    const { name } = await register('microsoft');
    const person = withClaims(personOf('microsoft'), { tid: '00000000-0000-0000-0000-000000000000' });
    assertRefused(await signIn(name, person), 401, 'external.couldNotValidate');
  });

  it('tells people of one pairwise subject apart by their object ids', async () => {
    const { name } = await register('microsoft');
    const [one, two] = [personOf('microsoft'), personOf('microsoft')];
    const first = await signInAs(name, withClaims(one, { sub: 'same' }));
    const second = await signInAs(name, withClaims(two, { sub: 'same' }));
    assert.notEqual(first?.id, second?.id);
  });
});

describe('Apple', () => {
  it('gets its scopes with %20 between them, as its native sheet reads them, and a plus as %2B', async () => {
    const { name } = await register('apple', { authorizationParameters: { login_hint: 'a+b' } });
    const { result } = await test.post(BEGIN, { body: { name, redirectUri: REDIRECT_URI } });
    const { search, searchParams } = new URL(result.address);
    assert.match(search, /[?&]scope=name%20email&/);
    assert.match(search, /[?&]login_hint=a%2Bb&/);
    assert.ok(!search.includes('+'), search);
    assert.equal(searchParams.get('redirect_uri'), REDIRECT_URI);
  });

  it('posts its answer, which goes on to the page in the fragment, without what it does not know', async () => {
    const payload = new URLSearchParams({
      code: 'a+b',
      state: 's',
      user: '{"name":{}}',
      id_token: 'x',
      redirect: '//evil.example',
    });
    const answer = await test.app.inject({
      method: 'POST',
      url: '/login/external/Apple%20ID?x=1',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
        origin: 'https://appleid.apple.com',
      },
      payload: payload.toString(),
    });
    assert.equal(answer.statusCode, 303);
    const [path, fragment] = String(answer.headers.location).split('#');
    assert.equal(path, '/login/external/Apple%20ID');
    assert.deepEqual(Object.fromEntries(new URLSearchParams(fragment)), {
      code: 'a+b',
      state: 's',
      user: '{"name":{}}',
    });
  });

  it('may name itself account.apple.com', async () => {
    const { name } = await register('apple');
    world.twist({ issuer: 'https://account.apple.com' });
    assert.equal((await signIn(name, personOf('apple'))).status, 200);
  });

  it('registers a person whose name was lost or is no name', async () => {
    const { name } = await register('apple');
    for (const user of [undefined, 'no JSON', '[]', '{"name":{"firstName":{"x":1},"lastName":7}}', 'null']) {
      const { user: _, ...rest } = personOf('apple');
      const answer = await signIn(name, user === undefined ? rest : { ...rest, user });
      assert.equal(answer.status, 200, `${user}: ${answer.text}`);
    }
  });
});

describe('GitHub and Facebook', () => {
  it('prove an address by the list of addresses alone', async () => {
    const { name } = await register('github');
    const person = personOf('github');
    const emails = [{ email: 'ann@github.example', primary: true, verified: false }];
    assertRefused(await signIn(name, { ...person, userinfo: { emails } }), 401, 'external.couldNotValidate');
    assertRefused(await signIn(name, { ...person, userinfo: { emails: [] } }), 502, 'external.incompleteProfile');
  });

  it('need the operator to vouch for addresses of Facebook', async () => {
    const { name } = await register('facebook', { emailTrust: 'verified' });
    assertRefused(await signIn(name, personOf('facebook')), 502, 'external.incompleteProfile');
  });

  it('sign a linked person in without the permission to read addresses', async () => {
    const { id, name } = await register('github');
    const person = personOf('github');
    const user = await signInAs(name, person);
    const update = { token, body: { id, scopes: ['read:user'] } };
    assert.equal((await test.send('PUT', '/api/services/app/ExternalProvider/Update', update)).status, 200);
    assert.equal((await signInAs(name, person))?.id, user?.id);
    assertRefused(await signIn(name, personOf('github')), 502, 'external.unavailable');
  });

  it('answer for themselves: another issuer in the response is refused', async () => {
    const { name } = await register('github');
    assertRefused(await signInWith(name, { iss: 'https://evil.example' }), 401, 'external.couldNotValidate');
  });
});

describe('LinkedIn', () => {
  it('takes no code of a request that a front end has made: nothing would tie it to that front end', async () => {
    const { name } = await register('linkedin');
    const person = personOf('linkedin');
    const { code = '' } = await come(name, person);
    const before = world.asked.length;
    const verifier = 'a'.repeat(43);
    const form = { code, code_verifier: verifier, redirect_uri: REDIRECT_URI, nonce: 'nonce' };
    const body = {
      authProvider: name,
      providerKey: String(person.claims.sub),
      providerAccessCode: String(new URLSearchParams(form)),
    };
    const answer = await test.post('/api/TokenAuth/ExternalAuthenticateAsync', { body });
    assertRefused(answer, 401, 'external.couldNotValidate');
    assert.equal(world.asked.length, before, 'the code is not redeemed');
  });
});

describe('who registers by a provider', () => {
  it('is nobody where it is off, and linked people sign in all the same', async () => {
    const { id, name } = await register('oidc');
    const person = personOf('oidc');
    const user = await signInAs(name, person);
    const update = { token, body: { id, registersNewUsers: false } };
    assert.equal((await test.send('PUT', '/api/services/app/ExternalProvider/Update', update)).status, 200);
    assert.equal((await signInAs(name, person))?.id, user?.id);
    assertRefused(await signIn(name, personOf('oidc')), 403, 'external.registrationRefused');
  });

  it('is who has an address of an allowed domain, in any spelling, and gets the role', async () => {
    await test.post('/api/services/app/Role/Create', { token, body: { name: 'Staff' } });
    const { name } = await register('oidc', { allowedDomains: ['acme.example'], roleForNewUsers: 'Staff' });
    const person = personOf('oidc');
    for (const email of ['ann@evil.example', 'ann@sub.acme.example', 'ann@acme.example.evil.example'])
      assertRefused(await signIn(name, withClaims(person, { email })), 403, 'external.registrationRefused');
    const user = await signInAs(name, withClaims(person, { email: `Ann${numbers}@ACME.example` }));
    const account = await test.service.accounts.find(Number(user?.id));
    assert.deepEqual(account?.roleNames, ['Staff']);
  });
});

describe('claims', () => {
  it('that are named and missing are missing, and an address in another claim is not verified by "email_verified"', async () => {
    const { name } = await register('oidc', { claims: { emailAddress: 'upn', surname: 'sn' } });
    const person = personOf('oidc');
    assertRefused(await signIn(name, person), 502, 'external.incompleteProfile');
    const other = withClaims(person, { upn: 'someone.else@acme.example' });
    assertRefused(await signIn(name, other), 401, 'external.couldNotValidate');
    const trusting = await register('oidc', { claims: { emailAddress: 'upn', surname: 'sn' }, emailTrust: 'always' });
    const user = await signInAs(trusting.name, other);
    assert.deepEqual([user?.email, user?.firstName, user?.lastName], ['someone.else@acme.example', 'Ann', '']);
  });

  it('that hold the key and are missing sign nobody in', async () => {
    const { name } = await register('oidc', { claims: { providerKey: 'employee' } });
    assertRefused(await signIn(name, personOf('oidc')), 502, 'external.incompleteProfile');
    for (const employee of [0, -1, 1.5, null, 'null']) {
      const person = { ...personOf('oidc'), userinfo: { employee } };
      assertRefused(await signIn(name, person), 502, 'external.incompleteProfile');
    }
    const user = await signInAs(name, { ...personOf('oidc'), userinfo: { employee: 4711 } });
    const [login] = await test.service.externalLogins.list(test.service.database.sql, Number(user?.id));
    assert.equal(login?.providerKey, '4711');
  });
});

describe('a provider in other hands', () => {
  it('gets no code of another one: neither by its name, nor by its request', async () => {
    const [one, two] = [await register('oidc'), await register('google')];
    const answer = await come(one.name, personOf('oidc'));
    assertRefused(
      await test.post(BY_CODE, { body: { ...answer, authProvider: two.name } }),
      401,
      'external.couldNotValidate',
    );
    const other = await come(two.name, personOf('google'));
    assertRefused(await test.post(BY_CODE, { body: { ...other, iss: ISSUER } }), 401, 'external.couldNotValidate');
    const before = world.asked.length;
    assertRefused(await test.post(BY_CODE, { body: { ...answer, iss: undefined } }), 401, 'external.couldNotValidate');
    assert.equal(world.asked.length, before, 'the code went nowhere');
  });

  it('signs nobody in when its issuer has changed, and goes on when its keys have', async () => {
    const { name } = await register('oidc');
    world.twist({ issuer: 'https://evil.example' });
    assertRefused(await signIn(name, personOf('oidc')), 502, 'external.unavailable');
    world.behave();
    assert.equal((await signIn(name, personOf('oidc'))).status, 200);
    const fetched = () => world.asked.filter(({ url }) => url.href === `${ISSUER}/certs`).length;
    await world.rotate();
    // The keys were fetched just now.
    assert.equal((await signIn(name, personOf('oidc'))).status, 200);
    const before = fetched();
    await world.forge();
    assertRefused(await signIn(name, personOf('oidc')), 502, 'external.unavailable');
    assert.equal(fetched(), before + 1, 'an unknown key costs one request for keys');
    world.behave();
    assert.equal((await signIn(name, personOf('oidc'))).status, 200);
    world.answer(`${ISSUER}/.well-known/openid-configuration`, () => ({ body: { issuer: 'https://evil.example' } }));
    const another = await register('oidc');
    assertRefused(
      await test.post(BEGIN, { body: { name: another.name, redirectUri: REDIRECT_URI } }),
      502,
      'external.unavailable',
    );
  });

  const TOKEN = `${ISSUER}/token`;
  const answers: [string, Parameters<World['answer']>[1]][] = [
    ['a redirect', () => ({ status: 302, headers: { location: 'https://evil.example/' }, body: '' })],
    ['nonsense', () => ({ body: '<html>' })],
    ['a list', () => ({ body: [] })],
    ['more than a megabyte', () => ({ body: { access_token: 'x'.repeat(1_100_000), token_type: 'Bearer' } })],
    ['another error', () => ({ status: 400, body: { error: 'invalid_client', error_description: CLIENT_SECRET } })],
  ];
  for (const [what, answer] of answers) {
    it(`that answers ${what} is unavailable, and the log repeats none of it`, async () => {
      const { name } = await register('oidc');
      const response = await come(name, personOf('oidc'));
      world.answer(TOKEN, answer);
      assertRefused(await test.post(BY_CODE, { body: response }), 502, 'external.unavailable');
      const { code = '' } = response;
      assert.ok(!test.logs.join('').includes(code));
    });
  }

  it('sends the service to no address behind its network, and the test says so', async () => {
    const { id, name } = await register('oidc');
    world.answer(`${ISSUER}/.well-known/openid-configuration`, () => ({
      body: {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/auth`,
        token_endpoint: 'https://10.0.0.7/token',
        jwks_uri: 'https://169.254.169.254/latest',
      },
    }));
    const response = await come(name, personOf('oidc'));
    assertRefused(await test.post(BY_CODE, { body: response }), 502, 'external.unavailable');
    const { result } = await test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
    const keys = result.steps.find((step) => step.name === 'keys');
    assert.equal(keys?.isSuccess, false);
    assert.ok(!world.asked.some(({ url }) => /^(10|169)\./.test(url.hostname)));
    assert.match(keys?.message ?? '', /not on the public internet/);
  });

  it('without discovery fails its test at the first step, with a reason', async () => {
    const { id } = await register('oidc');
    world.answer(`${ISSUER}/.well-known/openid-configuration`, () => ({ status: 503, body: 'x' }));
    const { result } = await test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
    const [discovery] = result.steps;
    assert.deepEqual([discovery?.name, discovery?.isSuccess], ['discovery', false]);
    assert.match(discovery?.message ?? '', /503/);
  });

  it('whose answers have no date that can be read is tested without its clock', async () => {
    const { id } = await register('oidc');
    world.answer(`${ISSUER}/.well-known/openid-configuration`, () => ({
      status: 503,
      headers: { date: 'soon' },
      body: 'x',
    }));
    const { result } = await test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
    assert.deepEqual(
      result.steps.map(({ name }) => name),
      ['discovery'],
    );
  });

  const clocks: [string, Record<string, string>, boolean][] = [
    ['is half an hour behind', {}, false],
    ['is half an hour behind, with an age that is none', { age: 'old' }, false],
    ['is right, for half an hour in a cache', { age: '1800' }, true],
  ];
  for (const [what, age, isSuccess] of clocks) {
    it(`whose date ${what} ${isSuccess ? 'passes' : 'fails'} the test of its clock`, async () => {
      const { id } = await register('oidc');
      world.answer(`${ISSUER}/.well-known/openid-configuration`, () => {
        const date = new Date(test.clock.now() - 1_800_000).toUTCString();
        return { status: 503, headers: { date, ...age }, body: 'x' };
      });
      const { result } = await test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
      const clock = result.steps.find(({ name }) => name === 'clock');
      assert.equal(clock?.isSuccess, isSuccess, clock?.message ?? 'no step');
    });
  }

  it('is not asked while it is disabled, and not known when it is deleted', async () => {
    const { id, name } = await register('oidc');
    const response = await come(name, personOf('oidc'));
    await test.send('PUT', '/api/services/app/ExternalProvider/Update', { token, body: { id, isEnabled: false } });
    assertRefused(await test.post(BY_CODE, { body: response }), 400, 'external.unknownProvider');
    assertRefused(
      await test.post(BEGIN, { body: { name, redirectUri: REDIRECT_URI } }),
      400,
      'external.unknownProvider',
    );
    await test.send('DELETE', '/api/services/app/ExternalProvider/Delete', { token, query: { id } });
    const again = await test.post(BEGIN, { body: { name, redirectUri: REDIRECT_URI } });
    assertRefused(again, 400, 'external.unknownProvider');
    const listed = await test.get('/api/TokenAuth/GetExternalAuthenticationProviders');
    assert.ok(!listed.result.some((one) => one.name === name));
  });

  it('shows its secrets to nobody: not in the list, the log or an entry of the trail', async () => {
    const listed = await test.get('/api/services/app/ExternalLogin/GetSignInPages');
    const seen = [listed.text, ...test.logs].join('');
    for (const secret of [
      CLIENT_SECRET,
      encodeURIComponent(CLIENT_SECRET),
      PLAIN_SECRET,
      APPLE.privateKey.slice(60, 100),
      'canary-token',
    ])
      assert.ok(!seen.includes(secret), secret);
    assert.ok(!listed.text.includes('sso.acme.example'));
  });
});

describe('a provider that does not answer', () => {
  /** Lets the time of a call pass as soon as the provider was asked. */
  async function waitInVain<Answer>(asked: Promise<void>, call: Promise<Answer>, seconds: number): Promise<Answer> {
    await asked;
    test.clock.advance(seconds);
    return call;
  }
  const lastLog = () => test.logs.slice(-3).join('');

  it('fails a sign-in that begins, after ten seconds, with the reason in the log', async () => {
    const { name } = await register('oidc');
    const asked = world.hang(`${ISSUER}/.well-known/openid-configuration`);
    const begin = test.post(BEGIN, { body: { name, redirectUri: REDIRECT_URI } });
    assertRefused(await waitInVain(asked, begin, 10), 502, 'external.unavailable');
    assert.match(lastLog(), /could not be asked.*It took longer than 10 s/s);
  });

  for (const how of ['silent', 'endless'] as const) {
    for (const what of ['token', 'certs']) {
      it(`fails a sign-in after ten seconds when its ${what} are ${how}`, async () => {
        const { name } = await register('oidc');
        const body = await come(name, personOf('oidc'));
        const asked = world.hang(`${ISSUER}/${what}`, how);
        assertRefused(await waitInVain(asked, test.post(BY_CODE, { body }), 10), 502, 'external.unavailable');
        assert.match(lastLog(), /It took longer than 10 s/);
      });
    }
  }

  const profiles = { oidc: `${ISSUER}/userinfo`, github: 'https://api.github.com/user/emails' };
  for (const [type, address] of Object.entries(profiles)) {
    it(`delays a linked person of the type ${type} by five seconds, and no more, when only the profile is missing`, async () => {
      const { name } = await register(type);
      const person = personOf(type);
      const user = await signInAs(name, person);
      const silent = withClaims(person, { given_name: undefined });
      const body = await come(name, silent);
      const known = waitInVain(world.hang(address, 'endless'), test.post(BY_CODE, { body }), 5);
      const { result, text } = await known;
      assert.equal((await userOf(result?.accessToken ?? assert.fail(text)))?.id, user?.id);
      const newcomer = await come(name, withClaims(personOf(type), { given_name: undefined }));
      const refused = await waitInVain(world.hang(address), test.post(BY_CODE, { body: newcomer }), 5);
      assertRefused(refused, 502, 'external.unavailable');
      assert.match(lastLog(), /It took longer than 5 s/);
    });
  }

  it('fails its test step by step, after five seconds each', async () => {
    const { id } = await register('oidc');
    const call = () => test.post('/api/services/app/ExternalProvider/Test', { token, body: { id } });
    const { result: blind } = await waitInVain(world.hang(`${ISSUER}/.well-known/openid-configuration`), call(), 5);
    const late = { isSuccess: false, message: 'It took longer than 5 s.' };
    assert.deepEqual(blind.steps, [{ name: 'discovery', ...late }]);
    world.behave();
    const { result } = await waitInVain(world.hang(`${ISSUER}/certs`, 'endless'), call(), 5);
    assert.deepEqual(
      result.steps.find(({ name }) => name === 'keys'),
      { name: 'keys', ...late },
    );
    const github = await register('github');
    const checked = test.post('/api/services/app/ExternalProvider/Test', { token, body: { id: github.id } });
    const { result: other } = await waitInVain(world.hang('https://api.github.com/user'), checked, 5);
    assert.deepEqual(other.steps[0], { name: 'endpoints', ...late });
  });
});

describe('a provider that changes while a person is there', () => {
  const SELF = '/api/services/app/ExternalProvider';
  const other = 'https://gitlab.com';
  const changes: [string, (id: string, name: string) => Promise<unknown>][] = [
    [
      'is replaced by another one of its name',
      async (id, name) => {
        await test.send('DELETE', `${SELF}/Delete`, { token, query: { id } });
        await test.post(CREATE, {
          token,
          body: { ...types.oidc?.row, type: 'oidc', name, clientId: CLIENT_ID, issuer: other },
        });
      },
    ],
    [
      'gets another issuer',
      (id) => test.send('PUT', `${SELF}/Update`, { token, body: { id, issuer: other, clientSecret: CLIENT_SECRET } }),
    ],
    [
      'gets another claim as key',
      (id) => test.send('PUT', `${SELF}/Update`, { token, body: { id, claims: { providerKey: 'email' } } }),
    ],
  ];
  for (const [what, change] of changes) {
    it(`and ${what} gets no code of the request that was begun before`, async () => {
      const { id, name } = await register('oidc');
      const response = await come(name, personOf('oidc'));
      await change(id, name);
      const asked = world.asked.length;
      assertRefused(await test.post(BY_CODE, { body: response }), 401, 'external.couldNotValidate');
      assert.equal(world.asked.length, asked, 'the code went nowhere');
    });

    it(`and ${what} registers nobody whom it has identified before`, async () => {
      const { id, name } = await register('oidc');
      const response = await come(name, personOf('oidc'));
      world.answer(`${ISSUER}/userinfo`, async ({ headers }) => {
        await change(id, name);
        return { body: { sub: `staff-${numbers}`, given_name: 'Ann', authorization: headers.authorization } };
      });
      const person = personOf('oidc');
      const silent = withClaims(person, { given_name: undefined });
      const begun = await come(name, silent);
      assert.notEqual(begun.request, response.request);
      assertRefused(await test.post(BY_CODE, { body: begun }), 400, 'external.unknownProvider');
    });
  }
});

describe('a person who is signed in', () => {
  it('links a registered provider, whoever may register by it', async () => {
    const { name } = await register('oidc', { registersNewUsers: false });
    await test.createUser(`linker${numbers}`);
    const accessToken = await test.signIn(`linker${numbers}`);
    const person = personOf('oidc');
    const body = { ...(await come(name, person)), currentPassword: USER_PASSWORD };
    const linked = await test.post('/api/services/app/ExternalLogin/LinkByCode', { token: accessToken, body });
    assert.equal(linked.status, 200, linked.text);
    const user = await signInAs(name, person);
    assert.match(user?.userName ?? '', /^linker/);
  });
});
