// Extensions: modules in any folder, the context they receive, and the one line with which a bad one stops the start.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { DeliveryError, type ExtensionContext } from '../../src/extensions/index.ts';
import { createManualClock } from '../support/clock.ts';
import { failure, importExtension, load, writeExtension, writeInitializing } from '../support/extensions.ts';

const registering = (channel: string) =>
  `export function initialize({ registerChannel }) { registerChannel(${channel}); }`;

describe('extensions that are loaded', () => {
  const typed = `
    import { type Channel, DeliveryError, type ExtensionContext, type OutgoingMessage } from 'latchkey/extension';
    export async function initialize(context: ExtensionContext): Promise<void> {
      await Promise.resolve();
      const send: Channel['send'] = async ({ to }: OutgoingMessage) => { throw new DeliveryError('refused', to); };
      context.registerChannel({ name: 'typed', means: 'sms', send });
    }`;
  const plain = `
    import { DeliveryError } from 'latchkey/extension';
    class Mail {
      name = 'plain-2'; means = 'email'; #reason = 'not today';
      async send() { throw new DeliveryError('notSent', this.#reason); }
      close() {}
    }
    export function initialize({ registerChannel }) { registerChannel(new Mail()); }`;
  const signal = new AbortController().signal;

  for (const extension of ['ts', 'mts']) {
    it(`in TypeScript: .${extension}, alone in a folder, with the API's own classes`, async () => {
      const { channels } = await load([writeExtension(`channel.${extension}`, typed)]);
      assert.deepEqual(Object.keys(channels), ['sms']);
      const sent = channels.sms?.send({ id: '1', to: '+27821234567', text: 'Hello' }, { signal });
      await assert.rejects(sent ?? Promise.resolve(), (error) => {
        return error instanceof DeliveryError && error.kind === 'refused' && error.message === '+27821234567';
      });
    });
  }

  for (const extension of ['mjs', 'js']) {
    it(`in JavaScript: .${extension}, with a channel that is an instance of a class`, async () => {
      const { channels } = await load([writeExtension(`channel.${extension}`, plain)]);
      const sent = channels.email?.send({ id: '1', to: 'ann@example.com', text: 'Hello' }, { signal });
      await assert.rejects(sent ?? Promise.resolve(), { name: 'DeliveryError', kind: 'notSent', message: 'not today' });
    });
  }

  it('none by default, and several with one channel for each means', async () => {
    assert.deepEqual((await load([])).channels, {});
    const { channels } = await load([writeExtension('a.ts', typed), writeExtension('b.mjs', plain)]);
    assert.deepEqual([channels.sms?.name, channels.email?.name], ['typed', 'plain-2']);
  });

  it('from a folder with spaces and special characters in its name, with files beside the module', async () => {
    const path = writeExtension('my channel #1 %20é.mjs', "export { initialize } from './beside.mjs';");
    writeFileSync(join(path, '../beside.mjs'), registering("{ name: 'beside', means: 'sms', async send() {} }"));
    assert.equal((await load([path])).channels.sms?.name, 'beside');
  });

  it('write log lines that name them, with secrets removed', async () => {
    const path = writeExtension(
      'talks.mjs',
      `export function initialize({ log }) {
        log.info('ready');
        log.warn('odd', { count: 3, gateway: { token: 'canary' } });
        log.error('failed', { err: new Error('no answer') });
      }`,
    );
    const { lines } = await load([path]);
    const [info, warn, error] = lines;
    assert.deepEqual([info?.level, info?.msg, info?.extension], ['info', 'ready', path]);
    assert.deepEqual([warn?.level, warn?.msg, warn?.count], ['warn', 'odd', 3]);
    assert.deepEqual([error?.level, error?.msg], ['error', 'failed']);
    assert.match(JSON.stringify(error?.err), /"message":"no answer"/);
    assert.doesNotMatch(JSON.stringify(lines), /canary/);
  });

  it('in their own process: no warning of experimental features, and a pending promise does not end it', async () => {
    const script = writeExtension(
      'main.mjs',
      `import { systemClock } from '${source('foundation/clock.ts')}';
       import { loadExtensions } from '${source('extensions/load.ts')}';
       const [path] = process.argv.slice(2);
       let now = 0;
       // An hour passes with every look.
       const clock = { ...systemClock, now: () => (now += 3600_000) };
       const log = { child: () => log, info() {} };
       const stay = process.argv[3] === 'stay' ? systemClock : clock;
       const loaded = await loadExtensions([path], { log, clock: stay }).catch(({ message }) => message);
       console.log(typeof loaded === 'string' ? loaded : loaded.channels.sms.name);`,
    );
    const run = (...args: string[]) => promisify(execFile)(process.execPath, [script, ...args]);
    const loaded = await run(writeExtension('channel.ts', typed), 'stay');
    assert.deepEqual([loaded.stdout, loaded.stderr], ['typed\n', '']);
    const hung = await run(writeExtension('hangs.mjs', 'export const initialize = () => new Promise(() => {});'));
    assert.match(hung.stdout, /hangs\.mjs has not finished .* within 10 seconds\.\n$/);
  });
});

