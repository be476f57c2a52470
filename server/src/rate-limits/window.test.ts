// The rules of the fixed window.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { type Decision, type Limits, stricter, take, type Window } from './window.ts';

const start = 1_700_000_000_000 as Instant;
const limits: Limits = { limit: 3, windowSeconds: 60, retryAfterSeconds: 0 };

/** Creates an address. Each call is a request at `seconds` after the start. */
function createAddress(initial: Limits = limits) {
  let window: Window | undefined;
  return (seconds: number, now: Limits = initial) => {
    const taken = take(window, now, addSeconds(start, seconds));
    window = taken.window;
    return taken.decision;
  };
}

describe('fixed window', () => {
  it('allows the limit, then refuses until the end of the window that the first request began', () => {
    const ask = createAddress();
    assert.deepEqual(
      [0, 10, 20].map((at) => ask(at).remaining),
      [2, 1, 0],
    );
    assert.deepEqual(ask(20.5), {
      allowed: false,
      limit: 3,
      windowSeconds: 60,
      remaining: 0,
      resetSeconds: 40,
      retryAfterSeconds: 40,
      firstRefusal: true,
    });
    const later = ask(59.999);
    assert.deepEqual([later.allowed, later.retryAfterSeconds, later.firstRefusal], [false, 1, false]);
    const next = ask(60);
    assert.deepEqual([next.allowed, next.remaining, next.resetSeconds, next.retryAfterSeconds], [true, 2, 60, 0]);
  });

  it('starts the window with the first request, not on the minute', () => {
    const ask = createAddress();
    ask(59);
    assert.equal(ask(61).remaining, 1);
    assert.equal(ask(119).remaining, 2);
  });

  it('makes the wait at least as long as the setting, counted from the first refusal', () => {
    const ask = createAddress({ limit: 1, windowSeconds: 60, retryAfterSeconds: 100 });
    ask(0);
    assert.equal(ask(10).retryAfterSeconds, 100);
    assert.equal(ask(70).retryAfterSeconds, 40);
    assert.equal(ask(109.5).retryAfterSeconds, 1);
    const next = ask(110);
    assert.deepEqual([next.allowed, next.remaining, next.resetSeconds], [true, 0, 60]);
    assert.deepEqual([ask(111).firstRefusal, ask(112).firstRefusal], [true, false]);
  });

  it('never shortens the window when the setting is shorter than what is left of it', () => {
    const ask = createAddress({ limit: 1, windowSeconds: 60, retryAfterSeconds: 5 });
    ask(0);
    assert.equal(ask(10).retryAfterSeconds, 50);
    assert.equal(ask(59).allowed, false);
    assert.equal(ask(60).allowed, true);
  });

  it('applies a raised limit to the next request, within the same window', () => {
    const ask = createAddress();
    for (const at of [0, 1, 2, 3]) ask(at);
    const raised = { ...limits, limit: 5 };
    assert.deepEqual([ask(4, raised).remaining, ask(5, raised).remaining], [1, 0]);
    const refused = ask(6, raised);
    assert.deepEqual([refused.allowed, refused.firstRefusal], [false, true]);
  });

  it('applies a lowered limit to the next request', () => {
    const ask = createAddress();
    ask(0);
    ask(1);
    assert.equal(ask(2, { ...limits, limit: 2 }).allowed, false);
  });

  it('applies a changed window length to the current window', () => {
    const ask = createAddress();
    for (const at of [0, 1, 2]) ask(at);
    assert.equal(ask(30, { ...limits, windowSeconds: 120 }).retryAfterSeconds, 90);
    assert.equal(ask(31, { ...limits, windowSeconds: 31 }).allowed, true);
  });

  it('applies a changed shortest wait to a refusal that stands', () => {
    const ask = createAddress();
    for (const at of [0, 1, 2, 10]) ask(at);
    assert.equal(ask(20, { ...limits, retryAfterSeconds: 300 }).retryAfterSeconds, 290);
    assert.equal(ask(70, { ...limits, retryAfterSeconds: 60 }).allowed, true);
  });

  it('ends a refusal that outlasts its window when the limit is raised, with a new window', () => {
    const waiting = { limit: 1, windowSeconds: 60, retryAfterSeconds: 600 };
    const ask = createAddress(waiting);
    ask(0);
    ask(1);
    const allowed = ask(100, { ...waiting, limit: 2 });
    assert.deepEqual([allowed.allowed, allowed.remaining, allowed.resetSeconds], [true, 1, 60]);
  });

  it('keeps a budget when a clock is a little behind, and ignores a window that a wrong clock put far ahead', () => {
    const ask = createAddress();
    for (const at of [0, 1, 2]) ask(at);
    assert.equal(ask(-2).allowed, false);
    assert.equal(ask(-60).allowed, false);
    assert.equal(ask(-61).allowed, true);
  });

  it('allows a request exactly after Retry-After, for any limits and times', () => {
    const someLimits = fc.record({
      limit: fc.integer({ min: 1, max: 5 }),
      windowSeconds: fc.integer({ min: 1, max: 90 }),
      retryAfterSeconds: fc.integer({ min: 0, max: 120 }),
    });
    fc.assert(
      fc.property(someLimits, fc.array(fc.nat(20_000), { minLength: 5, maxLength: 60 }), (given, steps) => {
        let window: Window | undefined;
        let now = start;
        let promised = start;
        for (const step of steps) {
          now = addSeconds(now, step / 1000);
          const taken = take(window, given, now);
          window = taken.window;
          const { decision } = taken;
          assert.ok(Number.isInteger(decision.resetSeconds) && decision.resetSeconds >= 1);
          if (now >= promised && promised > start) assert.ok(decision.allowed);
          if (!decision.allowed) {
            assert.ok(decision.retryAfterSeconds >= 1);
            promised = addSeconds(now, decision.retryAfterSeconds);
          } else promised = start;
        }
      }),
    );
  });

  it('lets through no more than the limit in any stretch of one window, once the budget was used up', () => {
    const allowed: number[] = [];
    const ask = createAddress();
    for (let at = 0; at < 600; at += 1) if (ask(at).allowed) allowed.push(at);
    assert.deepEqual(allowed, Array.from({ length: 10 }, (_, n) => [n * 60, n * 60 + 1, n * 60 + 2]).flat());
  });
});

