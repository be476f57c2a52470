// Calls to providers: what implementations get, their time limit, and the error of each failure.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { createEgress, parseEgressAllowance } from '../foundation/egress.ts';
import { AuthError } from '../foundation/errors.ts';
import { type ExternalAuthCall, ExternalAuthProviderApiBase, type ExternalLoginProviderInfo } from './provider.ts';
import { createProviders } from './providers.ts';

type Answer = (accessCode: string, call: ExternalAuthCall & { info: ExternalLoginProviderInfo }) => unknown;

const profile = { name: 'Ann', surname: 'Lee', emailAddress: 'ann@example.com' };
const ann = { provider: 'Acme', providerKey: 'ann', ...profile };
const rules = { registersNewUsers: true, allowedDomains: [], roleForNewUsers: null, verifiesAddresses: true };
const identified = { provider: 'Acme', providerKey: 'ann', profile, rules, source: null };

/** Creates the providers of an installation where no administrator has registered one. */
function createCodeProviders(deps: Pick<Parameters<typeof createProviders>[0], 'registered' | 'clock'>) {
  const egress = createEgress({ allowance: parseEgressAllowance(''), isDevelopment: true });
  return createProviders({
    ...deps,
    rows: {
      list: () => [],
      readEnabledNames: async () => [],
      confirm: () => assert.fail(),
      isCurrent: () => assert.fail(),
    },
    egress,
  });
}

/** Registers an implementation with this answer. */
function register(name: string, answer: Answer): ExternalLoginProviderInfo {
  class Api extends ExternalAuthProviderApiBase {
    getUserInfoAsync(accessCode: string) {
      return answer(accessCode, { fetch: this.fetch, info: this.providerInfo }) as Promise<typeof ann>;
    }
  }
  return { name, clientId: `${name} id`, clientSecret: `${name} secret`, providerApiType: Api };
}

function ask(answer: Answer, { providerKey = 'ann', name = 'Acme', clock = createManualClock() } = {}) {
  const providers = createCodeProviders({ registered: [register('Acme', answer)], clock });
  return providers.identify({ authProvider: name, providerKey, accessCode: 'the code' });
}

async function failure(answer: Answer, more: Parameters<typeof ask>[1] = {}): Promise<AuthError> {
  const error = await ask(answer, more).then(
    (user) => assert.fail(JSON.stringify(user)),
    (thrown) => thrown,
  );
  assert.ok(error instanceof AuthError, error.stack);
  return error;
}

const reasonOf = async (answer: Answer, more?: Parameters<typeof ask>[1]) => (await failure(answer, more)).reason;

