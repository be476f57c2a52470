// Lockouts against a simple model: random sequences of attempts, also with a clock that is moved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { AuthError } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createLockouts, type Lockouts, type Reservation } from './lockouts.ts';
import { createLockoutStore } from './store.sql.ts';

const strict = { enabled: true, maxFailures: 3, seconds: 60 };
const policies = [strict, { enabled: true, maxFailures: 2, seconds: 90 }, { ...strict, enabled: false }];
type Policy = typeof strict;

/** The state of one account. Times are in milliseconds. `held` are the reservations that are not settled. */
type Model = {
  failures: number;
  held: { reservedAt: number; reservation: Reservation }[];
  locked: number;
  touched: number;
};
type Real = { clock: ManualClock; lockouts: Lockouts; database: Database; subject: string };
type Command = fc.AsyncCommand<Model, Real>;

const inTransaction = <Result>({ database }: Real, work: (tx: Tx) => Promise<Result>) => database.transaction(work);

/** A reservation expires after eight seconds, or when the clock is set back to over half a minute before it. */
const isHeld = (reservedAt: number, now: number) => now < reservedAt + 8000 && now >= reservedAt - 30_000;
const countHeld = ({ held }: Model, now: number) => held.filter(({ reservedAt }) => isHeld(reservedAt, now)).length;

/** Failures are forgotten after a week without an attempt. */
const countFailures = ({ failures, touched }: Model, now: number) => (now > touched + 7 * 86_400_000 ? 0 : failures);

function reserve(policy: Policy): Command {
  return {
    check: () => true,
    toString: () => `reserve ${JSON.stringify(policy)}`,
    async run(model, real) {
      const { clock, lockouts, subject } = real;
      const begun = clock.now();
      const reserved = await lockouts.reserve(subject, policy).catch((error) => error);
      // While too many attempts are pending it waits, for at most five seconds. Others may expire meanwhile.
      for (let waitMs = 20, now = begun as number; ; waitMs = Math.min(2 * waitMs, 320)) {
        if (model.locked > now) return assert.deepEqual(reserved, { lockedUntil: model.locked });
        const counted = countHeld(model, now);
        if (counted === 0 || !policy.enabled || countFailures(model, now) + counted < policy.maxFailures) {
          assert.deepEqual([reserved.subject, clock.now()], [subject, now]);
          assert.ok(!model.held.some(({ reservation }) => reservation.id === reserved.id));
          // A lock that has ended at this attempt stays ended. Expired reservations are gone for good.
          model.locked = 0;
          touch(model, now);
          model.held.push({ reservedAt: now, reservation: reserved });
          return;
        }
        if (now >= begun + 5000) {
          assert.ok(reserved instanceof AuthError && reserved.status === 503);
          assert.equal(reserved.retryAfterSeconds, 1);
          return assert.equal(clock.now(), now);
        }
        now += waitMs;
      }
    },
  };
}

/** Each change of the stored state removes what has expired. It does not return when the clock is set back. */
function touch(model: Model, now: number) {
  model.failures = countFailures(model, now);
  model.touched = now;
  for (const one of model.held) if (!isHeld(one.reservedAt, now)) one.reservedAt = Number.NaN;
  if (model.locked <= now) model.locked = 0;
}

type Settling = { kind: 'fail' | 'succeed' | 'keepFailures' | 'release'; which: number; policy: Policy };

