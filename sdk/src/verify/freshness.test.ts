// Freshness: a beat proves what was sent before it, and nothing about when it is read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFreshness, parseBeat } from './freshness.ts';

function start() {
  const clocks = { elapsed: 1000, now: 5_000_000 };
  const freshness = createFreshness({ now: () => clocks.now, elapsed: () => clocks.elapsed });
  const pass = (milliseconds: number) => {
    clocks.elapsed += milliseconds;
    clocks.now += milliseconds;
  };
  return { clocks, freshness, pass };
}

describe('freshness', () => {
  it('is missing before the first beat', () => {
    const { freshness } = start();
    assert.equal(freshness.age(), Number.POSITIVE_INFINITY);
    assert.equal(freshness.now(), undefined);
  });

  it('counts from when the request was sent, plus what the service says has passed', () => {
    const { freshness, pass } = start();
    const stream = freshness.start();
    pass(300);
    freshness.take({ elapsed: 100, time: 0 }, stream);
    assert.equal(freshness.age(), 200);
    pass(2000);
    freshness.take({ elapsed: 2100, time: 0 }, stream);
    assert.equal(freshness.age(), 200);
  });

  it('does not trust a beat for being read late', () => {
    const { freshness, pass } = start();
    const stream = freshness.start();
    pass(60_000);
    freshness.take({ elapsed: 2000, time: 0 }, stream);
    assert.equal(freshness.age(), 58_000);
  });

  it('does not fall back behind a former stream', () => {
    const { freshness, pass } = start();
    const [first, second] = [freshness.start(), freshness.start()];
    pass(2000);
    freshness.take({ elapsed: 2000, time: 0 }, first);
    freshness.take({ elapsed: 500, time: 0 }, second);
    assert.equal(freshness.age(), 0);
  });

  it('notices that the machine was suspended, by either clock', () => {
    const { clocks, freshness, pass } = start();
    const stream = freshness.start();
    pass(2000);
    freshness.take({ elapsed: 2000, time: 0 }, stream);
    clocks.now += 3_600_000;
    assert.equal(freshness.age(), 3_600_000);
    freshness.take({ elapsed: 2000, time: 0 }, stream);
    assert.equal(freshness.age(), 3_600_000, 'a beat that was waiting proves nothing');
    assert.throws(() => freshness.take({ elapsed: 3_602_000, time: 0 }, stream), /suspended/);
    freshness.take({ elapsed: 0, time: 0 }, freshness.start());
    assert.equal(freshness.age(), 0, 'another stream begins anew');
  });

  it('is not changed by a clock that is set back', () => {
    const { clocks, freshness, pass } = start();
    freshness.take({ elapsed: 0, time: 0 }, freshness.start());
    clocks.now -= 3_600_000;
    pass(4000);
    assert.equal(freshness.age(), 4000);
  });

  it('tells the time of the service, whatever this machine says', () => {
    const { clocks, freshness, pass } = start();
    freshness.take({ elapsed: 0, time: 77_000 }, freshness.start());
    clocks.now -= 3_600_000;
    pass(500);
    assert.equal(freshness.now(), 77_500);
  });
});

describe('a beat', () => {
  it('has milliseconds and a time', () => {
    assert.deepEqual(parseBeat('4012 2026-11-22T08:00:00.123Z'), { elapsed: 4012, time: 1_795_334_400_123 });
    assert.deepEqual(parseBeat(' -3 1970-01-01T00:00:00.000Z'), { elapsed: -3, time: 0 });
  });

  it('is no other comment', () => {
    for (const other of ['', 'ping', '12', '12 soon', '1e3 2026-11-22T08:00:00Z', '1 2026-11-22T08:00:00Z more']) {
      assert.equal(parseBeat(other), undefined, other);
    }
  });
});
