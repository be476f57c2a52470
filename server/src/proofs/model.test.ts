// Pins against a simple model: random sequences of calls, also with a clock that is moved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createBudgetStore, createBudgets } from '../budgets/index.ts';
import { addSeconds } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createPins, type IssuedPin, type Pins, type PinTry } from './pins.ts';
import { createPinStore } from './store.sql.ts';

const DAY = 86_400;
const HOUR = 3600;
const TTL = 300;
const PROOF = 900;
const rules = { maxAttempts: 3, resendCooldown: 60, dailyLimitPerRecipient: 4, dailyAttemptsPerAccount: 5 };
const settings: SettingReader = { read: (definition) => ({ ...(definition.default as object), ...rules }) as never };
const purposes = ['sign-in'] as const;
const WRONG = '000000';

type Count = { start: number; used: number; last: number };
type KnownPin = IssuedPin & { subject: string; ends: number; tries: number; proven: number | null };
/** One person's pins of one purpose, and the day's counts; times in milliseconds. */
type Model = { counts: Map<string, Count>; pins: KnownPin[]; issued: IssuedPin[] };
type Real = { pins: Pins; database: Database; clock: ManualClock; person: number };
type Command = fc.AsyncCommand<Model, Real>;

const inTransaction = <Result>({ database }: Real, work: (tx: Tx) => Promise<Result>) => database.transaction(work);
const isUnderWay = (start: number, seconds: number, now: number) =>
  now < start + seconds * 1000 && start <= now + seconds * 1000;

/** Returns a count at `now`. A new one begins after its day. */
function countAt({ counts }: Model, key: string, now: number): Count {
  const count = counts.get(key) ?? { start: now, used: 0, last: 0 };
  return isUnderWay(count.start, DAY, now) ? count : { start: now, used: 0, last: count.last };
}
const isSpent = ({ used }: Count, perDay: number) => used >= perDay;
const isWarm = ({ last }: Count, now: number) => isUnderWay(last, rules.resendCooldown, now);
const usedOnce = (count: Count, now: number) => ({ ...count, used: count.used + 1, last: now });

/** Requests a pin by one of the person's names, by a name without account, or as the account owner. */
const ask = (by: 'name' | 'number' | 'noAccount' | 'self', again: boolean): Command => ({
  check: () => true,
  toString: () => `ask ${by}${again ? ' again' : ''}`,
  async run(model, real) {
    const { clock, pins, person } = real;
    const now = clock.now();
    const subject = `account:${person}`;
    const budgetSubject = by === 'self' ? subject : `unknown:${by} of ${person}`;
    const recipient = by === 'noAccount' ? null : { subject, to: `box ${person}` };
    const earlier = again && by === 'self' ? model.pins.find((pin) => pin.subject === subject) : undefined;
    const request = {
      purpose: purposes[0],
      budgetSubject,
      accountId: recipient && person,
      recipient,
      ttlSeconds: TTL,
      ...(earlier && { operationId: earlier.operationId }),
    };
    const answer = await inTransaction(real, (tx) => pins.issue(tx, request)).catch((error) => error);

    const count = countAt(model, budgetSubject, now);
    if (isSpent(count, rules.dailyLimitPerRecipient) || isWarm(count, now)) {
      const [reason, end] = isSpent(count, rules.dailyLimitPerRecipient)
        ? ['pin.dailyLimit', count.start + DAY * 1000]
        : ['pin.cooldown', count.last + rules.resendCooldown * 1000];
      assert.ok(answer instanceof AuthError);
      assert.deepEqual([answer.reason, answer.retryAfterSeconds], [reason, Math.ceil((end - now) / 1000)]);
      return;
    }
    model.counts.set(budgetSubject, usedOnce(count, now));
    const sent = recipient ? 'address' : budgetSubject === subject ? '' : `address of ${budgetSubject}`;
    const account = by === 'self' ? null : by === 'noAccount' ? `account of ${budgetSubject}` : 'account';
    const [ofAddress, ofAccount] = [countAt(model, sent, now), account ? countAt(model, account, now) : null];
    const isAllowed =
      !isSpent(ofAddress, rules.dailyLimitPerRecipient) &&
      !isWarm(ofAddress, now) &&
      !(ofAccount && isWarm(ofAccount, now));
    model.counts.set(sent, isAllowed ? usedOnce(ofAddress, now) : ofAddress);
    if (account && ofAccount) model.counts.set(account, isAllowed ? usedOnce(ofAccount, now) : ofAccount);

    assert.equal(answer.pin !== null, isAllowed && recipient !== null);
    assert.equal(answer.expiresAt, addSeconds(now, TTL));
    if (earlier) assert.equal(answer.operationId, earlier.operationId);
    const about = answer.pin === null ? budgetSubject : subject;
    model.pins = model.pins.filter(
      (pin) => pin.subject !== about || (pin.proven !== null && pin.operationId !== answer.operationId),
    );
    model.pins.push({ ...answer, subject: about, ends: answer.expiresAt, tries: 0, proven: null });
    model.issued.unshift(answer);
  },
});