/** Settles one of the reservations that are not settled, expired or not. */
const settle = ({ kind, which, policy }: Settling): Command => ({
  check: ({ held }) => held.length > 0,
  toString: () => `${kind} ${which} ${JSON.stringify(policy)}`,
  async run(model, real) {
    const now = real.clock.now();
    const [one] = model.held.splice(which % model.held.length, 1);
    assert.ok(one);
    const { reservation, reservedAt } = one;
    if (kind === 'release') {
      touch(model, now);
      return real.lockouts.release(reservation);
    }
    const settled = inTransaction(real, async (tx) => {
      if (kind === 'succeed') return real.lockouts.succeed(tx, reservation);
      if (kind === 'keepFailures') return real.lockouts.keepFailures(tx, reservation);
      return real.lockouts.fail(tx, reservation, policy);
    });
    if (!isHeld(reservedAt, now)) {
      // The transaction was rolled back, so the reservation stays.
      model.held.push(one);
      return assert.rejects(settled, (error) => error instanceof AuthError && error.status === 503);
    }
    touch(model, now);
    if (kind !== 'fail') {
      if (kind === 'succeed') model.failures = 0;
      return assert.equal(await settled, model.locked || null);
    }
    model.failures += 1;
    if (policy.enabled && model.failures >= policy.maxFailures) {
      model.failures = 0;
      model.locked ||= now + policy.seconds * 1000;
    }
    assert.equal(await settled, model.locked || null);
  },
});

const reset: Command = {
  check: () => true,
  toString: () => 'reset',
  async run(model, real) {
    touch(model, real.clock.now());
    Object.assign(model, { failures: 0, locked: 0 });
    await inTransaction(real, (tx) => real.lockouts.reset(tx, real.subject));
  },
};

const move = (seconds: number): Command => ({
  check: () => true,
  toString: () => `move ${seconds}`,
  run: async (_model, { clock }) => clock.advance(seconds),
});

/** At any time `readLocks` returns the existing locks, and the cleanup job deletes no account. */
const readLocks: Command = {
  check: () => true,
  toString: () => 'readLocks',
  async run({ locked }, { clock, lockouts, subject }) {
    await lockouts.deleteExpired();
    const locks = await lockouts.readLocks([subject, 'account:never tried']);
    assert.deepEqual([...locks], locked > clock.now() ? [[subject, locked]] : []);
    assert.equal((await lockouts.readLocks([])).size, 0);
  },
};

const commands = fc.commands(
  [
    ...policies.map((policy) => fc.constant(reserve(policy))),
    fc.constant(reserve(strict)),
    fc
      .record({ kind: fc.constant('fail' as const), which: fc.nat(), policy: fc.constantFrom(strict, ...policies) })
      .map(settle),
    fc
      .record({
        kind: fc.constantFrom('succeed' as const, 'keepFailures', 'release'),
        which: fc.nat(),
        policy: fc.constant(strict),
      })
      .map(settle),
    fc.constant(reset),
    fc.constantFrom(1, 7, 8, 59, 60, 90, 7 * 86_400, 8 * 86_400, -1, -30, -100).map(move),
    fc.constant(readLocks),
  ],
  { size: 'max', maxCommands: 40 },
);

for (const engine of engines) {
  describe(`any sequence of attempts on ${engine}`, () => {
    let database: Database;
    let subjects = 0;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    it('behaves as the model', async () => {
      const property = fc.asyncProperty(commands, async (sequence) => {
        subjects += 1;
        const clock = createManualClock();
        Object.assign(clock, { sleep: async (milliseconds: number) => clock.advance(milliseconds / 1000) });
        const store = createLockoutStore(database);
        const lockouts = createLockouts({ database, store, clock, random: systemRandom });
        const bystander = `account:beside ${subjects}`;
        const ofBystander = database.sql.selectFrom('lockout').selectAll().where('subject', '=', bystander);
        const reserved = await lockouts.reserve(bystander, strict);
        assert.ok('id' in reserved);
        await database.transaction((tx) => lockouts.fail(tx, reserved, strict));
        const before = await ofBystander.executeTakeFirstOrThrow();
        await fc.asyncModelRun(
          () => ({
            model: { failures: 0, held: [], locked: 0, touched: 0 },
            real: { clock, lockouts, database, subject: `account:${subjects}` },
          }),
          sequence,
        );
        assert.deepEqual(await ofBystander.executeTakeFirst(), before);
      });
      await fc.assert(property, { numRuns: engine === 'sqlite' ? 150 : 40 });
    });
  });
}