describe('the stricter one of two decisions', () => {
  const decide = (resetSeconds: number, remaining: number, allowed = remaining > 0): Decision => ({
    allowed,
    limit: 5,
    windowSeconds: 60,
    remaining,
    resetSeconds,
    retryAfterSeconds: allowed ? 0 : resetSeconds,
    firstRefusal: !allowed,
  });

  it('is the refusal, and of two refusals the longer one, or the first if they last equally long', () => {
    const [short, long] = [decide(10, 0), decide(20, 0)];
    const ofAddress = { ...short, limit: 50 };
    for (const [one, other, expected] of [
      [short, long, long],
      [long, short, long],
      [short, decide(20, 1), short],
      [decide(20, 1), short, short],
      [short, ofAddress, short],
      [ofAddress, short, ofAddress],
    ] as const) {
      assert.deepEqual(stricter(one, other), expected);
    }
  });

  it('waits until neither budget is used up', () => {
    const lastAllowed = decide(20, 0, true);
    assert.deepEqual(stricter(decide(10, 0), lastAllowed), { ...decide(10, 0), retryAfterSeconds: 20 });
    assert.deepEqual(stricter(lastAllowed, decide(30, 0)), decide(30, 0));
  });

  it('is the permission that leaves fewer requests', () => {
    const [few, many] = [decide(10, 1), decide(20, 2)];
    assert.deepEqual([stricter(few, many), stricter(many, few)], [few, few]);
    assert.equal(stricter(few, { ...few, resetSeconds: 30 }), few);
  });
});
