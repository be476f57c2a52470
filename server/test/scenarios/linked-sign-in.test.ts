// A person who is linked signs in by provider and key alone; an address and names are needed to register (specification 3.3).
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { authorize, LINK_BY_CODE, signInByCode } from '../support/code-flow.ts';
import { enginesAtLength } from '../support/databases.ts';
import { startHostileProvider } from '../support/hostile-openid.ts';
import {
  type Claims,
  clients,
  type OpenidProvider,
  registrationOf,
  startOpenidProvider,
  toAccessCode,
} from '../support/openid-provider.ts';
import { createPerson, createTestProvider } from '../support/providers.ts';
import { startTestService, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';

const EXTERNAL = '/api/TokenAuth/ExternalAuthenticateAsync';
const WHO = '/api/services/app/Session/GetCurrentLoginInfo';

type Refusal = readonly [status: number, reason: string];
const incomplete: Refusal = [502, 'external.incompleteProfile'];
const unavailable: Refusal = [502, 'external.unavailable'];
const unconfirmed: Refusal = [401, 'external.couldNotValidate'];

async function countUsers(test: TestService) {
  return (await test.get('/api/services/app/User/GetAll', { token: await test.admin() })).result.totalCount;
}

/** Asserts a refusal that the log has once, with its reason and why, and nothing that was sent. */
function assertRefusedAndLogged(test: TestService, answer: TestAnswer, refusal: Refusal, hint: string) {
  assertRefused(answer, ...refusal, hint);
  const lines = test.logs.filter((line) => line.includes(answer.error.traceId ?? assert.fail()));
  assert.equal(lines.length, 1, `${hint}: ${lines.join('')}`);
  const { msg, level, why, err } = JSON.parse(lines[0] ?? '');
  assert.equal(msg, refusal[1], hint);
  assert.equal(level, refusal[0] >= 500 ? 'error' : 'warn', hint);
  assert.match(why ?? err.message, /provider "\w+"/i, hint);
  assert.doesNotMatch(lines.join(), /canary|@|code=/, hint);
}

for (const engine of enginesAtLength) {
  describe(`a provider of code, on ${engine}`, () => {
    const acme = createTestProvider('Acme');
    let test: TestService;
    before(async () => {
      test = await startTestService(engine, { additions: { providers: [acme.info] } });
      await test.createUser('taken', { emailAddress: 'taken@example.com', isEmailConfirmed: true });
    });
    after(() => test.close());

    const cases: [what: string, more: object, refusal: Refusal][] = [
      ['an empty address', { emailAddress: '' }, incomplete],
      ['white space for an address', { emailAddress: ' ' }, incomplete],
      ['no address', { emailAddress: undefined }, incomplete],
      ['null for an address', { emailAddress: null }, incomplete],
      ['the text undefined for an address', { emailAddress: 'undefined' }, incomplete],
      ['a malformed address', { emailAddress: 'ann at acme' }, unavailable],
      ['an address with a line break', { emailAddress: 'a@b.c\r\nBcc: d@e.f' }, unavailable],
      ['a list for an address', { emailAddress: ['a@b.c'] }, unavailable],
      ['an address that no account can have', { emailAddress: 'ann@-acme.example' }, unavailable],
      ['an unverified address', { isEmailVerified: false }, unconfirmed],
      ['an address that may be verified or not', { isEmailVerified: undefined }, unconfirmed],
      ['a failure of its own', { failure: new Error('out of order') }, unavailable],
      ['a number for a name', { name: 7 }, unavailable],
      ['the address of another account', { emailAddress: 'taken@example.com' }, [409, 'external.emailInUse']],
    ];
    for (const [what, more, refusal] of cases) {
      it(`that says ${what}: a linked person signs in, and another is refused`, async () => {
        const linked = createPerson();
        const enter = (person: object) => test.post(EXTERNAL, { body: acme.proofOf(person) });
        const { userId } = (await enter(linked)).result;
        const users = await countUsers(test);
        const again = await enter({ ...linked, ...more });
        assert.deepEqual([again.status, again.result?.userId], [200, userId], again.text);
        const { user } = (await test.get(WHO, { token: again.result.accessToken })).result;
        assert.deepEqual(
          [user?.email, user?.firstName],
          [linked.emailAddress, linked.name],
          'the account stays as it is',
        );
        assertRefusedAndLogged(test, await enter({ ...createPerson(), ...more }), refusal, what);
        assert.equal(await countUsers(test), users);
      });
    }
  });
}

describe('an OpenID provider', () => {
  const ann = { email_verified: true, given_name: 'Ann', family_name: 'Lee' };
  let count = 0;
  let sub: string;
  let provider: OpenidProvider;
  let test: TestService;
  before(async () => {
    provider = await startOpenidProvider();
    const providers = [registrationOf(provider.issuer), registrationOf(provider.issuer, 'web')];
    test = await startTestService('sqlite', { additions: { providers } });
  });
  beforeEach(() => {
    count += 1;
    sub = `ann-${count}`;
    provider.people.set(sub, { ...ann, email: `${sub}@example.com` });
    provider.people.set(`new-${sub}`, { ...ann, email: `new-${sub}@example.com` });
  });
  after(async () => {
    await test.close();
    await provider.stop();
  });

  /** Both ways to sign in. Each signs the person in at the provider first, and returns what then calls the service. */
  const ways = {
    'by an access code': async (person: string) => {
      const providerAccessCode = toAccessCode(await provider.signIn(person));
      return () => test.post(EXTERNAL, { body: { authProvider: 'latchkey', providerKey: person, providerAccessCode } });
    },
    'by the code flow': async (person: string) => {
      const response = await authorize(test, provider, person);
      return () => signInByCode(test, response);
    },
  };

  const cases: [what: string, claims: Claims, refusal: Refusal][] = [
    ['no address', { email: undefined }, incomplete],
    ['null for an address', { email: null }, incomplete],
    ['an empty address', { email: '' }, incomplete],
    ['an address without email_verified', { email_verified: undefined }, unconfirmed],
    ...[false, 'false', 1, null].map(
      (email_verified) => [`email_verified ${email_verified}`, { email_verified }, unconfirmed] as const,
    ),
    ['a malformed address', { email: 'ann at acme' }, unavailable],
  ].map(([what, claims, refusal]) => [what, claims, refusal] as [string, Claims, Refusal]);

  for (const [way, begin] of Object.entries(ways)) {
    it(`that says less this time: a linked person signs in ${way}, and another is refused`, async () => {
      const { userId } = (await (await begin(sub))()).result;
      assert.ok(userId);
      const users = await countUsers(test);
      for (const [what, claims, refusal] of cases) {
        for (const person of [sub, `new-${sub}`]) {
          provider.people.set(person, { ...ann, email: `${person}@example.com`, ...claims });
        }
        const again = await (await begin(sub))();
        assert.deepEqual([again.status, again.result?.userId], [200, userId], `${what}: ${again.text}`);
        assertRefusedAndLogged(test, await (await begin(`new-${sub}`))(), refusal, what);
      }
      assert.equal(await countUsers(test), users);
    });

    it(`whose userinfo fails: a linked person signs in ${way}, and another is refused`, async () => {
      const { userId } = (await (await begin(sub))()).result;
      for (const how of [302, 404, 500, 'hang'] as const) {
        const failing = async (person: string) => {
          const call = await begin(person);
          const { reached } = provider.fail('/me', how);
          const answered = call();
          await reached;
          if (how === 'hang') test.clock.advance(5);
          return answered.finally(() => provider.recover());
        };
        const again = await failing(sub);
        assert.deepEqual([again.status, again.result?.userId], [200, userId], `${how}: ${again.text}`);
        assertRefusedAndLogged(test, await failing(`new-${sub}`), unavailable, String(how));
      }
    });
  }

  it('that sends "true" as text has verified the address', async () => {
    for (const [at, begin] of Object.values(ways).entries()) {
      const person = `${sub}-${at}`;
      provider.people.set(person, { ...ann, email: `${person}@example.com`, email_verified: 'true' });
      assert.equal((await (await begin(person))()).status, 200);
    }
    const { items } = (
      await test.get('/api/services/app/User/GetAll', { token: await test.admin(), query: { keyword: sub } })
    ).result;
    assert.deepEqual(
      items.map(({ emailAddress, isEmailConfirmed }) => [emailAddress, isEmailConfirmed]),
      Object.keys(ways).map((_, at) => [`${sub}-${at}@example.com`, true]),
    );
  });

  it('is linked on My account without an address, and then signs in', async () => {
    provider.people.set(sub, {});
    const id = await test.createUser(`local-${sub}`);
    const response = await authorize(test, provider, sub);
    const body = { ...response, currentPassword: USER_PASSWORD };
    const linked = await test.post(LINK_BY_CODE, { token: await test.signIn(`local-${sub}`), body });
    assert.equal(linked.result, true, linked.text);
    assert.equal((await (await ways['by the code flow'](sub))()).result.userId, id);
  });

  it('whose code is of another sign-in is refused, and the log says why', async () => {
    const [one, two] = [await authorize(test, provider, sub), await authorize(test, provider, sub)];
    const wrong = [
      { ...one, state: two.state },
      { ...one, code: 'canary-code' },
      { ...two, iss: 'https://evil.example' },
      two,
    ];
    const reasons = [/another \\"state/, /invalid_grant/, /another issuer/, /no open request/];
    for (const [at, response] of wrong.entries()) {
      const answer = await signInByCode(test, response);
      assertRefusedAndLogged(test, answer, unconfirmed, String(at));
      assert.match(test.logs.findLast((line) => line.includes('couldNotValidate')) ?? '', reasons[at] ?? assert.fail());
    }
  });
});

describe('a hostile OpenID provider', () => {
  it('that gives userinfo of another person signs nobody in, linked or not', async () => {
    const provider = await startHostileProvider(clients.latchkey.clientId);
    const test = await startTestService('sqlite', { additions: { providers: [registrationOf(provider.issuer)] } });
    try {
      const nonce = 'canary-nonce';
      const code_verifier = 'x'.repeat(43);
      const form = { code: 'canary-code', code_verifier, redirect_uri: 'https://app.example.com/', nonce };
      const providerAccessCode = new URLSearchParams(form).toString();
      const body = { authProvider: 'latchkey', providerKey: 'mallory-1', providerAccessCode };
      let claims: Claims = {};
      provider.answers['/token'] = async () => provider.tokens(await provider.sign(provider.claims(nonce, claims)));
      const { userId } = (await test.post(EXTERNAL, { body })).result;
      claims = { email: undefined };
      for (const sub of ['ann-1', 'MALLORY-1']) {
        provider.answers['/me'] = () => ({ body: { sub, email: 'ann@example.com', email_verified: true } });
        const answer = await test.post(EXTERNAL, { body });
        assertRefusedAndLogged(test, answer, unavailable, sub);
      }
      for (const nobody of [{}, { sub: null }, '<html>', [], { sub: '' }]) {
        provider.answers['/me'] = () => ({ body: nobody });
        const answer = await test.post(EXTERNAL, { body });
        assert.equal(answer.result?.userId, userId, `an answer of nobody is as none: ${answer.text}`);
      }
    } finally {
      await test.close();
      await provider.stop();
    }
  });
});
