// The bounded map of recent entries.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Instant } from './clock.ts';
import { createRecent } from './recent.ts';

const at = (instant: number) => instant as Instant;

describe('recent entries', () => {
  it('keep only the newest entry of a key, until it is forgotten', () => {
    const recent = createRecent<string>(10);
    recent.keep('a', 'first', at(50), at(0));
    recent.keep('b', 'other', at(50), at(0));
    recent.keep('a', 'second', at(60), at(1));
    assert.equal(recent.get('a'), 'second');
    assert.equal(recent.sweep(at(60)), 2);
    recent.keep('a', 'third', at(90), at(70));
    recent.keep('b', 'again', at(90), at(70));
    recent.forget('a');
    recent.forget('b');
    assert.deepEqual([recent.get('a'), recent.get('b')], [undefined, undefined]);
  });

  it('are kept until the last entry of their generation expires', () => {
    const recent = createRecent<number>(10);
    recent.keep('first', 0, at(10), at(0));
    recent.keep('long', 1, at(100), at(0));
    recent.keep('short', 2, at(20), at(0));
    assert.equal(recent.sweep(at(99)), 1);
    assert.deepEqual([recent.get('first'), recent.get('long')], [undefined, 1]);
    assert.equal(recent.sweep(at(100)), 2);
    assert.equal(recent.get('long'), undefined);
  });

  it('are dropped by newer ones after they have expired', () => {
    const recent = createRecent<number>(1000);
    for (let now = 0; now < 10_000; now += 1) recent.keep(`key ${now}`, now, at(now + 10), at(now));
    assert.ok(recent.sweep(at(20_000)) <= 31);
  });

  it('are never more than the capacity, and the least recently kept are dropped first', () => {
    const recent = createRecent<number>(100);
    for (let n = 0; n < 1000; n += 1) {
      recent.keep(`key ${n}`, n, at(10), at(0));
      recent.keep('touched', n, at(10), at(0));
      assert.equal(recent.get(`key ${Math.max(0, n - 48)}`), Math.max(0, n - 48));
    }
    assert.equal(recent.get('touched'), 999);
    assert.equal(recent.get('key 0'), undefined);
    assert.ok(recent.sweep(at(10)) <= 100);
  });

  it('are at least half of the capacity and never more, for any sequence of keys', () => {
    const recent = createRecent<number>(4);
    for (let n = 0; n < 50; n += 1) {
      recent.keep(`key ${n}`, n, at(10), at(0));
      const known = Array.from({ length: n + 1 }, (_, key) => recent.get(`key ${key}`)).filter(
        (one) => one !== undefined,
      );
      assert.ok(known.length <= 4 && known.length >= Math.min(n + 1, 2), `${known}`);
      assert.equal(known.at(-1), n);
    }
    const before = recent.get('key 49');
    for (let n = 0; n < 50; n += 1) recent.keep('key 48', n, at(10), at(0));
    assert.equal(recent.get('key 49'), before, 'keeping one key again drops no other');
  });

  it('of both generations are deleted when they have expired', () => {
    const recent = createRecent<number>(4);
    for (let n = 0; n < 5; n += 1) recent.keep(`key ${n}`, n, at(n < 4 ? 10 : 20), at(0));
    const known = () => [0, 1, 2, 3, 4].filter((n) => recent.get(`key ${n}`) === n);
    const before = known();
    assert.equal(recent.sweep(at(9)), 0);
    assert.deepEqual(known(), before);
    const swept = recent.sweep(at(10));
    assert.ok(swept > 0);
    assert.deepEqual(known(), before.slice(swept));
  });
});
