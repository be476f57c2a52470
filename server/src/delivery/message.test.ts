// When the service retries a message, and when it gives up.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { DeliveryError } from './channel.ts';
import { afterFailure, type NextStep, type Progress } from './message.ts';

const createdAt = 1_800_000_000_000 as Instant;
const notSent = new DeliveryError('notSent', 'refused to connect');
const refused = new DeliveryError('refused', 'no such address');
const uncertain = new DeliveryError('uncertain', 'connection lost');

const living = (seconds: number): Progress => ({
  createdAt,
  expiresAt: addSeconds(createdAt, seconds),
  doubtfulTries: 0,
});
const at = (milliseconds: number) => (createdAt + milliseconds) as Instant;

/** Retries until the message ends. `fail` returns the failure and duration of each try. Returns each step with its time. */
function follow(message: Progress, fail: (attempt: number) => { failure: unknown; takes: number }) {
  const steps: (NextStep & { now: Instant })[] = [];
  let progress = message;
  let now = createdAt;
  for (;;) {
    const { failure, takes } = fail(steps.length);
    now = (now + takes) as Instant;
    const next = afterFailure(progress, failure, now);
    steps.push({ ...next, now });
    if (next.state !== 'queued') return steps;
    progress = { ...progress, doubtfulTries: next.doubtfulTries };
    now = next.dueAt;
  }
}

const lifetime = fc.integer({ min: 1, max: 86_400 });
const delay = fc.integer({ min: 0, max: 60_000 });

describe('a message that certainly was not sent', () => {
  it('is retried after a second, then after half of its age, or half of its remaining time', () => {
    for (const { dueAt, now } of follow(living(86_400), () => ({ failure: notSent, takes: 0 }))) {
      const wait = dueAt - now;
      const half = Math.max(1000, Math.min(now - createdAt, at(86_400_000) - now) / 2);
      assert.ok(wait >= half && wait <= half + 1000, `${wait} ms after ${now - createdAt} ms`);
    }
  });

  it('is retried while it has a second left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 86_400 }), (life) => {
        const [last] = follow(living(life), () => ({ failure: notSent, takes: 0 })).slice(-1);
        assert.ok(last && at(life * 1000) - last.now <= 1000, `${last && at(life * 1000) - last.now} ms were left`);
      }),
    );
  });

  for (const [life, least, most] of [
    [300, 12, 24],
    [86_400, 25, 45],
  ] as const) {
    it(`is tried ${least} to ${most} times in ${life} seconds, then dropped`, () => {
      const steps = follow(living(life), () => ({ failure: notSent, takes: 0 }));
      assert.equal(steps.at(-1)?.state, 'dropped');
      assert.ok(steps.length >= least && steps.length <= most, String(steps.length));
    });

    it(`is tried no more than ${most} times in ${life} seconds, however long each try takes`, () => {
      fc.assert(
        fc.property(fc.infiniteStream(delay), (delays) => {
          const steps = follow(living(life), () => ({ failure: notSent, takes: delays.next().value ?? 0 }));
          assert.ok(steps.length <= most, String(steps.length));
        }),
      );
    });
  }

  it('arrives soon after the end of an outage: within half of its length, or a second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80_000_000 }), (outage) => {
        const steps = follow(living(300_000), () => ({ failure: notSent, takes: 0 }));
        const first = steps.find(({ dueAt }) => dueAt >= at(outage));
        assert.ok(first && first.dueAt <= at(outage + Math.max(1000, outage / 2) + 1000));
      }),
    );
  });

  it('is never retried after it expires, nor at once', () => {
    fc.assert(
      fc.property(lifetime, fc.integer({ min: -100_000, max: 90_000_000 }), (life, age) => {
        const message = living(life);
        const { state, dueAt } = afterFailure(message, notSent, at(age));
        assert.ok(dueAt >= at(age + 1000));
        assert.equal(state, dueAt < message.expiresAt ? 'queued' : 'dropped');
      }),
    );
    assert.equal(afterFailure(living(10), notSent, at(9000)).state, 'dropped');
  });

  it('is due at a whole millisecond, because databases store no fractions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90_000_000 }), (age) => {
        assert.ok(Number.isSafeInteger(afterFailure(living(300), notSent, at(age)).dueAt));
      }),
    );
  });

  it('waits a second when the clock stepped back', () => {
    assert.deepEqual(afterFailure(living(300), notSent, at(-3_600_000)), {
      state: 'queued',
      dueAt: at(-3_599_000),
      doubtfulTries: 0,
    });
  });
});

describe('a message that may have been sent', () => {
  for (const failure of [uncertain, new Error('unknown'), 'thrown text', undefined]) {
    it(`is tried once more, not twice: ${String(failure)}`, () => {
      const steps = follow(living(300), () => ({ failure, takes: 1000 }));
      assert.deepEqual(
        steps.map(({ state, doubtfulTries }) => [state, doubtfulTries]),
        [
          ['queued', 1],
          ['failed', 2],
        ],
      );
    });
  }

  it('has at most two uncertain tries, with any failures in between, and always ends', () => {
    const attempt = fc.record({ failure: fc.constantFrom(notSent, uncertain, new Error('unknown')), takes: delay });
    fc.assert(
      fc.property(lifetime, fc.infiniteStream(attempt), (life, attempts) => {
        let doubts = 0;
        const steps = follow(living(life), () => {
          const next = attempts.next().value ?? { failure: notSent, takes: 0 };
          if (next.failure !== notSent) doubts += 1;
          return next;
        });
        const last = steps.at(-1);
        assert.ok(doubts <= 2);
        assert.equal(last?.doubtfulTries, doubts);
        assert.equal(last?.state, doubts === 2 ? 'failed' : 'dropped');
      }),
    );
  });
});

describe('a message that is refused for good', () => {
  it('fails at once', () => {
    fc.assert(
      fc.property(
        lifetime,
        fc.integer({ min: 0, max: 90_000_000 }),
        fc.integer({ min: 0, max: 1 }),
        (life, age, doubtfulTries) => {
          const { state, doubtfulTries: after } = afterFailure({ ...living(life), doubtfulTries }, refused, at(age));
          assert.deepEqual([state, after], ['failed', doubtfulTries]);
        },
      ),
    );
  });
});
