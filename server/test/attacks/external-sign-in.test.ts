// Attacks through external providers: hostile and broken identity servers and implementations, races, and leaks.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ExternalAuthProviderApiBase, type ReviewVerdict } from '../../src/providers/index.ts';
import { type Acme, EXTERNAL, enter, proofOf, startAcme } from '../support/acme.ts';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { type AcmeProfile, createProfile, flood, sendJson } from '../support/identity-server.ts';
import { patiently } from '../support/patience.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const USER = '/api/services/app/User';
const SESSIONS = '/api/services/app/Session/GetAll';
const MIB = 1024 * 1024;

let acme: Acme;
before(async () => {
  acme = await startAcme();
});
after(() => acme.server.stop());

const times = <Result>(count: number, work: (turn: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
const outcomes = (answers: readonly TestAnswer[]) => {
  const groups = Object.groupBy(answers, ({ status, error }) => error?.reason ?? status);
  return Object.fromEntries(Object.entries(groups).map(([outcome, some]) => [outcome, some?.length]));
};

describe('an identity server that', () => {
  let test: TestService;
  let ann: ReturnType<typeof createProfile>;
  before(async () => {
    test = await startTestService('sqlite', { additions: { providers: [acme.provider] } });
  });
  beforeEach(() => {
    ann = createProfile();
  });
  afterEach(async () => {
    acme.server.behave();
    const { status, result, text } = await enter(test, acme, ann);
    assert.equal(status, 200, `the service still works after the attack: ${text}`);
    const found = await test.get(`${USER}/GetAll`, { token: await test.admin(), query: { keyword: ann.id } });
    assert.deepEqual([found.result.totalCount, found.result.items[0]?.id], [1, result.userId]);
    assert.equal((await test.get('/health/ready')).status, 200);
  });
  after(() => test.close());

  const json = (body: unknown) => (response: ServerResponse) => sendJson(response, 200, body);
  const status = (code: number, headers: Record<string, string> = {}) => {
    return (response: ServerResponse) => void response.writeHead(code, headers).end('{"error":"canary of the inside"}');
  };
  const profile = (more: object) => (response: ServerResponse) => json({ ...ann, ...more })(response);
  const huge = 'x'.repeat(MIB / 2);
  const unavailable = [502, 'external.unavailable'] as const;
  const incomplete = [502, 'external.incompleteProfile'] as const;
  const refused = [401, 'external.couldNotValidate'] as const;

  type Fault = readonly [what: string, expected: readonly [number, string], answer: (response: ServerResponse) => void];
  const answers: readonly Fault[] = [
    ['refuses', refused, status(400)],
    ...[401, 403, 404, 429, 500, 503].map((code) => [`answers ${code}`, unavailable, status(code)] as const),
    ['drops the connection', unavailable, (response) => response.destroy()],
    ['breaks off', unavailable, (response) => void response.write('{"id":', () => response.destroy())],
    ['does not speak HTTP', unavailable, (response) => void response.socket?.end('SSH-2.0-canary\r\n')],
    ['answers nothing', unavailable, json('')],
    ['breaks its JSON', unavailable, json('{"id":"x"')],
    ['answers HTML', unavailable, json('<html>canary</html>')],
    ['nests deeply', incomplete, json(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
    ['answers null', unavailable, json('null')],
    ...['true', '7', '"ann"', '[]', '[{}]', '{}'].map((text) => [`answers ${text}`, incomplete, json(text)] as const),
    ['answers 5 MB', unavailable, (response) => flood(response, 5 * MIB)],
    ['answers without end', unavailable, flood],
    [
      'answers 100 MB, compressed to a few',
      unavailable,
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100 * MIB))),
    ],
    ['declares gzip without compressing', unavailable, status(200, { 'content-encoding': 'gzip' })],
    [
      'hides key and address in a prototype',
      incomplete,
      json('{"__proto__":{"id":"a","email":"b@c.d","email_verified":true}}'),
    ],
    ['hides them in a constructor', incomplete, json('{"constructor":{"prototype":{"id":"a","email":"b@c.d"}}}')],
    ['has no key', incomplete, profile({ id: undefined })],
    ['has no address', incomplete, profile({ email: '' })],
    ['has an unverified address', incomplete, profile({ email_verified: 'true' })],
    ['has a huge key', unavailable, profile({ id: huge })],
    ['has a huge address', unavailable, profile({ email: `${huge}@example.com` })],
    ...[7, true, {}, [], ['ann'], { length: 1 }].flatMap((odd) =>
      (['id', 'email', 'given_name', 'family_name'] as const).map(
        (member) => [`has ${JSON.stringify(odd)} as ${member}`, unavailable, profile({ [member]: odd })] as const,
      ),
    ),
    ...[
      'ann',
      'a@b,c@d',
      'Ann <a@b.c>',
      'a@b.c\r\nBcc: d@e.f',
      'a@b.c\u0000',
      '\ud800@b.c',
      `${'ﷺ'.repeat(100)}@b.c`,
    ].map((email) => [`has the address ${JSON.stringify(email)}`, unavailable, profile({ email })] as const),
  ];
  for (const [what, expected, answer] of answers) {
    it(`${what}: ${expected.join(' ')}`, async () => {
      const { left } = acme.server.misbehave(answer);
      const given = await enter(test, acme, ann);
      assertRefused(given, ...expected, what);
      assert.doesNotMatch(given.text, /canary|Acme answered|\.ts:/);
      await left;
    });
  }

  it('answers huge names: they are truncated', async () => {
    acme.server.misbehave(profile({ given_name: huge.replaceAll('xxx', 'ab\n'), family_name: '😀'.repeat(1000) }));
    const { status: code, result } = await enter(test, acme, ann);
    assert.equal(code, 200);
    const account = await test.get(`${USER}/Get`, { token: await test.admin(), query: { id: result.userId ?? 0 } });
    const { name, surname } = account.result;
    assert.ok(name.length <= 100 && surname.length <= 100 && surname.isWellFormed());
  });

  for (const code of [301, 302, 303, 307, 308]) {
    it(`redirects with ${code}: the service does not follow`, async () => {
      const { strays } = acme.server.counts;
      acme.server.misbehave(status(code, { location: `${acme.server.url}/elsewhere` }));
      assertRefused(await enter(test, acme, ann), ...unavailable);
      assert.equal(acme.server.counts.strays, strays);
    });
  }

  it('is down: 502, and works again as soon as it is up', async () => {
    await acme.server.stop();
    assertRefused(await enter(test, acme, ann), ...unavailable);
    await acme.server.start();
  });

  const silences: [what: string, answer: (response: ServerResponse) => void][] = [
    ['does not answer', () => {}],
    ['begins to answer', (response) => void response.write('{"id":')],
    ['answers one byte at a time', (response) => drip(response)],
  ];
  function drip(response: ServerResponse) {
    if (response.destroyed) return;
    response.write(' ');
    setImmediate(drip, response);
  }
  for (const [what, answer] of silences) {
    it(`${what}: 502 after ten seconds, and the connection is closed`, async () => {
      const { reached, left } = acme.server.misbehave(answer);
      let isAnswered = false;
      const asking = enter(test, acme, ann).finally(() => {
        isAnswered = true;
      });
      await reached;
      test.clock.advance(9.999);
      for (let turn = 0; turn < 50; turn += 1) await nextTurn();
      assert.equal(isAnswered, false);
      test.clock.advance(0.001);
      assertRefused(await asking, ...unavailable);
      await left;
    });
  }

  it('delays fifty sign-ins: the service answers other requests meanwhile', async () => {
    const { reached } = acme.server.misbehave(() => {});
    const waiting = times(50, () => enter(test, acme, createProfile()));
    await reached;
    await test.admin();
    test.clock.advance(10);
    assert.deepEqual(outcomes(await waiting), { 'external.unavailable': 50 });
  });

  it('pollutes no prototype by any of these answers', () => {
    for (const member of ['id', 'email', 'providerKey', 'emailAddress']) assert.equal(member in {}, false);
  });
});

describe('an implementation', () => {
  it('that returns or throws an unexpected value causes neither a fault nor an account', async (context) => {
    let respond: () => unknown = () => null;
    class Odd extends ExternalAuthProviderApiBase {
      getUserInfoAsync = async () => respond() as never;
    }
    const provider = { name: 'Odd', clientId: 'id', clientSecret: 'secret', providerApiType: Odd };
    const test = await startTestService('sqlite', { additions: { providers: [provider] } });
    context.after(() => test.close());
    await test.set('Latchkey.RateLimiting', { loginPermitLimit: 100_000 });
    const anything = fc.anything({ withNullPrototype: true, withDate: true, withTypedArray: true, withBigInt: true });
    const likely = fc.record({ providerKey: anything, emailAddress: anything, name: anything, surname: anything });
    const body = { authProvider: 'Odd', providerKey: 'ann', providerAccessCode: 'x' };
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, likely), fc.boolean(), async (odd, isThrown) => {
        respond = () => (isThrown ? Promise.reject(odd) : odd);
        const { status, error } = await test.post(EXTERNAL, { body });
        assert.ok((status === 401 || status === 502) && error.reason.startsWith('external.'), error?.reason);
      }),
    );
    assert.equal((await test.get(`${USER}/GetAll`, { token: await test.admin() })).result.totalCount, 1);
  });
});