describe('a provider', () => {
  it('is listed with its name and client id, in the order of registration, and with no secret', () => {
    const registered = ['Globex', 'Acme', '__proto__'].map((name) => register(name, () => ann));
    const list = createCodeProviders({ registered, clock: createManualClock() }).list();
    assert.deepEqual(
      list,
      ['Globex', 'Acme', '__proto__'].map((name) => ({ name, clientId: `${name} id`, displayName: name })),
    );
    assert.deepEqual(Object.keys(list[0] ?? {}), ['name', 'clientId', 'displayName']);
  });

  it('is called once for a sign-in, on a separate instance with the registration', async () => {
    const seen: unknown[] = [];
    const registration = register('Acme', (accessCode, { info }) => {
      seen.push([accessCode, info]);
      return ann;
    });
    const providers = createCodeProviders({ registered: [registration], clock: createManualClock() });
    const proof = { authProvider: 'Acme', providerKey: 'ann', accessCode: 'the code' };
    assert.deepEqual(await providers.identify(proof), identified);
    assert.deepEqual(seen, [['the code', registration]]);
  });

  it('has its registered name, even if it answers another one', async () => {
    const answered = { ...ann, provider: 'Globex', extra: 1 };
    assert.deepEqual(await ask(() => answered), identified);
  });

  it('is found by its exact name', async () => {
    for (const name of ['acme', 'ACME', 'Acme ', ' Acme', 'Globex', '', '__proto__', 'constructor', 'toString']) {
      assert.equal(await reasonOf(() => assert.fail('asked'), { name }), 'external.unknownProvider', name);
    }
  });

  it('refuses a code by an empty answer, and a key by another key', async () => {
    const keys = ['Ann', 'ann ', 'an', 'anna', '__proto__', 'bob'];
    for (const nothing of [null, undefined]) {
      assert.equal(await reasonOf(async () => nothing), 'external.couldNotValidate');
    }
    for (const providerKey of keys) {
      assert.equal(await reasonOf(() => ann, { providerKey }), 'external.couldNotValidate', providerKey);
    }
  });

  const failures: [what: string, reason: string, answer: Answer, logged: RegExp][] = [
    ['throws', 'unavailable', () => assert.fail('down'), /^The provider "Acme" could not be asked$/],
    ['rejects', 'unavailable', () => Promise.reject(new Error('down')), /^The provider "Acme" could not be asked$/],
    ['answers malformed', 'unavailable', () => 'ann', /^The provider "Acme" has given a malformed answer$/],
    [
      'answers no key',
      'incompleteProfile',
      () => ({ ...ann, providerKey: '' }),
      /^The provider "Acme" has named no key$/,
    ],
  ];
  for (const [what, reason, answer, logged] of failures) {
    it(`that ${what}: external.${reason}, and the log names it`, async () => {
      const error = await failure(answer);
      assert.deepEqual([error.reason, error.status], [`external.${reason}`, 502]);
      assert.match((error.cause as Error).message, logged);
    });
  }

  const unregistrable: [what: string, reason: string, status: number, more: object, logged: RegExp][] = [
    ['no address', 'incompleteProfile', 502, { emailAddress: null }, /"Acme" has named no e-mail address$/],
    ['a malformed address', 'unavailable', 502, { emailAddress: 'ann' }, /"Acme" has given a malformed e-mail address/],
    [
      'an unverified address',
      'couldNotValidate',
      401,
      { isEmailVerified: false },
      /"Acme" does not say that .* verified/,
    ],
    ['a failure', 'unavailable', 502, { failure: new Error('down: the code') }, /"Acme" could not be asked$/],
  ];
  for (const [what, reason, status, more, logged] of unregistrable) {
    it(`that answers ${what} has identified the person, who cannot register: external.${reason}`, async () => {
      const { provider, providerKey, profile: error } = await ask(() => ({ ...ann, ...more }));
      assert.deepEqual([provider, providerKey], ['Acme', 'ann']);
      assert.ok(error instanceof AuthError);
      assert.deepEqual([error.reason, error.status], [`external.${reason}`, status]);
      const cause = error.cause as Error;
      assert.match(cause.message, logged);
      assert.doesNotMatch(String((cause.cause as Error | undefined)?.message), /the code/);
    });
  }

  it('that refuses a code may say why, without the code', async () => {
    class Api extends ExternalAuthProviderApiBase {
      async getUserInfoAsync(accessCode: string) {
        this.refusalReason = `it has expired: ${accessCode}`;
        return null;
      }
    }
    const registered = [{ ...register('Acme', () => ann), providerApiType: Api }];
    const providers = createCodeProviders({ registered, clock: createManualClock() });
    const proof = { authProvider: 'Acme', providerKey: 'ann', accessCode: 'the code' };
    const error: AuthError = await providers.identify(proof).catch((thrown) => thrown);
    assert.equal(error.reason, 'external.couldNotValidate');
    const { message, cause } = error.cause as Error;
    assert.equal(message, 'The provider "Acme" has refused the code');
    assert.equal((cause as Error).message, 'it has expired: [redacted]');
  });

  it('whose class cannot be constructed or has members that throw is unavailable', async () => {
    const trap = {
      ...ann,
      get providerKey(): string {
        throw new Error('a trap');
      },
    };
    assert.equal(await reasonOf(() => trap), 'external.unavailable');
    const clock = createManualClock();
    class Broken extends ExternalAuthProviderApiBase {
      constructor(info: ExternalLoginProviderInfo) {
        super(info);
        throw new Error('broken');
      }
      getUserInfoAsync = async () => ann;
    }
    const registered = [{ ...register('Acme', () => ann), providerApiType: Broken }];
    const identifying = createCodeProviders({ registered, clock }).identify({
      ...ann,
      authProvider: 'Acme',
      accessCode: 'x',
    });
    await assert.rejects(identifying, { reason: 'external.unavailable' });
  });

  it('that throws errors with code and secret: the log has neither', async () => {
    const error = await failure((code, { info: { clientId, clientSecret } }) => {
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      throw new Error(`${code} ${clientSecret} Basic ${basic}`, {
        cause: new Error(`POST code=${encodeURIComponent(code)}`),
      });
    });
    const { cause } = error.cause as { cause: Error };
    assert.equal(cause.message, '[redacted] [redacted] Basic [redacted]');
    assert.equal((cause.cause as Error).message, 'POST code=[redacted]');
  });
});

