// Lockout rules at their edges, and the service against a model on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { untilServed } from '../../test/support/patience.ts';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import {
  afterFailure,
  afterSuccess,
  forgetAbandoned,
  judgeReservation,
  type LockoutState,
  MAX_STREAK,
  STREAK_LOCK_SECONDS,
} from './lockout.ts';
import { createLockouts, type Lockouts } from './lockouts.ts';
import { createLockoutStore } from './store.sql.ts';

const now = 1_000_000 as Instant;
const policy = { enabled: true, maxFailures: 3, seconds: 60 };
const fresh: LockoutState = { failures: 0, streak: 0, pending: 0, lockedUntil: null };

describe('lockout rules', () => {
  it('lets as many attempts be under check as may still fail', () => {
    assert.equal(judgeReservation({ ...fresh, failures: 1, pending: 1 }, policy, now).outcome, 'reserved');
    assert.equal(judgeReservation({ ...fresh, failures: 1, pending: 2 }, policy, now).outcome, 'busy');
  });

  it('always lets a lone attempt be checked, also when the maximum was lowered below the count', () => {
    assert.equal(judgeReservation({ ...fresh, failures: 7 }, policy, now).outcome, 'reserved');
  });

  it('is locked until the very end of the lock, and not at it', () => {
    const until = addSeconds(now, 60);
    const locked = { ...fresh, lockedUntil: until };
    assert.deepEqual(judgeReservation(locked, policy, (until - 1) as Instant), { outcome: 'locked', until });
    assert.equal(judgeReservation(locked, policy, until).outcome, 'reserved');
  });

  it('locks at the failure that reaches the maximum, and starts the count anew', () => {
    const locked = afterFailure({ ...fresh, failures: 2, streak: 2, pending: 1 }, policy, now);
    assert.deepEqual(locked, { failures: 0, streak: 3, pending: 0, lockedUntil: addSeconds(now, 60) });
  });

  it('does not prolong a lock that runs', () => {
    const until = addSeconds(now, 5);
    const state = afterFailure({ failures: 2, streak: 9, pending: 1, lockedUntil: until }, policy, now);
    assert.equal(state.lockedUntil, until);
  });

  it('locks for an hour from a hundred failures in a row on, whatever the front end says', () => {
    for (const lax of [
      { ...policy, enabled: false },
      { enabled: true, maxFailures: 100, seconds: 1 },
    ]) {
      const state = afterFailure({ ...fresh, streak: MAX_STREAK - 1, pending: 1 }, lax, now);
      assert.equal(state.lockedUntil, addSeconds(now, STREAK_LOCK_SECONDS));
      const next = afterFailure({ ...state, pending: 1 }, lax, addSeconds(now, STREAK_LOCK_SECONDS));
      assert.equal(next.lockedUntil, addSeconds(now, 2 * STREAK_LOCK_SECONDS));
    }
  });

  it('lets no more than a hundred be checked at once where lockout is off', () => {
    const off = { ...policy, enabled: false };
    assert.equal(judgeReservation({ ...fresh, streak: 90, pending: 9 }, off, now).outcome, 'reserved');
    assert.equal(judgeReservation({ ...fresh, streak: 90, pending: 10 }, off, now).outcome, 'busy');
  });

  it('forgets failures at a success, but not a lock that others caused meanwhile', () => {
    const until = addSeconds(now, 5);
    const state = afterSuccess({ failures: 2, streak: 50, pending: 2, lockedUntil: until });
    assert.deepEqual(state, { failures: 0, streak: 0, pending: 1, lockedUntil: until });
  });

  it('forgets reservations that were abandoned', () => {
    const state = { ...fresh, pending: 3 };
    assert.equal(forgetAbandoned(state, now, addSeconds(now, 7)).pending, 3);
    assert.equal(forgetAbandoned(state, now, addSeconds(now, 8)).pending, 0);
  });
});

for (const engine of engines) {
  describe(`lockout on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    const build = () => {
      const clock = createManualClock();
      return { clock, lockouts: createLockouts({ database, store: createLockoutStore(database), clock }) };
    };
    const fail = (lockouts: Lockouts, subject: string) =>
      database.transaction((tx) => lockouts.fail(tx, subject, policy));

    it('behaves, one attempt after the other, like a model of a few lines', async () => {
      let subjects = 0;
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.constant('fail' as const) },
        fc.constant('succeed' as const),
        fc.constant('lift' as const),
        fc.integer({ min: 1, max: 70 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const { clock, lockouts } = build();
          const subject = `account:${subjects++}`;
          let failures = 0;
          let lockedUntil = 0;
          for (const action of steps) {
            if (typeof action === 'number') {
              clock.advance(action);
              continue;
            }
            if (action === 'lift') {
              await database.transaction((tx) => lockouts.lift(tx, subject));
              [failures, lockedUntil] = [0, 0];
              continue;
            }
            const until = await lockouts.reserve(subject, policy);
            assert.equal(until, lockedUntil > clock.now() ? lockedUntil : null);
            if (until !== null) continue;
            if (action === 'succeed') {
              await database.transaction((tx) => lockouts.succeed(tx, subject));
              failures = 0;
              continue;
            }
            failures += 1;
            if (failures === policy.maxFailures) [failures, lockedUntil] = [0, addSeconds(clock.now(), policy.seconds)];
            assert.equal(await fail(lockouts, subject), lockedUntil > clock.now() ? lockedUntil : null);
          }
        }),
        { numRuns: engine === 'sqlite' ? 100 : 40 },
      );
    });

    it('lets exactly the allowed number of a hundred parallel guesses be checked', async () => {
      const { lockouts } = build();
      let checked = 0;
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          if ((await untilServed(() => lockouts.reserve('account:race', policy))) !== null) return;
          checked += 1;
          await untilServed(() => fail(lockouts, 'account:race'));
        }),
      );
      assert.equal(checked, policy.maxFailures);
    });

    it('gives reservations back that were released or abandoned', async () => {
      const { clock, lockouts } = build();
      for (let n = 0; n < 10; n++) {
        assert.equal(await lockouts.reserve('account:released', policy), null);
        await lockouts.release('account:released');
      }
      for (let n = 0; n < 3; n++) await lockouts.reserve('account:abandoned', policy);
      clock.advance(8);
      assert.equal(await lockouts.reserve('account:abandoned', policy), null);
    });

    it('forgets unknown names after a week, and accounts never', async () => {
      const { clock, lockouts } = build();
      for (const subject of ['unknown:somebody', 'account:somebody']) {
        for (let n = 0; n < 2; n++) {
          await lockouts.reserve(subject, policy);
          await fail(lockouts, subject);
        }
      }
      clock.advance(8 * 86_400);
      await lockouts.removeOld();
      for (const subject of ['unknown:somebody', 'account:somebody']) await lockouts.reserve(subject, policy);
      assert.equal(await fail(lockouts, 'unknown:somebody'), null);
      assert.notEqual(await fail(lockouts, 'account:somebody'), null);
    });
  });
}
