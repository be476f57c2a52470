// The rules of budgets, at their limits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { type Budget, budgetAt, findExhaustion, useOnce } from './budget.ts';

const DAY = 86_400;
const start = 1_000_000 as Instant;
const at = (seconds: number) => addSeconds(start, seconds);
const justBefore = (instant: Instant) => (instant - 1) as Instant;
const allowance = { perDay: 3, cooldownSeconds: 60 };
const used = (times: number, lastUsedAt = start): Budget => ({ startedAt: start, used: times, lastUsedAt });

describe('budget rules', () => {
  it('allows the first use at once', () => {
    assert.equal(findExhaustion(used(0, 0 as Instant), allowance, start), null);
  });

  it('allows the next use at the end of the cooldown, which starts again with each use', () => {
    const first = useOnce(used(0), allowance, start);
    assert.deepEqual(findExhaustion(first, allowance, justBefore(at(60))), { reason: 'cooldown', until: at(60) });
    assert.equal(findExhaustion(first, allowance, at(60)), null);
    const second = useOnce(first, allowance, at(100));
    assert.deepEqual(second, { startedAt: start, used: 2, lastUsedAt: at(100) });
    assert.deepEqual(findExhaustion(second, allowance, justBefore(at(160))), { reason: 'cooldown', until: at(160) });
    assert.equal(findExhaustion(second, allowance, at(160)), null);
  });

  it('has no cooldown if its length is zero', () => {
    assert.equal(findExhaustion(used(1), { perDay: 3, cooldownSeconds: 0 }, start), null);
  });

  it('counts a use that needs no wait, which lets the others not wait either', () => {
    const use = useOnce(used(1), { perDay: 3, cooldownSeconds: 0 }, at(100));
    assert.deepEqual(use, { startedAt: start, used: 2, lastUsedAt: start });
    assert.equal(findExhaustion(use, allowance, at(100)), null);
    assert.equal(useOnce(used(1), { perDay: 3, cooldownSeconds: 1 }, at(100)).lastUsedAt, at(100));
  });

  it('allows the given uses a day, and names the end of the day rather than that of the cooldown', () => {
    assert.equal(findExhaustion(used(2), allowance, at(60)), null);
    assert.deepEqual(findExhaustion(used(3), allowance, at(1)), { reason: 'dailyLimit', until: at(DAY) });
    assert.deepEqual(findExhaustion(used(4), allowance, at(DAY - 1)), { reason: 'dailyLimit', until: at(DAY) });
  });

  it('is unused again after its day, which began with its first use and not with its last', () => {
    const budget = used(3, at(DAY - 1000));
    assert.deepEqual(budgetAt(budget, justBefore(at(DAY))), budget);
    const unused = budgetAt(budget, at(DAY));
    assert.deepEqual([unused.startedAt, unused.used], [at(DAY), 0]);
    assert.equal(findExhaustion(unused, allowance, at(DAY)), null);
    const late = budgetAt(used(3, at(DAY - 1)), at(DAY));
    assert.deepEqual(findExhaustion(late, allowance, at(DAY)), { reason: 'cooldown', until: at(DAY + 59) });
  });

  it('holds when a clock is a little behind, and ignores times that a wrong clock put far ahead', () => {
    const budget = used(2, at(100));
    assert.deepEqual(findExhaustion(budget, allowance, at(40)), { reason: 'cooldown', until: at(160) });
    assert.equal(findExhaustion(budget, allowance, justBefore(at(40))), null);
    assert.deepEqual(budgetAt(budget, at(-DAY)), budget);
    assert.deepEqual(budgetAt(budget, justBefore(at(-DAY))), { ...used(0, at(100)), startedAt: justBefore(at(-DAY)) });
  });
});