const source = (path: string) => pathToFileURL(join(import.meta.dirname, '../../src', path)).href;

describe('extensions that stop the start', () => {
  const send = 'async send() {}';
  const cases: [what: string, text: string, reason: RegExp, file?: string][] = [
    ['a syntax error', 'export function initialize( {', /cannot be loaded: Unexpected end of input/],
    ['a syntax error', 'export const a: = 1;', /cannot be loaded: .* \(line 1\)$/, 'bad.ts'],
    ['TypeScript that cannot be erased', 'export enum A { B }', /cannot be loaded: TypeScript enum/, 'enum.ts'],
    ['an import that leads nowhere', "import 'no-such-package';", /cannot be loaded: Cannot find package 'no-such-/],
    ['an import of what the API lacks', "import { Nothing } from 'latchkey/extension';", /named 'Nothing' \(line 1\)$/],
    ['another import of ours', "import 'latchkey/src/main.ts';", /cannot be loaded: Cannot find package 'latchkey'/],
    ['an error while loading', "\nthrow new Error('no\\n  luck');", /cannot be loaded: no luck \(line 2\)$/],
    [
      'something odd thrown while loading',
      "throw { clientSecret: 'canary' };",
      /cannot be loaded: It throws an object$/,
    ],
    [
      'a function with members',
      "export function initialize() { throw Object.assign(() => {}, { clientSecret: 'canary' }); }",
      /fails to initialize: It throws a function$/,
    ],
    [
      'a revoked proxy',
      'export function initialize() { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy; }',
      /fails to initialize: It throws an object$/,
    ],
    ...['get() { throw new Error(); }', 'value: 5'].map((odd): [string, string, RegExp] => [
      `an error whose members have ${odd}`,
      `const odd = { ${odd} };
       export function initialize() {
         throw Object.defineProperties(new Error(), { message: odd, name: odd, stack: odd });
       }`,
      /fails to initialize: It throws an object$/,
    ]),
    ['no initialize', 'export const start = () => {};', /does not export a function "initialize"\.$/],
    [
      'an initialize that is no function',
      'export const initialize = {};',
      /does not export a function "initialize"\.$/,
    ],
    [
      'an error in initialize',
      "export function initialize() { throw new Error('TWILIO_FROM is not set.'); }",
      /fails to initialize: TWILIO_FROM is not set\. \(line 1\)$/,
    ],
    [
      'a rejection of initialize',
      'export const initialize = () => Promise.reject(null);',
      /fails to initialize: It throws null$/,
    ],
    [
      'a channel that is none',
      registering('null'),
      /fails to initialize: registerChannel takes an object\. \(line 1\)$/,
    ],
    ['a channel without name', registering(`{ means: 'sms', ${send} }`), /The channel's name must be/],
    [
      'a channel with an odd name',
      registering(`{ name: 'My SMS', means: 'sms', ${send} }`),
      /The channel's name must be/,
    ],
    [
      'a channel with too long a name',
      registering(`{ name: '${'a'.repeat(41)}', means: 'sms', ${send} }`),
      /The channel's name must be/,
    ],
    [
      'a channel with the outbox’s name',
      registering(`{ name: 'outbox', means: 'sms', ${send} }`),
      /"outbox" is kept for/,
    ],
    ['a channel without means', registering(`{ name: 'x', ${send} }`), /The means of channel "x" must be/],
    [
      'a channel of unknown means',
      registering(`{ name: 'x', means: 'fax', ${send} }`),
      /The means of channel "x" must be/,
    ],
    [
      'a channel without send',
      registering(`{ name: 'x', means: 'sms' }`),
      /The channel "x" must have a function "send"/,
    ],
    [
      'a channel with an odd close',
      registering(`{ name: 'x', means: 'sms', ${send}, close: true }`),
      /a "close" that is not a function/,
    ],
    [
      'a second channel for one means',
      `${registering(`{ name: 'x', means: 'sms', ${send} }`).replace(/\}$/, '')} registerChannel({ name: 'y', means: 'sms', ${send} }); }`,
      /sms has a channel already/,
    ],
  ];
  for (const [what, text, reason, file = 'bad.mjs'] of cases) {
    it(`${what} (${file})`, async () => {
      const path = writeExtension(file, text);
      const message = await failure([path]);
      assert.ok(message.startsWith(`LATCHKEY_EXTENSIONS: ${path} `), message);
      assert.match(message, reason);
    });
  }

  it('a missing file, and a folder', async () => {
    const path = writeExtension('there.mjs', registering(`{ name: 'x', means: 'sms', ${send} }`));
    const missing = `${path}.not`;
    assert.equal(await failure([path, missing]), `LATCHKEY_EXTENSIONS: ${missing} is not a file.`);
    assert.match(await failure([join(path, '..')]), / is not a file\.$/);
    // As root, the tests can look into each folder, but not at this.
    const hidden = `${path}.hidden`;
    symlinkSync(hidden, hidden);
    assert.equal(await failure([hidden]), `LATCHKEY_EXTENSIONS: ${hidden} cannot be read by this user.`);
  });

  it('a channel for means that already has one from another extension: both are named', async () => {
    const paths = ['a.mjs', 'b.mjs'].map((name) =>
      writeExtension(name, registering(`{ name: 'x', means: 'email', ${send} }`)),
    );
    const message = await failure(paths);
    assert.ok(message.startsWith(`LATCHKEY_EXTENSIONS: ${paths[1]} `), message);
    assert.match(message, new RegExp(`email has a channel already, from ${paths[0]}\\.`));
  });

  for (const [what, text] of [
    ['initialize', 'export const initialize = () => new Promise(() => {});'],
    ['the module itself', 'await new Promise(() => {}); export function initialize() {}'],
  ] as const) {
    it(`more than 10 seconds for ${what}`, async () => {
      const clock = createManualClock();
      const path = writeExtension('slow.mjs', text);
      let hasFailed = false;
      const failing = failure([path], clock).finally(() => {
        hasFailed = true;
      });
      clock.advance(9.999);
      for (let turns = 0; turns < 100; turns++) await nextTurn();
      assert.equal(hasFailed, false);
      clock.advance(0.001);
      assert.match(await failing, /slow\.mjs has not finished loading and initializing within 10 seconds\.$/);
    });
  }
});

describe('the context of an extension', () => {
  /** The context that a module received and keeps. */
  async function takeContext(clock = createManualClock()): Promise<ExtensionContext> {
    const path = writeInitializing('');
    await load([path], clock);
    return (await importExtension(path)).context;
  }

  async function withServer(
    handle: (request: IncomingMessage, response: ServerResponse) => void,
    use: (url: string, server: Server) => Promise<void>,
  ) {
    const server = createServer(handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  it('registers nothing once initialize has ended', async () => {
    const { externalAuth, ...context } = await takeContext();
    const late: Record<string, () => unknown> = {
      channel: () => context.registerChannel({ name: 'late', means: 'sms', send: async () => {} }),
      reviewer: () => context.onExternalUserRegistering(() => 'refuse'),
      listener: () => context.subscribe(() => {}),
      setting: () =>
        context.defineSetting({
          name: 'Late',
          scope: 'general',
          category: 'Late',
          label: 'Late',
          schema: { type: 'boolean' },
          default: true,
        }),
    };
    for (const [what, register] of Object.entries(late)) {
      assert.throws(register, { message: 'initialize has ended: register everything while it runs.' }, what);
    }
    assert.throws(() => externalAuth.providers.push(Object.create(null)), /not extensible/);
  });

  it('has a fetch that follows redirects as it is told', async () => {
    const redirect = (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/there') response.end('arrived');
      else response.writeHead(307, { location: '/there' }).end();
    };
    await withServer(redirect, async (url) => {
      const { fetch } = await takeContext();
      assert.equal(await (await fetch(url)).text(), 'arrived');
      assert.equal((await fetch(url, { redirect: 'manual' })).status, 307);
      await assert.rejects(fetch(url, { redirect: 'error' }), TypeError);
    });
  });

  const half = (_: IncomingMessage, response: ServerResponse) => void response.write('{');
  for (const [what, handle] of [
    ['no answer', () => {}],
    ['half an answer', half],
  ] as const) {
    it(`has a fetch that gives up after 15 seconds with ${what}, and earlier when it is told to`, async () => {
      await withServer(handle, async (url, server) => {
        const timers: { milliseconds: number; task: () => unknown }[] = [];
        const clock = createManualClock();
        const every: typeof clock.every = (milliseconds, task) => {
          const timer = { milliseconds, task };
          timers.push(timer);
          return () => void timers.splice(timers.indexOf(timer), 1);
        };
        const { fetch } = await takeContext({ ...clock, every });

        /** Lets a call proceed until the request has arrived, or until its answer has begun. */
        async function endCall(call: () => Promise<Response>, end: () => void, expected: { name: string }) {
          const arrived = once(server, 'request');
          const answer = call();
          await (handle === half ? answer : arrived);
          end();
          await assert.rejects(
            answer.then((given) => given.text()),
            expected,
          );
        }

        const caller = new AbortController();
        const { signal } = caller;
        for (const init of [undefined, { signal }]) {
          await endCall(
            () => fetch(url, init),
            () => timers[0]?.task(),
            { name: 'TimeoutError' },
          );
          assert.equal(timers.length, 0, 'a timer that has fired is stopped');
        }
        await endCall(
          () => fetch(url, { signal }),
          () => caller.abort(),
          { name: 'AbortError' },
        );
        const other = new AbortController();
        const request = new Request(url, { signal: other.signal });
        await endCall(
          () => fetch(request),
          () => other.abort(),
          { name: 'AbortError' },
        );
        assert.deepEqual(
          timers.map(({ milliseconds }) => milliseconds),
          [15_000, 15_000],
        );
      });
    });
  }
});
