// The tests that every store of rate limits must pass.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { RateLimitStore } from './store.ts';
import { giveBack, type Limits, take, type Window } from './window.ts';

const start = 1_700_000_000_000 as Instant;
const at = (seconds: number) => addSeconds(start, seconds);
const limits: Limits = { limit: 10, windowSeconds: 60, retryAfterSeconds: 0 };

/** Defines the tests of one store. @param open opens an empty store. Each test uses addresses of its own. */
export function rateLimitStoreContract(
  name: string,
  open: () => Promise<{ store: RateLimitStore; close(): Promise<void> }>,
): void {
  describe(`rate limit store: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let store: RateLimitStore;
    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(() => opened.close());

    it('allows exactly the limit of 200 parallel requests, and names one first refusal', async () => {
      const decisions = await Promise.all(
        Array.from({ length: 200 }, () => store.take('login', '192.0.2.1', limits, at(0))),
      );
      const allowed = decisions.filter((decision) => decision.allowed);
      assert.deepEqual(
        allowed.map(({ remaining }) => remaining).sort((a, b) => b - a),
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
      );
      assert.equal(decisions.filter(({ firstRefusal }) => firstRefusal).length, 1);
      assert.ok(decisions.every(({ allowed, retryAfterSeconds }) => allowed || retryAfterSeconds === 60));
    });

    it('allows exactly the limit again when parallel requests meet a window that has ended', async () => {
      for (const seconds of [0, 60]) {
        const decisions = await Promise.all(
          Array.from({ length: 50 }, () => store.take('login', '192.0.2.2', limits, at(seconds))),
        );
        assert.equal(decisions.filter((decision) => decision.allowed).length, 10);
        assert.equal(decisions.filter(({ firstRefusal }) => firstRefusal).length, 1);
      }
    });

    it('keeps a budget per address and per policy', async () => {
      const one = { ...limits, limit: 1 };
      assert.equal((await store.take('login', '192.0.2.3', one, at(0))).allowed, true);
      assert.equal((await store.take('login', '192.0.2.3', one, at(1))).allowed, false);
      assert.equal((await store.take('otp', '192.0.2.3', one, at(1))).allowed, true);
      assert.equal((await store.take('login', '192.0.2.4', one, at(1))).allowed, true);
      const waits = { login: 29, otp: 30 };
      for (const policy of ['otp', 'login', 'otp'] as const) {
        assert.equal((await store.take(policy, '192.0.2.3', one, at(31))).retryAfterSeconds, waits[policy]);
      }
    });

    it('lets changed limits apply to an address that is refused already', async () => {
      const one = { ...limits, limit: 1 };
      await store.take('login', '192.0.2.5', one, at(0));
      assert.equal((await store.take('login', '192.0.2.5', one, at(1))).retryAfterSeconds, 59);
      assert.equal(
        (await store.take('login', '192.0.2.5', { ...one, windowSeconds: 90 }, at(2))).retryAfterSeconds,
        88,
      );
      assert.equal((await store.take('login', '192.0.2.5', { ...one, limit: 2 }, at(3))).allowed, true);
      assert.equal((await store.take('login', '192.0.2.5', one, at(4))).firstRefusal, true);
      assert.equal((await store.take('login', '192.0.2.5', { ...one, windowSeconds: 5 }, at(5))).allowed, true);
    });

    it('gives back a request of the same window, and takes back no refusal', async () => {
      const one = { ...limits, limit: 1 };
      const ask = async (seconds: number) => (await store.take('login', '192.0.2.6', one, at(seconds))).allowed;
      const give = (seconds: number) => store.giveBack('login', '192.0.2.6', one, at(seconds));
      await give(0);
      assert.equal(await ask(1), true);
      const others = [['login', '192.0.2.7'] as const, ['otp', '192.0.2.6'] as const];
      for (const [policy, address] of others) await store.take(policy, address, one, at(1));
      await give(1);
      for (const [policy, address] of others) {
        assert.equal((await store.take(policy, address, one, at(1))).allowed, false, `${policy} of ${address}`);
      }
      assert.deepEqual([await ask(2), await ask(3)], [true, false]);
      await give(3);
      assert.deepEqual([await ask(4), await ask(61)], [false, true]);
      await give(60);
      assert.equal(await ask(62), false, 'it was of the window before');
    });

    it('deletes what has ended, and keeps windows and refusals that still count', async () => {
      const waiting: Limits = { limit: 1, windowSeconds: 60, retryAfterSeconds: 300 };
      await store.deleteExpired(at(100_000), 300);
      for (let n = 0; n < 20; n += 1) await store.take('otp', `past ${n}`, waiting, at(100_000));
      await store.take('otp', 'refused', waiting, at(100_000));
      await store.take('otp', 'refused', waiting, at(100_050));
      assert.equal((await store.take('otp', 'refused', waiting, at(100_349))).retryAfterSeconds, 1);
      await store.deleteExpired(at(100_349), 300);
      assert.equal((await store.take('otp', 'refused', waiting, at(100_349))).allowed, false);
      assert.equal((await store.take('otp', 'refused', waiting, at(100_350))).allowed, true);
      await store.deleteExpired(at(100_360), 300);
      assert.equal((await store.take('otp', 'refused', waiting, at(100_400))).allowed, false);
    });

    it('returns how many windows it deletes, also for several batches', async () => {
      await store.deleteExpired(at(300_000), 60);
      for (let n = 0; n < 1203; n += 1) await store.take('login', `address ${n}`, limits, at(300_000));
      assert.equal(await store.deleteExpired(at(300_061), 60), 1203);
      assert.equal(await store.deleteExpired(at(300_061), 60), 0);
    });

    it('decides as the pure rule does, for any order of requests, pauses, clock steps and changed limits', async () => {
      const choices: Limits[] = [
        { limit: 2, windowSeconds: 60, retryAfterSeconds: 0 },
        { limit: 3, windowSeconds: 60, retryAfterSeconds: 0 },
        { limit: 1, windowSeconds: 20, retryAfterSeconds: 45 },
        { limit: 2, windowSeconds: 20, retryAfterSeconds: 45 },
      ];
      const step = fc.record({
        seconds: fc.oneof(
          { weight: 6, arbitrary: fc.integer({ min: 0, max: 15 }) },
          fc.constantFrom(20, 45, 60, -1, -30, -90),
        ),
        limits: fc.constantFrom(...choices),
        isGivenBack: fc.boolean(),
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 15 }), async (steps) => {
          run += 1;
          let window: Window | undefined;
          let now = at(400_000);
          for (const { seconds, limits, isGivenBack } of steps) {
            now = addSeconds(now, seconds);
            const expected = take(window, limits, now);
            window = expected.window;
            assert.deepEqual(await store.take('login', `rule ${run}`, limits, now), expected.decision);
            if (!isGivenBack) continue;
            window = giveBack(window, now);
            await store.giveBack('login', `rule ${run}`, limits, now);
          }
        }),
        { numRuns: 200 },
      );
    });
  });
}
