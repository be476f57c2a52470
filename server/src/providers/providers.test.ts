// Asking providers: what their implementations are given, how long they have, and what each end of it is called.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { type ExternalAuthCall, ExternalAuthProviderApiBase, type ExternalLoginProviderInfo } from './provider.ts';
import { createProviders } from './providers.ts';

type Answer = (accessCode: string, call: ExternalAuthCall & { info: ExternalLoginProviderInfo }) => unknown;

const ann = { provider: 'Acme', providerKey: 'ann', name: 'Ann', surname: 'Lee', emailAddress: 'ann@example.com' };

/** A registration whose implementation answers like this. */
function register(name: string, answer: Answer): ExternalLoginProviderInfo {
  class Api extends ExternalAuthProviderApiBase {
    getUserInfoAsync(accessCode: string) {
      return answer(accessCode, { fetch: this.fetch, info: this.providerInfo }) as Promise<typeof ann>;
    }
  }
  return { name, clientId: `${name} id`, clientSecret: `${name} secret`, providerApiType: Api };
}

function ask(answer: Answer, { providerKey = 'ann', name = 'Acme', clock = createManualClock() } = {}) {
  const providers = createProviders({ registered: [register('Acme', answer)], clock });
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
    const list = createProviders({ registered, clock: createManualClock() }).list();
    assert.deepEqual(
      list,
      ['Globex', 'Acme', '__proto__'].map((name) => ({ name, clientId: `${name} id` })),
    );
    assert.deepEqual(Object.keys(list[0] ?? {}), ['name', 'clientId']);
  });

  it('is asked once, by an object of its own for each sign-in that knows the registration', async () => {
    const seen: unknown[] = [];
    const registration = register('Acme', (accessCode, { info }) => {
      seen.push([accessCode, info]);
      return ann;
    });
    const providers = createProviders({ registered: [registration], clock: createManualClock() });
    const proof = { authProvider: 'Acme', providerKey: 'ann', accessCode: 'the code' };
    assert.deepEqual(await providers.identify(proof), ann);
    assert.deepEqual(seen, [['the code', registration]]);
  });

  it('is called by its registered name, whatever it says', async () => {
    const answered = { ...ann, provider: 'Globex', extra: 1 };
    assert.deepEqual(await ask(() => answered), ann);
  });

  it('is known by its name to the letter', async () => {
    for (const name of ['acme', 'ACME', 'Acme ', ' Acme', 'Globex', '', '__proto__', 'constructor', 'toString']) {
      assert.equal(await reasonOf(() => assert.fail('asked'), { name }), 'external.unknownProvider', name);
    }
  });

  it('refuses a code by answering nothing, and a key by naming another', async () => {
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
    ['answers nonsense', 'unavailable', () => 'ann', /^What the provider "Acme" answers cannot be used$/],
    ['answers no key', 'incompleteProfile', () => ({ ...ann, providerKey: '' }), /"Acme" answers without a key or/],
    ['answers no address', 'incompleteProfile', () => ({ ...ann, emailAddress: null }), /"Acme" answers without a key/],
  ];
  for (const [what, reason, answer, logged] of failures) {
    it(`that ${what}: external.${reason}, and the log is told of whom`, async () => {
      const error = await failure(answer);
      assert.deepEqual([error.reason, error.status], [`external.${reason}`, 502]);
      assert.match((error.cause as Error).message, logged);
    });
  }

  it('whose class cannot be constructed or has members that throw is out of reach', async () => {
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
    const identifying = createProviders({ registered, clock }).identify({
      ...ann,
      authProvider: 'Acme',
      accessCode: 'x',
    });
    await assert.rejects(identifying, { reason: 'external.unavailable' });
  });

  it('that tells code and secret in what it throws: the log is told neither', async () => {
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

describe('a provider that takes its time', () => {
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
      assert.deepEqual(await outcome, seconds < 10 ? ann : 'external.unavailable');
    }
  });

  /** Asks an implementation that asks a server which answers like this. @returns when the server was left alone. */
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

  it('is left when its time is over, also while it answers', async () => {
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

  it('is left when the sign-in is over, with answers that nobody read and requests that nobody waits for', async () => {
    await askServer(
      (response) => void response.write('half'),
      async (url, left) => {
        assert.deepEqual(await ask(async (_, { fetch }) => ((await fetch(url)).ok ? ann : null)), ann);
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
        assert.deepEqual(await ask(answer), ann);
        await left;
      },
    );
  });
});

describe('isValidUserAsync', () => {
  const isValid = (answer: unknown, userId: string) => {
    const { providerApiType, ...info } = register('Acme', async () => answer);
    return new providerApiType({ ...info, providerApiType }).isValidUserAsync(userId, 'the code');
  };

  it('compares the key that the provider names with the one that is given', async () => {
    assert.equal(await isValid(ann, 'ann'), true);
    for (const key of ['Ann', 'ann ', '', 'bob', '__proto__']) assert.equal(await isValid(ann, key), false, key);
    assert.equal(await isValid({ ...ann, providerKey: 'é' }, 'e\u0301'), false);
  });

  it('is false for nobody, and for a key that is no text', async () => {
    for (const nobody of [null, undefined, {}, { providerKey: 7 }, { providerKey: ['7'] }]) {
      assert.equal(await isValid(nobody, '7'), false);
    }
    assert.equal(await isValid({ providerKey: undefined }, 'undefined'), false);
  });
});
