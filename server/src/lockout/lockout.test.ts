// The lockout rules at their limits, and the lockouts on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { untilServed } from '../../test/support/patience.ts';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database } from '../storage/database.ts';
import {
  afterFailure,
  afterSuccess,
  type LockoutState,
  MAX_STREAK,
  mayCheckAnother,
  RESERVATION_SECONDS,
  STREAK_LOCK_SECONDS,
  stateAt,
  stricterPolicy,
  withoutOldFailures,
} from './lockout.ts';
import { createLockouts, type Lockouts, type Reservation } from './lockouts.ts';
import { createLockoutStore } from './store.sql.ts';

const now = 1_000_000 as Instant;
const policy = { enabled: true, maxFailures: 3, seconds: 60 };
const fresh: LockoutState = { failures: 0, streak: 0, pending: [], lockedUntil: null };
const pending = (count: number, reservedAt = now) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, reservedAt }));

describe('lockout rules', () => {
  it('allows no more pending attempts than may still fail', () => {
    assert.equal(mayCheckAnother({ ...fresh, failures: 1, pending: pending(1) }, policy), true);
    assert.equal(mayCheckAnother({ ...fresh, failures: 1, pending: pending(2) }, policy), false);
  });

  it('always allows a lone attempt, also when the maximum was lowered below the count', () => {
    assert.equal(mayCheckAnother({ ...fresh, failures: 7 }, policy), true);
  });

  it('is locked until the end of the lock, and not at the end itself', () => {
    const until = addSeconds(now, 60);
    const locked = { ...fresh, lockedUntil: until };
    assert.equal(stateAt(locked, (until - 1) as Instant).lockedUntil, until);
    assert.equal(stateAt(locked, until).lockedUntil, null);
  });

  it('locks at the failure that reaches the maximum, and resets the count', () => {
    const locked = afterFailure({ ...fresh, failures: 2, streak: 2 }, policy, now);
    assert.deepEqual(locked, { failures: 0, streak: 3, pending: [], lockedUntil: addSeconds(now, 60) });
  });

  it('does not extend an existing lock', () => {
    const until = addSeconds(now, 5);
    const state = afterFailure({ ...fresh, failures: 2, streak: 9, lockedUntil: until }, policy, now);
    assert.equal(state.lockedUntil, until);
  });

  it('locks for an hour after a hundred failures in a row, under any policy of the front end', () => {
    for (const lax of [
      { ...policy, enabled: false },
      { enabled: true, maxFailures: 100, seconds: 1 },
    ]) {
      const state = afterFailure({ ...fresh, streak: MAX_STREAK - 1 }, lax, now);
      assert.equal(STREAK_LOCK_SECONDS, 3600);
      assert.equal(state.lockedUntil, addSeconds(now, STREAK_LOCK_SECONDS));
      const later = addSeconds(now, STREAK_LOCK_SECONDS);
      const next = afterFailure(stateAt(state, later), lax, later);
      assert.equal(next.lockedUntil, addSeconds(now, 2 * STREAK_LOCK_SECONDS));
    }
  });

  it('allows no more than a hundred concurrent attempts if lockout is off', () => {
    const off = { ...policy, enabled: false };
    assert.equal(mayCheckAnother({ ...fresh, streak: 90, pending: pending(9) }, off), true);
    assert.equal(mayCheckAnother({ ...fresh, streak: 90, pending: pending(10) }, off), false);
  });

  it('resets failures at a success, but keeps a lock that other attempts caused meanwhile', () => {
    const until = addSeconds(now, 5);
    const state = afterSuccess({ failures: 2, streak: 50, pending: pending(1), lockedUntil: until });
    assert.deepEqual(state, { failures: 0, streak: 0, pending: pending(1), lockedUntil: until });
  });

  it('forgets failures a week after the last attempt, and keeps a lock until its end', () => {
    const state = { ...fresh, failures: 2, streak: 99, lockedUntil: addSeconds(now, 30 * 86_400) };
    const week = addSeconds(now, 7 * 86_400);
    assert.deepEqual(withoutOldFailures(state, now, week), state);
    assert.deepEqual(withoutOldFailures(state, now, (week + 1) as Instant), { ...state, failures: 0, streak: 0 });
  });

  it('lets each reservation expire by itself, also when the clock was set back', () => {
    const state = { ...fresh, pending: [...pending(2), ...pending(1, addSeconds(now, 5))] };
    const countAt = (seconds: number) => stateAt(state, addSeconds(now, seconds)).pending.length;
    assert.equal(RESERVATION_SECONDS, 8);
    assert.deepEqual([7, 8, 12, 13].map(countAt), [3, 1, 1, 0]);
    assert.deepEqual([-25, -26, -30, -31].map(countAt), [3, 2, 2, 0]);
  });

  it('holds a reservation for as long as it was made', () => {
    const state = { ...fresh, pending: [...pending(1), { id: 'slow', reservedAt: now, seconds: 20 }] };
    const countAt = (seconds: number) => stateAt(state, addSeconds(now, seconds)).pending.length;
    assert.deepEqual([7, 8, 19, 20].map(countAt), [2, 1, 1, 0]);
  });

  it('combines the stricter values of two policies', () => {
    const lax = { enabled: false, maxFailures: 10, seconds: 600 };
    for (const [one, other] of [
      [lax, policy],
      [policy, lax],
    ] as const) {
      assert.deepEqual(stricterPolicy(one, other), { enabled: true, maxFailures: 3, seconds: 600 });
    }
    assert.equal(stricterPolicy(lax, lax).enabled, false);
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
      const store = createLockoutStore(database);
      const told: string[] = [];
      const onLock = (of: string) => void told.push(of);
      return { clock, told, lockouts: createLockouts({ database, store, clock, random: systemRandom, onLock }) };
    };
    const strict = { ...policy, maxFailures: 1 };
    const disabled = { ...policy, enabled: false };
    const fail = (lockouts: Lockouts, reservation: Reservation, of = policy) =>
      database.transaction((tx) => lockouts.fail(tx, reservation, of));
    async function reserve(lockouts: Lockouts, subject: string, of = policy): Promise<Reservation> {
      const reserved = await lockouts.reserve(subject, of);
      assert.ok('id' in reserved, 'the subject is locked');
      return reserved;
    }

    it('allows exactly the maximum when a hundred attempts come at once', async () => {
      const { lockouts } = build();
      let checked = 0;
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const reserved = await untilServed(() => lockouts.reserve('account:race', policy));
          if ('lockedUntil' in reserved) return;
          checked += 1;
          await untilServed(() => fail(lockouts, reserved));
        }),
      );
      assert.equal(checked, policy.maxFailures);
    });

    it('frees reservations that were released or abandoned', async () => {
      const { clock, lockouts } = build();
      for (let n = 0; n < 10; n++) {
        await lockouts.release(await reserve(lockouts, 'account:released'));
      }
      for (let n = 0; n < 3; n++) await lockouts.reserve('account:abandoned', policy);
      clock.advance(8);
      await reserve(lockouts, 'account:abandoned');
    });

    it('settles each reservation once, and no expired one: its attempt counts as unverified', async () => {
      const { clock, lockouts } = build();
      const succeed = (held: Reservation) => database.transaction((tx) => lockouts.succeed(tx, held));
      const keep = (held: Reservation) => database.transaction((tx) => lockouts.keepFailures(tx, held));
      const settles = [succeed, keep, (held: Reservation) => fail(lockouts, held)];
      const isUnavailable = (error: Error) =>
        error instanceof AuthError && error.reason === 'service.unavailable' && error.retryAfterSeconds === 1;
      const [once, slow] = [await reserve(lockouts, 'account:once'), await reserve(lockouts, 'account:once')];
      await succeed(once);
      for (const settle of settles) await assert.rejects(settle(once), isUnavailable);
      clock.advance(8);
      await reserve(lockouts, 'account:once');
      for (const settle of settles) await assert.rejects(settle(slow), isUnavailable);
      await lockouts.release(slow);
      assert.notEqual(await fail(lockouts, await reserve(lockouts, 'account:once'), strict), null);
    });

    it('does not bring back an ended lock when the clock is set back after an attempt', async () => {
      const { clock, lockouts } = build();
      await fail(lockouts, await reserve(lockouts, 'account:over', strict), strict);
      clock.advance(policy.seconds);
      await lockouts.release(await reserve(lockouts, 'account:over'));
      clock.advance(-policy.seconds / 2);
      await reserve(lockouts, 'account:over');
    });

    it('holds a reservation for as long as it was asked to', async () => {
      const { clock, lockouts } = build();
      const held = await lockouts.reserve('account:patient', policy, 20);
      assert.ok('id' in held);
      clock.advance(19);
      assert.equal(await fail(lockouts, held), null);
    });

    it('tells whether a reset has taken anything back', async () => {
      const { clock, lockouts } = build();
      const reset = (subject: string) => database.transaction((tx) => lockouts.reset(tx, subject));
      assert.equal(await reset('account:new'), false);
      const nothing = { failures: 0, streak: 0, locked_until: null, reservations: '[]', touched_at: clock.now() };
      for (const [subject, state] of [
        ['account:failed', { failures: 1 }],
        ['account:failed before', { streak: 1 }],
        ['account:only locked', { locked_until: addSeconds(clock.now(), 30) }],
      ] as const) {
        await database.sql
          .insertInto('lockout')
          .values({ ...nothing, ...state, subject })
          .execute();
        assert.deepEqual([await reset(subject), await reset(subject)], [true, false], subject);
      }
    });

    it('waits at most five seconds for other attempts', async () => {
      const { clock, lockouts } = build();
      for (let n = 0; n < 3; n++) await lockouts.reserve('account:slow', policy);
      Object.assign(clock, { sleep: async () => clock.advance(1) });
      const begun = clock.now();
      await assert.rejects(lockouts.reserve('account:slow', policy));
      assert.equal(clock.now(), addSeconds(begun, 5));
    });

    it('counts a hundred in a row, and starts again after a reset', async () => {
      const { lockouts } = build();
      const off = { ...policy, enabled: false };
      for (const _ of ['at first', 'after it was reset']) {
        for (let n = 1; n <= 100; n++) {
          const until = await fail(lockouts, await reserve(lockouts, 'account:streak', off), off);
          assert.equal(until !== null, n === 100);
        }
        await database.transaction((tx) => lockouts.reset(tx, 'account:streak'));
      }
    });

    it('forgets failures of accounts and unknown names a week after the last attempt, and of no others', async () => {
      const { clock, lockouts } = build();
      const kinds = ['account', 'unknown', 'factors', 'questions'];
      const failAll = async (name: string) => {
        const locks: (Instant | null)[] = [];
        for (const kind of kinds) locks.push(await fail(lockouts, await reserve(lockouts, `${kind}:${name}`)));
        return locks.map((until) => until !== null);
      };
      const none = [false, false, false, false];
      for (const name of ['a week', 'longer']) {
        assert.deepEqual([await failAll(name), await failAll(name)], [none, none]);
      }
      clock.advance(7 * 86_400);
      assert.deepEqual(await failAll('a week'), [true, true, true, true]);
      clock.advance(0.001);
      assert.deepEqual(await failAll('longer'), [false, false, true, true]);
    });

    it('deletes unknown names after a week, and accounts never', async () => {
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
      await lockouts.deleteExpired();
      assert.equal(await count(), 2);
      clock.advance(0.001);
      await lockouts.deleteExpired();
      assert.equal(await count(), 1);
      await lockouts.reserve('account:somebody', policy);
    });

    it('tells once of each lock whether an account has it, and only when it is committed', async () => {
      const { lockouts, told } = build();
      const [first, second] = [await reserve(lockouts, 'account:told'), await reserve(lockouts, 'account:told')];
      const undone = database.transaction(async (tx) => {
        await lockouts.fail(tx, first, strict);
        throw new Error('undone');
      });
      await assert.rejects(undone, /undone/);
      assert.deepEqual(told, []);
      assert.equal(await fail(lockouts, await reserve(lockouts, 'account:not locked')), null);
      assert.deepEqual(told, []);
      const lockedUntil = await fail(lockouts, first, strict);
      assert.equal(await fail(lockouts, second, strict), lockedUntil);
      assert.deepEqual(told, ['account']);
      await fail(lockouts, await reserve(lockouts, 'unknown:told'), strict);
      assert.deepEqual(told, ['account', 'unknownName']);
    });

    it('takes over failures and locks from another system, with one attempt at least before the hour', async () => {
      const { clock, lockouts } = build();
      const adopt = (subject: string, failures: number, lockedUntil: Instant | null = null) =>
        database.transaction((tx) => lockouts.adopt(tx, subject, { failures, lockedUntil }));
      await adopt('account:some', 2);
      assert.equal(await fail(lockouts, await reserve(lockouts, 'account:some'), disabled), null);
      assert.notEqual(await fail(lockouts, await reserve(lockouts, 'account:some')), null);
      await adopt('account:many', 5000);
      const { streak } = await database.sql
        .selectFrom('lockout')
        .select('streak')
        .where('subject', '=', 'account:many')
        .executeTakeFirstOrThrow();
      assert.equal(streak, MAX_STREAK - 1);
      const lockedUntil = addSeconds(clock.now(), 30);
      await adopt('account:locked', 0, lockedUntil);
      assert.deepEqual(await lockouts.reserve('account:locked', policy), { lockedUntil });
    });

    it('clears failures without a lock, and forgets some subjects and no others', async () => {
      const { lockouts } = build();
      const subjects = ['account:cleared', 'account:forgotten', 'account:also forgotten', 'account:kept'];
      const twice = { ...policy, maxFailures: 2 };
      for (const subject of subjects) await fail(lockouts, await reserve(lockouts, subject, twice), twice);
      await database.transaction((tx) => lockouts.clearFailures(tx, 'account:cleared'));
      await database.transaction((tx) => lockouts.forget(tx, ['account:forgotten', 'account:also forgotten']));
      const locked: boolean[] = [];
      for (const subject of subjects)
        locked.push((await fail(lockouts, await reserve(lockouts, subject, twice), twice)) !== null);
      assert.deepEqual(locked, [false, false, false, true]);
      await database.transaction((tx) => lockouts.clearFailures(tx, 'account:kept'));
      assert.ok('lockedUntil' in (await lockouts.reserve('account:kept', policy)));
    });

    it('names the locks that have not ended', async () => {
      const { clock, lockouts } = build();
      const lockedUntil = await fail(lockouts, await reserve(lockouts, 'account:named', strict), strict);
      const readLocks = async () => [...(await lockouts.readLocks(['account:named', 'account:never locked']))];
      clock.advance(strict.seconds - 0.001);
      assert.deepEqual(await readLocks(), [['account:named', lockedUntil]]);
      clock.advance(0.001);
      assert.deepEqual(await readLocks(), []);
    });

    it('counts the locked accounts up to a bound', async () => {
      const { clock, lockouts } = build();
      await database.sql.deleteFrom('lockout').execute();
      for (const subject of ['account:one', 'account:two', 'unknown:three'])
        await fail(lockouts, await reserve(lockouts, subject, strict), strict);
      assert.deepEqual([await lockouts.countLockedAccounts(10), await lockouts.countLockedAccounts(1)], [2, 1]);
      clock.advance(policy.seconds);
      assert.equal(await lockouts.countLockedAccounts(10), 0);
    });

    it('deletes five hundred at a time', async () => {
      const { clock, lockouts } = build();
      const untouched = { failures: 0, streak: 0, reservations: '[]', locked_until: null, touched_at: clock.now() };
      const rows = Array.from({ length: 501 }, (_, n) => ({ ...untouched, subject: `unknown:${n}` }));
      await database.sql.deleteFrom('lockout').execute();
      await database.sql.insertInto('lockout').values(rows).execute();
      clock.advance(8 * 86_400);
      await lockouts.deleteExpired();
      assert.equal((await database.sql.selectFrom('lockout').select('subject').execute()).length, 1);
    });
  });
}
