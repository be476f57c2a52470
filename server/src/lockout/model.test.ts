// The service of lockout against a model of a few lines: any sequence of attempts, also with a clock that is moved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createLockouts, type Lockouts } from './lockouts.ts';
import { createLockoutStore } from './store.sql.ts';

const strict = { enabled: true, maxFailures: 3, seconds: 60 };
const policies = [strict, { enabled: true, maxFailures: 2, seconds: 90 }, { ...strict, enabled: false }];
type Policy = typeof strict;

/** All that is known of one subject; times in milliseconds. */
type Model = { failures: number; pending: number; touched: number; locked: number };
type Real = { clock: ManualClock; lockouts: Lockouts; database: Database; subject: string };
type Command = fc.AsyncCommand<Model, Real>;

const inTransaction = <Result>({ database }: Real, work: (tx: Tx) => Promise<Result>) => database.transaction(work);

/** Reservations that nobody has settled for eight seconds are forgotten. */
function look(model: Model, now: number) {
  if (model.touched + 8000 <= now) model.pending = 0;
}
function settle(model: Model, now: number) {
  look(model, now);
  model.touched = now;
  model.pending = Math.max(0, model.pending - 1);
}

function reserve(policy: Policy): Command {
  return {
    check: () => true,
    toString: () => `reserve ${JSON.stringify(policy)}`,
    async run(model, real) {
      const { clock, lockouts, subject } = real;
      const begun = clock.now();
      const reserved = await lockouts.reserve(subject, policy).catch((error) => error);
      // While too many are under check it waits: five seconds at the most, for others that may be forgotten meanwhile.
      for (let waitMs = 20, now = begun as number; ; waitMs = Math.min(2 * waitMs, 320)) {
        if (model.locked > now) return assert.equal(reserved, model.locked);
        const counted = model.touched + 8000 <= now ? 0 : model.pending;
        if (counted === 0 || !policy.enabled || model.failures + counted < policy.maxFailures) {
          assert.deepEqual([reserved, clock.now()], [null, now]);
          Object.assign(model, { pending: counted + 1, touched: now });
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

function fail(policy: Policy): Command {
  return {
    check: ({ pending }) => pending > 0,
    toString: () => `fail ${JSON.stringify(policy)}`,
    async run(model, real) {
      const now = real.clock.now();
      settle(model, now);
      model.failures += 1;
      const isRunning = model.locked > now;
      if (policy.enabled && model.failures >= policy.maxFailures) {
        model.failures = 0;
        if (!isRunning) model.locked = now + policy.seconds * 1000;
      }
      const until = await inTransaction(real, (tx) => real.lockouts.fail(tx, real.subject, policy));
      assert.equal(until, model.locked > now ? model.locked : null);
    },
  };
}

const settling = (name: 'succeed' | 'giveBack' | 'release'): Command => ({
  check: ({ pending }) => pending > 0,
  toString: () => name,
  async run(model, real) {
    settle(model, real.clock.now());
    if (name === 'succeed') model.failures = 0;
    if (name === 'release') await real.lockouts.release(real.subject);
    else await inTransaction(real, (tx) => real.lockouts[name](tx, real.subject));
  },
});

const lift: Command = {
  check: () => true,
  toString: () => 'lift',
  async run(model, real) {
    Object.assign(model, { failures: 0, pending: 0, locked: 0, touched: real.clock.now() });
    await inTransaction(real, (tx) => real.lockouts.lift(tx, real.subject));
  },
};

const move = (seconds: number): Command => ({
  check: () => true,
  toString: () => `move ${seconds}`,
  run: async (_model, { clock }) => clock.advance(seconds),
});

/** Whatever comes: the locks that an administrator is shown are those there are, and housekeeping forgets no account. */
const readLocks: Command = {
  check: () => true,
  toString: () => 'readLocks',
  async run({ locked }, { clock, lockouts, subject }) {
    await lockouts.removeOld();
    const locks = await lockouts.readLocks([subject, 'account:never tried']);
    assert.deepEqual([...locks], locked > clock.now() ? [[subject, locked]] : []);
    assert.equal((await lockouts.readLocks([])).size, 0);
  },
};

const commands = fc.commands(
  [
    ...policies.map((policy) => fc.constant(reserve(policy))),
    fc.constant(reserve(strict)),
    ...policies.map((policy) => fc.constant(fail(policy))),
    fc.constant(fail(strict)),
    fc.constantFrom(settling('succeed'), settling('giveBack'), settling('release'), lift),
    fc.constantFrom(1, 7, 8, 59, 60, 90, 8 * 86_400, -1, -30, -100).map(move),
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

    it('ends as a model says', async () => {
      const property = fc.asyncProperty(commands, async (sequence) => {
        subjects += 1;
        const clock = createManualClock();
        Object.assign(clock, { sleep: async (milliseconds: number) => clock.advance(milliseconds / 1000) });
        const lockouts = createLockouts({ database, store: createLockoutStore(database), clock });
        const bystander = `account:beside ${subjects}`;
        const ofBystander = database.sql.selectFrom('lockout').selectAll().where('subject', '=', bystander);
        await lockouts.reserve(bystander, strict);
        await database.transaction((tx) => lockouts.fail(tx, bystander, strict));
        const before = await ofBystander.executeTakeFirstOrThrow();
        await fc.asyncModelRun(
          () => ({
            model: { failures: 0, pending: 0, touched: 0, locked: 0 },
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
