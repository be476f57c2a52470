// The rules of webhooks at their boundaries.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addSeconds, toInstant } from '../foundation/clock.ts';
import { SLACK_SECONDS } from '../foundation/set-back.ts';
import {
  fits,
  formatSecret,
  isFull,
  isGivenUp,
  isSecret,
  longestAskedWait,
  longestWaits,
  nextTry,
  readRetryAfter,
  SECRET_BYTES,
  sign,
} from './webhook.ts';

const NOW = toInstant(1_767_225_600_000);
const DAY = 86_400;
const secretOf = (bytes: number) => formatSecret(Buffer.alloc(bytes, 0xfb));

/** The seconds after each failed try, up to the last one. */
const waits = (asked: number | undefined, chance: number) =>
  Array.from({ length: 10 }, (_, index) => {
    const at = nextTry(index + 1, asked, chance, NOW);
    return at && (at - NOW) / 1000;
  });

describe('webhooks', () => {
  it('receive an action that they name, all of its group, or all', () => {
    const fitting = ['*', 'signIn.*', 'signIn.password', 'signIn', 'sign.*', 'signIn.pass', 'password.*'].filter(
      (pattern) => fits([pattern], 'signIn.password'),
    );
    assert.deepEqual(fitting, ['*', 'signIn.*', 'signIn.password']);
    assert.equal(fits(['account.created', 'signIn.*'], 'signIn.password'), true);
    assert.equal(fits([], 'signIn.password'), false);
  });

  it('take secrets of 24 to 64 bytes, written as the service writes them', () => {
    assert.deepEqual(
      [23, 24, SECRET_BYTES, 64, 65].map((bytes) => isSecret(secretOf(bytes))),
      [false, true, true, true, false],
    );
    const secret = secretOf(SECRET_BYTES);
    const wrong = [
      secret.replace('whsec_', ''),
      `x${secret}`,
      `${secret}\n`,
      `${secret}=`,
      secret.replace(/=+$/, ''),
      secret.replaceAll('+', '-'),
      secret.replace(/.=$/, 't='),
      'whsec_',
    ];
    assert.deepEqual(wrong.filter(isSecret), []);
  });

  // The example of the Standard Webhooks libraries.
  it('sign the id, the time and the body with each secret', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const event = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    assert.equal(sign([secret], event), expected);
    const [first, second, ...more] = sign([secretOf(SECRET_BYTES), secret], event).split(' ');
    assert.notEqual(first, expected);
    assert.deepEqual([second, ...more], [expected]);
  });

  it('try ten times in three days, each wait up to a tenth longer', () => {
    const shortest = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined];
    assert.deepEqual(waits(undefined, 0), shortest);
    assert.deepEqual(waits(4, 0), shortest);
    const longest = waits(undefined, 1);
    assert.equal(longest[0], 6, 'in whole seconds, none too early');
    assert.equal(longest[9], undefined);
    for (const [index, wait = 0] of shortest.slice(0, 9).entries()) {
      const more = (longest[index] ?? 0) - 1.1 * wait;
      assert.ok(more >= -0.001 && more <= 1, `${longest[index]} after ${wait}`);
    }
  });

  it('wait for as long as the receiver asks, up to a day', () => {
    const longest = Array.from({ length: 9 }, () => DAY);
    assert.deepEqual(waits(600, 0).slice(0, 3), [600, 600, 1800]);
    assert.deepEqual(waits(DAY, 0), [...longest, undefined]);
    assert.deepEqual(waits(DAY + 1, 0), [...longest, undefined]);
    assert.equal(waits(DAY, 1)[0], waits(undefined, 1)[8], 'a tenth longer too');
  });

  it('are due no later than their longest wait and what clocks differ by', () => {
    const slack = SLACK_SECONDS * 1000;
    assert.equal(longestWaits[0], slack);
    const exact = [5.5, 330, 1980, 7920, 19_800, 39_600, 55_440, 79_200, 95_040];
    assert.deepEqual(
      longestWaits.slice(1).map((wait) => Math.round(wait)),
      exact.map((seconds) => seconds * 1000 + slack),
    );
    assert.equal(Math.round(longestAskedWait), 95_040_000 + slack);
  });

  it('are full with 100,000 waiting events, until fewer than 90,000 wait', () => {
    assert.deepEqual([isFull(99_999, false), isFull(100_000, false)], [false, true]);
    assert.deepEqual([isFull(89_999, true), isFull(90_000, true)], [false, true]);
  });

  it('are given up when their tries have failed for five days', () => {
    const end = addSeconds(NOW, 5 * DAY);
    assert.deepEqual([isGivenUp(NOW, toInstant(end - 1)), isGivenUp(NOW, end)], [false, true]);
  });

  it('read seconds and dates that a receiver asks for', () => {
    assert.equal(readRetryAfter(null, NOW), undefined);
    assert.equal(readRetryAfter('0', NOW), 0);
    assert.equal(readRetryAfter('120', NOW), 120);
    assert.equal(readRetryAfter('999999999', NOW), 999_999_999);
    assert.equal(readRetryAfter('soon', NOW), undefined);
    assert.equal(readRetryAfter(new Date(NOW + DAY * 1000).toUTCString(), NOW), DAY);
    const date = new Date(NOW + 90_000).toUTCString();
    assert.equal(readRetryAfter(date, NOW), 90);
    assert.equal(readRetryAfter(date, toInstant(NOW + 1)), 90);
    assert.equal(readRetryAfter(date, toInstant(NOW + 90_001)), 0);
  });
});
