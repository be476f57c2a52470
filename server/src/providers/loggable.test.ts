// What the service logs of failures of extensions: enough to find the cause, and no secret.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toLoggable } from './loggable.ts';

const CODE = `co/de + "quoted" & 'it' ~é`;
const SECRET = 'se cret';

/** Collects every text of the error that a log could show. */
const logged = (thrown: unknown, secrets = [CODE, SECRET]) => {
  const error = toLoggable(thrown, secrets);
  const chain: Error[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) chain.push(one);
  const members = chain.map((one) => JSON.stringify({ ...one }));
  return { error, chain, text: [...chain.map(({ message, stack }) => `${message}\n${stack}`), ...members].join('\n') };
};

function assertFree(text: string) {
  const inForm = new URLSearchParams({ code: CODE }).toString().slice('code='.length);
  for (const form of [CODE, inForm, encodeURIComponent(CODE), JSON.stringify(CODE).slice(1, -1), SECRET, 'se+cret']) {
    assert.equal(text.includes(form), false, `${form} in ${text}`);
  }
}

describe('what is logged of a failure', () => {
  it('is its message and stack, and those of its causes', () => {
    const cause = new TypeError('connect ECONNREFUSED 127.0.0.1:9');
    const { chain } = logged(new Error('fetch failed', { cause }));
    assert.deepEqual(
      chain.map(({ message }) => message),
      ['fetch failed', cause.message],
    );
    assert.match(chain[0]?.stack ?? '', /^Error: fetch failed\n {4}at .*loggable\.test\.ts:\d+/);
    assert.match(chain[1]?.stack ?? '', /^TypeError: connect ECONNREFUSED/);
  });

  const failures: [what: string, thrown: unknown][] = [
    ['an error', new Error(`${CODE} was refused, and ${SECRET}`)],
    ['an address', new TypeError(`Failed to parse URL from http://acme/?code=${encodeURIComponent(CODE)}`)],
    ['a form', new Error(`POST ${new URLSearchParams({ code: CODE, secret: SECRET })}`)],
    ['JSON', new Error(JSON.stringify({ code: CODE, nested: { secret: SECRET } }))],
    ['a cause', new Error('failed', { cause: new Error('because', { cause: new Error(CODE) }) })],
    ['a cause that is text', new Error('failed', { cause: CODE })],
    ['members', Object.assign(new Error('failed'), { config: { headers: [SECRET] }, code: CODE, [CODE]: 1 })],
    ['the name', Object.assign(new Error('failed'), { name: CODE })],
    ['text', `refused: ${CODE}`],
    ['an object', { message: CODE, toString: () => CODE }],
    ['a symbol', Symbol(CODE)],
  ];
  for (const [what, thrown] of failures) {
    it(`holds no secret from ${what}`, () => assertFree(logged(thrown).text));
  }

  it('describes thrown values that are not errors', () => {
    const messages = [null, undefined, 7, 'text', {}, [1]].map((thrown) => logged(thrown).error.message);
    const expected = ['It threw an object', 'It threw undefined', 'It threw 7', 'It threw text'];
    assert.deepEqual(messages, [...expected, 'It threw an object', 'It threw an object']);
  });

  it('is bounded for circular causes and long texts', () => {
    const circle = new Error('round');
    circle.cause = circle;
    const { chain, text } = logged(Object.assign(circle, { message: 'x'.repeat(2 ** 20), stack: 'y'.repeat(2 ** 20) }));
    assert.equal(chain.length, 6);
    assert.ok(text.length < 100_000);
  });

  it('holds no part of a secret at the cut, for any number of secrets before it', () => {
    const long = 'q'.repeat(300) + 'z'.repeat(300);
    for (const gap of [0, 1, 500, 3700, 3990, 4000, 4300]) {
      const { text } = logged(new Error(`${'.'.repeat(gap)}${long.repeat(40)}`), [long]);
      assert.doesNotMatch(text, /qqq|zzz/, `after ${gap}`);
    }
  });

  it('ignores secrets of a few letters, and does not grow by redaction', () => {
    const { error } = logged(new Error('e'.repeat(2 ** 20)), ['e', 'ed', 'red']);
    assert.equal(error.message, 'e'.repeat(4000));
    assert.ok(logged(new Error('redacted '.repeat(2 ** 17)), ['redacted']).error.message.length <= 4000);
  });

  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const unreadable: [what: string, thrown: unknown][] = [
    ['a revoked proxy', revoked.proxy],
    ...['message', 'stack', 'cause'].map((member): [string, unknown] => [
      `a getter of ${member} that throws`,
      Object.defineProperty(new Error('failed'), member, {
        get() {
          throw new Error(CODE);
        },
      }),
    ]),
    ['a message that is not a string', Object.assign(new Error('failed'), { message: Object.create(null) })],
  ];
  for (const [what, thrown] of unreadable) {
    it(`is a sentence for ${what}`, () => {
      const { error, text } = logged(thrown);
      assert.equal(error.message, 'It threw a value that cannot be read');
      assertFree(text);
    });
  }

  it('is unchanged without secrets', () => {
    assert.equal(logged(new Error('a plain word'), ['']).error.message, 'a plain word');
  });
});
