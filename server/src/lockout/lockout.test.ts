// Lockout rules at their edges, and the service on every engine.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
      assert.equal(STREAK_LOCK_SECONDS, 3600);
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

    it('waits five seconds for others to be settled, and no longer', async () => {
      const { clock, lockouts } = build();
      for (let n = 0; n < 3; n++) await lockouts.reserve('account:slow', policy);
      Object.assign(clock, { sleep: async () => clock.advance(1) });
      const begun = clock.now();
      await assert.rejects(lockouts.reserve('account:slow', policy));
      assert.equal(clock.now(), addSeconds(begun, 5));
    });

    it('counts a hundred in a row from the first one on, and anew after the lock is lifted', async () => {
      const { lockouts } = build();
      const off = { ...policy, enabled: false };
      for (const _ of ['at first', 'after it was lifted']) {
        for (let n = 1; n <= 100; n++) {
          assert.equal(await lockouts.reserve('account:streak', off), null);
          const until = await database.transaction((tx) => lockouts.fail(tx, 'account:streak', off));
          assert.equal(until !== null, n === 100);
        }
        await database.transaction((tx) => lockouts.lift(tx, 'account:streak'));
      }
    });

    it('forgets unknown names after a week, and accounts never', async () => {
      const { clock, lockouts } = build();
      const subjects = ['unknown:somebody', 'account:somebody'];
      const count = async () => {
        const rows = await database.sql
          .selectFrom('lockout')
          .select('subject')
          .where('subject', 'in', subjects)
          .execute();
        return rows.length;
      };
      for (const subject of subjects) await lockouts.reserve(subject, policy);
      clock.advance(7 * 86_400);
      await lockouts.removeOld();
      assert.equal(await count(), 2);
      clock.advance(0.001);
      await lockouts.removeOld();
      assert.equal(await count(), 1);
      await lockouts.reserve('account:somebody', policy);
    });

    it('forgets five hundred at a time', async () => {
      const { clock, lockouts } = build();
      const untouched = { failures: 0, streak: 0, pending: 0, locked_until: null, touched_at: clock.now() };
      const rows = Array.from({ length: 501 }, (_, n) => ({ ...untouched, subject: `unknown:${n}` }));
      await database.sql.deleteFrom('lockout').execute();
      await database.sql.insertInto('lockout').values(rows).execute();
      clock.advance(8 * 86_400);
      await lockouts.removeOld();
      assert.equal((await database.sql.selectFrom('lockout').select('subject').execute()).length, 1);
    });
  });
}