describe('an account with an external login', () => {
  /** Returns the parts of an answer that an attacker can compare. */
  const visible = ({ status, headers: { date: _, ...told }, body }: TestAnswer) => {
    return { status, told, body: { ...body, error: { ...body.error, traceId: 'any' } } };
  };

  it('is not revealed to a caller that the provider does not authenticate', async (context) => {
    const test = await startTestService('sqlite', { additions: { providers: [acme.provider] } });
    context.after(() => test.close());
    const known = createProfile({ email: 'ann@example.com' });
    await test.createUser('ann', { emailAddress: 'ann@example.com' });
    const linked = createProfile();
    await enter(test, acme, linked);
    for (const more of [{ providerKey: 'another' }, { providerAccessCode: 'wrong' }]) {
      const [first, ...others] = [createProfile(), known, linked].map((person) => enter(test, acme, person, { more }));
      const expected = visible((await first) as TestAnswer);
      for (const other of others) assert.deepEqual(visible(await other), expected);
    }
  });
});

for (const [name, start] of Object.entries(setUps)) {
  const parallel = name.includes('two') ? often(40, 200) : 20;
  describe(`concurrent sign-ins through a provider, on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    let ann: ReturnType<typeof createProfile>;
    let verdict: ReviewVerdict;
    before(async () => {
      setUp = await start({ additions: { providers: [acme.provider], reviewers: [() => verdict] } });
      ({ here, there } = setUp);
      // Waiting requests sleep in real time. If many spun instead, no other request would get a turn.
      Object.assign(here.clock, { sleep: () => pause(20) });
    });
    beforeEach(() => {
      verdict = 'register';
      ann = createProfile();
    });
    after(() => setUp.close());

    const race = (count: number, personOf: (turn: number) => AcmeProfile = () => ann) =>
      times(count, (turn) => patiently(() => enter(turn % 2 ? here : there, acme, personOf(turn))));
    const find = async (keyword: string) => {
      const query = { keyword, maxResultCount: 100 };
      return (await here.get(`${USER}/GetAll`, { token: await here.admin(), query })).result.items;
    };
    const count = async (table: 'external_login' | 'account') =>
      (await here.service.database.sql.selectFrom(table).selectAll().execute()).length;

    it(`create one account in ${parallel} parallel first sign-ins, and all succeed`, async () => {
      const answers = await race(parallel);
      assert.deepEqual(outcomes(answers), { 200: parallel });
      const [account, ...others] = await find(ann.id);
      assert.ok(account);
      assert.deepEqual([new Set(answers.map(({ result }) => result.userId)).size, others], [1, []]);
      assert.equal(answers[0]?.result.userId, account.id);
      const query = { action: 'signIn.externalRegistered', userId: account.id };
      const trail = await here.get('/api/services/app/Audit/GetAll', { token: await here.admin(), query });
      assert.equal(trail.result.totalCount, 1);
      const links = here.service.database.sql.selectFrom('external_login').selectAll();
      assert.equal((await links.where('account_id', '=', account.id).execute()).length, 1);
      const { items } = (await there.get(SESSIONS, { token: answers[0]?.result.accessToken })).result;
      assert.equal(items.length, parallel);
    });

    it('accept a code once when it is sent many times', async () => {
      const body = proofOf(acme, ann);
      const answers = await times(20, (turn) => patiently(() => (turn % 2 ? here : there).post(EXTERNAL, { body })));
      assert.deepEqual(outcomes(answers), { 200: 1, 'external.couldNotValidate': 19 });
    });

    it('give an address that two identities share to one account', async () => {
      const bob = createProfile({ email: ann.email.toUpperCase() });
      const answers = await race(20, (turn) => (turn % 4 < 2 ? ann : bob));
      assert.deepEqual(outcomes(answers), { 200: 10, 'external.emailInUse': 10 });
      assert.equal(new Set(answers.flatMap(({ result }) => result?.userId ?? [])).size, 1);
      assert.equal((await find(ann.email)).length, 1);
    });

    it('share no address with an account that is created concurrently', async () => {
      const token = await here.admin();
      for (let round = 0; round < 5; round += 1) {
        const person = createProfile();
        const body = { userName: `rival-${person.id}`, emailAddress: person.email };
        const [rival, ...answers] = await Promise.all([
          patiently(() => here.post(`${USER}/Create`, { token, body })),
          ...Array.from({ length: 4 }, () => patiently(() => enter(there, acme, person))),
        ]);
        const isLate = rival.status === 409;
        assert.deepEqual(outcomes(answers), isLate ? { 200: 4 } : { 'external.emailInUse': 4 });
        assert.equal((await find(person.email)).length, 1);
      }
    });

    it('create one account that waits for approval, and open no session', async () => {
      verdict = 'hold';
      const answers = await race(20);
      assert.deepEqual(outcomes(answers), { 200: 1, 'signIn.notActive': 19 });
      assert.equal(answers.find(({ status }) => status === 200)?.result.waitingForActivation, true);
      assert.equal((await find(ann.id)).length, 1);
    });

    for (const [what, shutOut] of [
      [
        'deactivated',
        (token: string, id: number) => here.post(`${USER}/InactivateUser`, { token, body: { userId: id } }),
      ],
      ['deleted', (token: string, id: number) => here.send('DELETE', `${USER}/Delete`, { token, query: { id } })],
    ] as const) {
      it(`leave no live session of an account that is ${what} meanwhile`, async () => {
        const token = await here.admin();
        const { result } = await enter(here, acme, ann);
        assert.ok(result.userId);
        const [ended, ...answers] = await Promise.all([shutOut(token, result.userId), race(10), race(10)]);
        assert.equal(ended.status, 200);
        assert.deepEqual(
          Object.keys(outcomes(answers.flat())).filter((outcome) => outcome.startsWith('service')),
          [],
        );
        const opened = [result, ...answers.flat().map((answer) => answer.result)].filter(
          (one) => one?.userId === result.userId,
        );
        for (const { accessToken } of opened) {
          assertRefused(await there.get(SESSIONS, { token: accessToken }), 401, 'token.revoked');
        }
      });
    }

    it('open no session by a link that is removed concurrently', async () => {
      const { lockouts, database } = here.service;
      const { reserve } = lockouts;
      await enter(here, acme, ann);
      const taking: typeof reserve = async (...args) => {
        await database.sql.deleteFrom('external_login').where('provider_key', '=', ann.id).execute();
        return reserve(...args);
      };
      Object.assign(lockouts, { reserve: taking });
      assertRefused(await enter(here, acme, ann), 401, 'external.couldNotValidate');
      Object.assign(lockouts, { reserve });
      assertRefused(await enter(here, acme, ann), 409, 'external.emailInUse');
    });

    it('leave as many links as accounts that they created', async () => {
      const others = (await find('rival-')).length + ['admin', 'who has lost the link'].length;
      assert.equal(await count('external_login'), (await count('account')) - others);
    });
  });
}

for (const engine of engines) {
  it(`codes, keys and secrets are in no log line, no audit row and no answer, on ${engine}`, async (context) => {
    let verdict: ReviewVerdict = 'refuse';
    class Leaky extends ExternalAuthProviderApiBase {
      async getUserInfoAsync(code: string): Promise<never> {
        const { clientSecret } = this.providerInfo;
        const cause = Object.assign(new Error(`${code} by ${clientSecret}`), { request: { code, clientSecret } });
        throw Object.assign(new Error(`${acme.server.url}/?${new URLSearchParams({ code })}`, { cause }), { code });
      }
    }
    const providers = [acme.provider, { ...acme.provider, name: 'Leaky', providerApiType: Leaky }];
    const test = await startTestService(engine, { additions: { providers, reviewers: [() => verdict] } });
    context.after(() => test.close());
    const stranger = createProfile({ id: `canary key ${engine}`, email: 'canary-stranger@example.com' });
    const answers = [
      await enter(test, acme, stranger),
      await enter(test, acme, stranger, { more: { authProvider: 'Leaky' } }),
      await enter(test, acme, stranger, { more: { authProvider: 'canary name' } }),
      await enter(test, acme, stranger, { more: { providerKey: 'canary other key' } }),
      await enter(test, acme, stranger, { more: { providerAccessCode: ['canary'] } }),
    ];
    acme.server.misbehave((response) => sendJson(response, 500, stranger));
    answers.push(await enter(test, acme, stranger));
    acme.server.behave();
    await test.createUser('taken', { emailAddress: 'canary-stranger@example.com' });
    verdict = 'register';
    answers.push(await enter(test, acme, stranger), await enter(test, acme, createProfile()));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 502, 400, 401, 400, 502, 409, 200],
    );
    for (const { text } of answers) assert.doesNotMatch(text, /canary/i);
    const logged = test.logs.join('');
    assert.match(
      logged,
      /The provider \\"Leaky\\" could not be asked: http:.*\[redacted\].*: \[redacted\] by \[redacted\]/,
    );
    assert.match(logged, /The provider \\"Acme\\" could not be asked: Acme answered 500\./);
    assert.doesNotMatch(logged, /canary/i);
    const trail = await test.service.database.sql.selectFrom('audit').selectAll().execute();
    assert.ok(trail.some(({ action }) => action === 'signIn.external'));
    assert.doesNotMatch(JSON.stringify(trail), /canary/i);
  });
}