/** Makes a command on one of the issued pins. `which` counts from the newest. */
const onPin = (
  name: string,
  which: number,
  act: (model: Model, real: Real, issued: IssuedPin, pin: KnownPin | undefined) => Promise<void>,
): Command => ({
  check: ({ issued }) => issued.length > which,
  toString: () => `${name} ${which}`,
  async run(model, real) {
    const issued = model.issued[which] as IssuedPin;
    await act(
      model,
      real,
      issued,
      model.pins.find(({ operationId }) => operationId === issued.operationId),
    );
  },
});

const give = (which: number, isRight: boolean) =>
  onPin(`give ${isRight}`, which, async (model, real, { operationId, pin: typed }, pin) => {
    const now = real.clock.now();
    const filter = { operationId, purposes };
    const text = isRight ? (typed ?? WRONG) : typed === WRONG ? '111111' : WRONG;
    const tried = await inTransaction(real, (tx) => real.pins.tryPin(tx, filter, text));
    const judge = (): PinTry['outcome'] => {
      if (!pin || pin.proven !== null || pin.tries >= rules.maxAttempts || now >= pin.ends) return 'dead';
      pin.tries += 1;
      // Tries of pins for a name without account have a separate count.
      const key = `tried ${pin.subject.includes('noAccount') ? pin.subject : ''}`;
      const count = countAt(model, key, now);
      if (!model.counts.has(key)) model.counts.set(key, count);
      if (isSpent(count, rules.dailyAttemptsPerAccount)) return 'dead';
      if (pin.pin !== null && pin.pin === text) {
        pin.proven = now;
        return 'right';
      }
      model.counts.set(key, usedOnce(count, now));
      return 'wrong';
    };
    assert.equal(tried.outcome, judge());
  });

const take = (which: number) =>
  onPin('take', which, async (model, real, { operationId }, pin) => {
    const filter = { operationId, purposes };
    const isProof = pin?.proven != null && pin.proven > real.clock.now() - PROOF * 1000;
    assert.equal((await real.pins.find(filter))?.subject, pin?.subject);
    assert.equal((await real.pins.findProof(filter)) !== undefined, isProof);
    assert.equal((await inTransaction(real, (tx) => real.pins.takeProof(tx, filter))) !== undefined, isProof);
    if (isProof) model.pins.splice(model.pins.indexOf(pin), 1);
  });

const plain = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  run,
});
const move = (seconds: number) => plain(`move ${seconds}`, async (_model, { clock }) => clock.advance(seconds));
const revoke = plain('revoke', async (model, real) => {
  const ending = ` of ${real.person}`;
  await inTransaction(real, (tx) => real.pins.revoke(tx, 'sign-in', { beginning: `account:${real.person}` }));
  await inTransaction(real, (tx) => real.pins.revoke(tx, 'sign-in', { ending }));
  await inTransaction(real, (tx) => real.pins.revoke(tx, 'reset-password', { beginning: '' }));
  model.pins = [];
});
const deleteExpired = plain('deleteExpired', async (model, { pins, clock }) => {
  await pins.deleteExpired();
  const now = clock.now();
  model.pins = model.pins.filter(({ ends }) => ends >= now - HOUR * 1000);
  for (const [key, { last }] of model.counts) if (last < now - 2 * DAY * 1000) model.counts.delete(key);
});

const which = fc.constantFrom(0, 0, 0, 1, 2);
const commands = fc.commands(
  [
    fc.tuple(fc.constantFrom('name', 'number', 'noAccount', 'self'), fc.boolean()).map(([by, again]) => ask(by, again)),
    fc.constantFrom(1, 30, 59, 60, 61).map(move),
    fc.tuple(which, fc.constantFrom(true, false, false)).map(([n, isRight]) => give(n, isRight)),
    fc.tuple(which, fc.constantFrom(true, false, false)).map(([n, isRight]) => give(n, isRight)),
    which.map(take),
    fc
      .constantFrom(60, TTL - 1, TTL, PROOF - 1, PROOF, HOUR + TTL + 1, DAY - 120, DAY, 2 * DAY + 1, -1, -60, -61, -DAY)
      .map(move),
    fc.constantFrom(revoke, deleteExpired, move(60), move(60), move(-61)),
  ],
  { size: 'max', maxCommands: 60 },
);

for (const engine of engines) {
  describe(`any sequence of calls on pins on ${engine}`, () => {
    let database: Database;
    let people = 0;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    it('behaves as the model', async () => {
      const property = fc.asyncProperty(commands, async (sequence) => {
        people += 1;
        for (const table of ['pin', 'pin_budget'] as const) await database.sql.deleteFrom(table).execute();
        const clock = createManualClock();
        const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);
        const budgets = createBudgets({ store: createBudgetStore(database), clock });
        const parts = { store: createPinStore(database), budgets, settings, secrets, clock, random: systemRandom };
        const pins = createPins(parts);
        await fc.asyncModelRun(
          () => ({
            model: { counts: new Map(), pins: [], issued: [] },
            real: { pins, database, clock, person: people },
          }),
          sequence,
        );
      });
      await fc.assert(property, { numRuns: engine === 'sqlite' ? 200 : 50 });
    });
  });
}