describe('a slow provider', () => {
  it('has ten seconds', async () => {
    for (const seconds of [9.999, 10]) {
      const clock = createManualClock();
      const asked = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<typeof ann>();
      const answer = () => {
        asked.resolve();
        return answered.promise;
      };
      const outcome = ask(answer, { clock }).catch(({ reason }) => reason);
      await asked.promise;
      clock.advance(seconds);
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();
      answered.resolve(ann);
      assert.deepEqual(await outcome, seconds < 10 ? identified : 'external.unavailable');
    }
  });

  /** Runs `work` with a server that responds like this. `left` resolves when the connection is closed. */
  async function askServer(
    respond: (response: ServerResponse) => void,
    work: (url: string, left: Promise<void>) => Promise<void>,
  ) {
    const left = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      response.on('close', left.resolve);
      respond(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, left.promise).finally(() => {
      server.close();
      server.closeAllConnections();
    });
  }

  it('is disconnected when its time is over, also while it answers', async () => {
    const ways: ((response: ServerResponse) => void)[] = [() => {}, (response) => void response.write('half')];
    for (const respond of ways) {
      const reached = Promise.withResolvers<void>();
      const answering = (response: ServerResponse) => {
        respond(response);
        reached.resolve();
      };
      await askServer(answering, async (url, left) => {
        const clock = createManualClock();
        const asking = reasonOf(async (_, { fetch }) => (await fetch(url)).json(), { clock });
        await reached.promise;
        clock.advance(10);
        assert.equal(await asking, 'external.unavailable');
        await left;
      });
    }
  });

  it('is disconnected after the sign-in, with unread responses and pending requests', async () => {
    await askServer(
      (response) => void response.write('half'),
      async (url, left) => {
        assert.deepEqual(await ask(async (_, { fetch }) => ((await fetch(url)).ok ? ann : null)), identified);
        await left;
      },
    );
    const reached = Promise.withResolvers<void>();
    await askServer(
      () => reached.resolve(),
      async (url, left) => {
        const answer: Answer = async (_, { fetch }) => {
          void fetch(url);
          await reached.promise;
          return ann;
        };
        assert.deepEqual(await ask(answer), identified);
        await left;
      },
    );
  });
});

describe('the sign-in page of a provider', () => {
  /** Creates providers whose class answers like this, and counts the calls. */
  function withPage(answer: () => unknown) {
    const counts = { asked: 0 };
    class Api extends ExternalAuthProviderApiBase {
      override getSignInAddressAsync() {
        counts.asked += 1;
        return answer() as Promise<string>;
      }
      async getUserInfoAsync() {
        return ann;
      }
    }
    const clock = createManualClock();
    const registered = [
      register('Globex', () => ann),
      { ...register('Acme', () => ann), providerApiType: Api },
      { ...register('__proto__', () => ann), providerApiType: Api },
    ];
    return { providers: createCodeProviders({ registered, clock }), clock, counts };
  }
  const page = (address: string) => ({ address, clientId: 'Acme id' });
  const find = (answer: () => unknown) => withPage(answer).providers.findSignInPage('Acme');

  it('exists if the class has the method, and the list calls no provider', async () => {
    const { providers, counts } = withPage(() => assert.fail('asked'));
    const names = providers.listSignInPages().map(({ name }) => name);
    assert.deepEqual(names, ['Acme', '__proto__']);
    for (const name of ['Globex', 'acme', '', 'constructor', 'unknown']) {
      await assert.rejects(providers.findSignInPage(name), { reason: 'external.unknownProvider' });
    }
    assert.equal(counts.asked, 0);
  });

  it('is the address that the class answers, without a fragment', async () => {
    const addresses = [
      ['https://sso.example/sign-in?tenant=a%20b', 'https://sso.example/sign-in?tenant=a%20b'],
      ['HTTPS://SSO.example', 'https://sso.example/'],
      ['https://sso.example/#state=forged', 'https://sso.example/'],
      ['http://localhost:1/a', 'http://localhost:1/a'],
      ['http://127.0.0.1/a', 'http://127.0.0.1/a'],
      ['http://[::1]/a', 'http://[::1]/a'],
    ] as const;
    for (const [answered, address] of addresses) {
      assert.deepEqual(await find(async () => answered), page(address));
      assert.deepEqual(await find(() => answered), page(address), 'without a promise');
    }
  });

  it('is unavailable if the address is not a secure URL, and the log does not contain it', async () => {
    const hosts = [
      'http://sso.example',
      'http://localhost.example',
      'http://127.0.0.1.example',
      'http://0.0.0.0',
      'http://10.0.0.1',
    ];
    const others = [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://sso.example',
      '//sso.example',
      '/sign-in',
      'sso',
      '',
    ];
    const odd = [null, undefined, 7, {}, ['https://sso.example'], new URL('https://sso.example')];
    const long = `https://sso.example/${'x'.repeat(2000)}`;
    for (const answered of [...hosts, ...others, ...odd, long, 'https://ann@sso.example', 'https://:pw@sso.example']) {
      const error: AuthError = await find(async () => answered).then(
        () => assert.fail(String(answered)),
        (thrown) => thrown,
      );
      assert.equal(error.reason, 'external.unavailable', String(answered));
      const { message, cause } = error.cause as Error & { cause: Error };
      assert.equal(message, 'The provider "Acme" could not be asked');
      assert.match(cause.message, /^The address of the sign-in page must be a URL/);
    }
  });

  it('is unavailable if the class throws, and the error is logged without the secret', async () => {
    for (const fail of [() => assert.fail('with Acme secret'), () => Promise.reject(new Error('with Acme secret'))]) {
      const error: AuthError = await find(fail).then(
        () => assert.fail('found'),
        (thrown) => thrown,
      );
      assert.equal(error.reason, 'external.unavailable');
      assert.equal((error.cause as { cause: Error }).cause.message, 'with [redacted]');
    }
  });

  it('is requested once in ten seconds, for any number of callers and any answer, and again after that', async () => {
    for (const isDown of [false, true]) {
      let turn = 0;
      const { providers, clock, counts } = withPage(async () => {
        if (isDown) throw new Error('down');
        turn += 1;
        return `https://sso.example/${turn}`;
      });
      const look = () => providers.findSignInPage('Acme').catch(({ reason }) => reason);
      const expected = (count: number) => (isDown ? 'external.unavailable' : page(`https://sso.example/${count}`));
      const many = await Promise.all(Array.from({ length: 50 }, look));
      assert.deepEqual(many, Array(50).fill(expected(1)));
      clock.advance(9.999);
      assert.deepEqual(await look(), expected(1));
      assert.equal(counts.asked, 1);
      clock.advance(0.001);
      assert.deepEqual([await look(), counts.asked], [expected(2), 2]);
      clock.advance(-3600);
      assert.deepEqual([await look(), counts.asked], [expected(3), 3], 'the clock was set back');
    }
  });

  it('is unavailable if the class takes longer than ten seconds', async () => {
    const { providers, clock } = withPage(() => new Promise(() => {}));
    const finding = providers.findSignInPage('Acme').catch(({ reason }) => reason);
    clock.advance(10);
    assert.equal(await finding, 'external.unavailable');
  });
});

describe('isValidUserAsync', () => {
  const isValid = (answer: unknown, userId: string) => {
    const { providerApiType, ...info } = register('Acme', async () => answer);
    return new providerApiType({ ...info, providerApiType }).isValidUserAsync(userId, 'the code');
  };

  it('compares the key of the provider with the given one', async () => {
    assert.equal(await isValid(ann, 'ann'), true);
    for (const key of ['Ann', 'ann ', '', 'bob', '__proto__']) assert.equal(await isValid(ann, key), false, key);
    assert.equal(await isValid({ ...ann, providerKey: 'é' }, 'e\u0301'), false);
  });

  it('is false without a user, and for a key that is not a string', async () => {
    for (const user of [null, undefined, {}, { providerKey: 7 }, { providerKey: ['7'] }]) {
      assert.equal(await isValid(user, '7'), false);
    }
    assert.equal(await isValid({ providerKey: undefined }, 'undefined'), false);
  });
});
