// Pins under races and at their limits, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { createBudgetStore, createBudgets } from '../budgets/index.ts';
import { addSeconds } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createPins, type PinRequest } from './pins.ts';
import { createPinStore } from './store.sql.ts';

const DAY = 86_400;
const TTL = 300;
const rules = { maxAttempts: 3, resendCooldown: 60, dailyLimitPerRecipient: 4, dailyAttemptsPerAccount: 5 };
const settings: SettingReader = { read: (definition) => ({ ...(definition.default as object), ...rules }) as never };
const SIGN_IN = ['sign-in'] as const;

let people = 0;
/** Makes a person with an account, an address, and two names for requests. */
function newPerson() {
  people += 1;
  const subject = `account:${people}`;
  const address = `+2782${String(people).padStart(7, '0')}`;
  return {
    names: [`unknown:name of ${people}`, `unknown:number of ${people}`] as const,
    accountId: people,
    recipient: { subject, to: address },
  };
}
type Person = ReturnType<typeof newPerson>;

const request = (person: Person, more: Partial<PinRequest> = {}): PinRequest => ({
  purpose: 'sign-in',
  budgetSubject: person.names[0],
  accountId: more.recipient === null ? null : person.accountId,
  recipient: person.recipient,
  ttlSeconds: TTL,
  ...more,
});

for (const engine of engines) {
  describe(`pins on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    /** Repeats a transaction while the database is too busy for it. */
    async function patiently<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
      for (;;) {
        try {
          return await database.transaction(work);
        } catch (error) {
          if (!(error instanceof AuthError && error.status === 503)) throw error;
        }
      }
    }

    const build = () => {
      const clock = createManualClock();
      const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);
      const store = createPinStore(database);
      const budgets = createBudgets({ store: createBudgetStore(database), clock });
      const pins = createPins({ store, budgets, settings, secrets, clock, random: systemRandom });
      const issue = (wanted: PinRequest) => patiently((tx) => pins.issue(tx, wanted));
      const send = async (wanted: PinRequest) => {
        const issued = await issue(wanted);
        assert.ok(issued.pin !== null, 'a pin was made');
        return { ...issued, pin: issued.pin };
      };
      const give = async (operationId: string, typed: string, purposes: PinRequest['purpose'][] = ['sign-in']) => {
        const filter = { operationId, purposes };
        return (await patiently((tx) => pins.tryPin(tx, filter, typed))).outcome;
      };
      const deleteExpired = async () => {
        await pins.deleteExpired();
        await budgets.deleteExpired();
      };
      return { clock, pins, issue, send, give, deleteExpired };
    };
    const wrongFor = (pin: string) => `${pin.slice(0, -1)}${(Number(pin.at(-1)) + 1) % 10}`;
    const refusal = (error: unknown) => {
      assert.ok(error instanceof AuthError, String(error));
      return { refused: error.reason, seconds: error.retryAfterSeconds };
    };

    it('accepts the right pin once of a hundred concurrent tries', async () => {
      const { send, give } = build();
      const { operationId, pin } = await send(request(newPerson()));
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => give(operationId, pin)));
      assert.equal(outcomes.filter((outcome) => outcome === 'right').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'dead').length, 99);
    });

    it('compares no more than the allowed number of a hundred concurrent wrong pins, and then no right one', async () => {
      const { send, give } = build();
      const { operationId, pin } = await send(request(newPerson()));
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => give(operationId, wrongFor(pin))));
      assert.equal(outcomes.filter((outcome) => outcome === 'wrong').length, rules.maxAttempts);
      assert.equal(await give(operationId, pin), 'dead');
    });

    it('compares no text that no pin can be, which costs no try', async () => {
      const { send, give } = build();
      const { operationId, pin } = await send(request(newPerson()));
      for (const text of ['', `${pin}0`, pin.slice(1), 'letter']) {
        for (let turn = 0; turn <= rules.maxAttempts; turn += 1) assert.equal(await give(operationId, text), 'dead');
      }
      assert.equal(await give(operationId, pin), 'right');
    });

    it('issues one pin for fifty concurrent requests by one name, and tells the others to wait', async () => {
      const { issue } = build();
      const person = newPerson();
      const answers = await Promise.all(Array.from({ length: 50 }, () => issue(request(person)).catch(refusal)));
      const refused = answers.filter((answer) => 'refused' in answer);
      assert.deepEqual(refused, Array(49).fill({ refused: 'pin.cooldown', seconds: rules.resendCooldown }));
    });

    it('sends one pin for fifty concurrent requests by different names of an account, and no caller can tell', async () => {
      const { issue, give } = build();
      const person = newPerson();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          issue(request(person, { budgetSubject: `unknown:${people} by name ${n}` })),
        ),
      );
      const sent = answers.filter(({ pin }) => pin !== null);
      assert.equal(sent.length, 1);
      assert.equal(await give(sent[0]?.operationId ?? '', sent[0]?.pin ?? ''), 'right');
    });

    it('applies the budget of an address to all accounts that share it', async () => {
      const { clock, issue, send } = build();
      const [one, two] = [newPerson(), newPerson()];
      const shared = { ...two.recipient, to: one.recipient.to };
      await send(request(one));
      assert.equal((await issue(request(two, { recipient: shared }))).pin, null);
      clock.advance(rules.resendCooldown);
      await send(request(two, { recipient: shared }));
    });

    it('applies the cooldown of an account to all of its addresses, and no daily limit', async () => {
      const { clock, issue, send } = build();
      const person = newPerson();
      const at = (n: number) => ({ ...person.recipient, to: `box ${n} of ${people}` });
      const to = (n: number) => request(person, { budgetSubject: `unknown:${people} by ${n}`, recipient: at(n) });
      await send(to(0));
      assert.equal((await issue(to(1))).pin, null);
      for (let n = 2; n < 10; n += 1) {
        clock.advance(rules.resendCooldown);
        await send(to(n));
      }
    });

    it('spends no budget of an account that is sent no pin, or whose owner requests it', async () => {
      const { issue, send } = build();
      const [one, two] = [newPerson(), newPerson()];
      const unreached = { budgetSubject: `unknown:${people} elsewhere`, recipient: null, accountId: one.accountId };
      assert.equal((await issue(request(one, unreached))).pin, null);
      await send(request(one));
      const { subject } = two.recipient;
      const box = (name: string) => ({ subject, to: `${name} of ${subject}` });
      await send(request(two, { budgetSubject: subject, recipient: box('old box') }));
      await send(request(two, { recipient: box('new box') }));
    });

    it('stores no hash of a pin that is not sent, and counts the tries of each name', async () => {
      const { clock, pins, issue, give } = build();
      const withoutRecipient = (name: string) => ({
        ...request(newPerson(), { recipient: null }),
        budgetSubject: name,
      });
      for (const name of ['unknown:one', 'unknown:two']) {
        for (const times of [3, 2]) {
          const { operationId } = await issue(withoutRecipient(name));
          const filter = { operationId, purposes: SIGN_IN, accountId: null };
          assert.equal((await pins.find(filter))?.mac, '');
          for (let n = 0; n < times; n += 1) assert.equal(await give(operationId, '000000'), 'wrong');
          clock.advance(rules.resendCooldown);
        }
      }
    });

    it('finds and tries a pin by its subject', async () => {
      const { pins, send } = build();
      const [one, two] = [newPerson(), newPerson()];
      const [, { operationId, pin }] = [await send(request(one)), await send(request(two))];
      const filter = { subject: two.recipient.subject, purposes: SIGN_IN };
      assert.equal((await pins.find(filter))?.operationId, operationId);
      assert.equal((await database.transaction((tx) => pins.tryPin(tx, filter, pin))).outcome, 'right');
      assert.equal(await pins.find({ ...filter, subject: 'account:0' }), undefined);
    });

    it('accepts no pin for the rest of the day after too many wrong tries, counted over all pins', async () => {
      const { clock, send, give } = build();
      const person = newPerson();
      const giveWrong = async (times: number) => {
        const { operationId, pin } = await send(request(person));
        for (let turn = 0; turn < times; turn += 1) assert.equal(await give(operationId, wrongFor(pin)), 'wrong');
        return give(operationId, pin);
      };
      assert.equal(await giveWrong(2), 'right');
      clock.advance(rules.resendCooldown);
      assert.equal(await giveWrong(2), 'right', 'a right pin does not reset the count');
      clock.advance(rules.resendCooldown);
      assert.equal(await giveWrong(1), 'dead');
      clock.advance(DAY - 2 * rules.resendCooldown - 1);
      assert.equal(await giveWrong(0), 'dead');
      clock.advance(rules.resendCooldown);
      assert.equal(await giveWrong(2), 'right');
    });

    it('keeps purposes apart, and replaces an older pin of the same purpose only', async () => {
      const { clock, send, give } = build();
      const person = newPerson();
      const first = await send(request(person));
      clock.advance(60);
      const other = await send(request(person, { purpose: 'verify-mobile' }));
      assert.equal(await give(other.operationId, other.pin), 'dead');
      assert.equal(await give(first.operationId, first.pin, ['verify-mobile', 'verify-email']), 'dead');
      clock.advance(60);
      const second = await send(request(person));
      assert.equal(await give(first.operationId, first.pin), 'dead');
      assert.equal(await give(other.operationId, other.pin, ['verify-mobile']), 'right');
      assert.equal(await give(second.operationId, second.pin), 'right');
    });

    it('issues a new pin under the given operation, and revokes the old one', async () => {
      const { clock, send, give } = build();
      const person = newPerson();
      const first = await send(request(person));
      await give(first.operationId, wrongFor(first.pin));
      clock.advance(60);
      const second = await send(request(person, { operationId: first.operationId }));
      assert.equal(second.operationId, first.operationId);
      if (second.pin !== first.pin) assert.equal(await give(first.operationId, first.pin), 'wrong');
      assert.equal(await give(second.operationId, second.pin), 'right');
    });

    it('finds and tries a pin only for the account that the filter names', async () => {
      const { pins, send } = build();
      const person = newPerson();
      const { operationId, pin } = await send(request(person));
      const { accountId } = person;
      for (const other of [null, accountId + 1_000_000]) {
        const filter = { operationId, purposes: SIGN_IN, accountId: other };
        assert.equal(await pins.find(filter), undefined);
        const tried = await database.transaction((tx) => pins.tryPin(tx, filter, pin));
        assert.deepEqual(tried, { outcome: 'dead' });
      }
      const filter = { operationId, purposes: SIGN_IN, accountId };
      assert.equal((await pins.find(filter))?.address, person.recipient.to);
      const tried = await database.transaction((tx) => pins.tryPin(tx, filter, pin));
      assert.ok(tried.outcome === 'right' && tried.pin.accountId === accountId);
    });

    it('says whether a try would be compared: not of a pin that is used up, expired, redeemed or of another form', async () => {
      const { clock, pins, send, give } = build();
      const mayTry = (operationId: string, typed = '000000', purposes: PinRequest['purpose'][] = ['sign-in']) =>
        pins.canTry({ operationId, purposes }, typed);
      const [usedUp, redeemed, expired] = [
        await send(request(newPerson())),
        await send(request(newPerson())),
        await send(request(newPerson())),
      ];
      for (const { operationId } of [usedUp, redeemed, expired]) assert.equal(await mayTry(operationId), true);
      assert.equal(await mayTry(expired.operationId, '00000'), false);
      assert.equal(await mayTry(expired.operationId, '000000', ['reset-password']), false);
      assert.equal(await mayTry('unknown'), false);
      for (let tries = 1; tries <= rules.maxAttempts; tries += 1) {
        await give(usedUp.operationId, wrongFor(usedUp.pin));
        assert.equal(await mayTry(usedUp.operationId), tries < rules.maxAttempts, `after ${tries} tries`);
      }
      await give(redeemed.operationId, redeemed.pin);
      assert.equal(await mayTry(redeemed.operationId), false);
      clock.advance(TTL - 0.001);
      assert.equal(await mayTry(expired.operationId), true);
      clock.advance(0.001);
      assert.equal(await mayTry(expired.operationId), false);
    });

    it('moves the proof of a redeemed pin to another operation', async () => {
      const { pins, send, give } = build();
      const { operationId, pin } = await send(request(newPerson()));
      await give(operationId, pin);
      await patiently((tx) => pins.moveProof(tx, operationId, `moved ${operationId}`));
      assert.equal(await pins.findProof({ operationId, purposes: SIGN_IN }), undefined);
      assert.ok(await pins.findProof({ operationId: `moved ${operationId}`, purposes: SIGN_IN }));
    });

    it('gives the proof of a redeemed pin to one of fifty callers, within fifteen minutes', async () => {
      const { clock, pins, send, give } = build();
      const take = async (operationId: string) =>
        (await patiently((tx) => pins.takeProof(tx, { operationId, purposes: SIGN_IN }))) !== undefined;
      const person = newPerson();
      const first = await send(request(person));
      assert.equal(await take(first.operationId), false, 'nothing is proven yet');
      await give(first.operationId, first.pin);
      clock.advance(899);
      const taken = await Promise.all(Array.from({ length: 50 }, () => take(first.operationId)));
      assert.equal(taken.filter(Boolean).length, 1);
      const second = await send(request(person));
      await give(second.operationId, second.pin);
      clock.advance(900);
      const filter = { operationId: second.operationId, purposes: SIGN_IN };
      assert.equal(await pins.findProof(filter), undefined);
      assert.equal(await take(second.operationId), false);
      clock.advance(-0.001);
      assert.equal((await pins.findProof(filter))?.operationId, second.operationId);
    });

    it('deletes pins and budgets when they no longer count, and not before', async () => {
      const { clock, send, deleteExpired } = build();
      const count = async (table: 'pin' | 'pin_budget', subject: string) => {
        const rows = await database.sql.selectFrom(table).select('subject').where('subject', '=', subject).execute();
        return rows.length;
      };
      const person = newPerson();
      const { subject } = person.recipient;
      await send(request(person));
      clock.advance(TTL + 3600);
      await deleteExpired();
      assert.equal(await count('pin', subject), 1);
      clock.advance(1);
      await deleteExpired();
      assert.equal(await count('pin', subject), 0);
      clock.advance(2 * DAY - TTL - 3601);
      await deleteExpired();
      assert.equal(await count('pin_budget', person.names[0]), 1);
      clock.advance(1);
      await deleteExpired();
      assert.deepEqual([await count('pin_budget', person.names[0]), await count('pin_budget', subject)], [0, 0]);
    });

    it('deletes one batch at a time, and nothing that is in use', async () => {
      const { clock, deleteExpired } = build();
      const { sql } = database;
      for (const table of ['pin', 'pin_budget'] as const) await sql.deleteFrom(table).execute();
      const begun = clock.now();
      const made = { purpose: 'sign-in', mac: '', account_id: null, address: '', tries: 0, redeemed_at: null } as const;
      const kinds = ['asked', 'sent', 'tried'] as const;
      async function fill(name: string) {
        const now = clock.now();
        const budgets = Array.from({ length: 2001 }, (_, n) => {
          const kind = kinds[n % kinds.length] ?? 'asked';
          return { kind, subject: `${name} ${n}`, started_at: begun, used: 1, last_used_at: now };
        });
        const rows = budgets.slice(0, 501).map(({ subject }) => {
          return { ...made, operation_id: subject, subject, created_at: begun, expires_at: now };
        });
        for (let start = 0; start < budgets.length; start += 500) {
          await sql
            .insertInto('pin_budget')
            .values(budgets.slice(start, start + 500))
            .execute();
        }
        await sql.insertInto('pin').values(rows).execute();
      }
      const left = async (table: 'pin' | 'pin_budget', name: string) =>
        (await sql.selectFrom(table).select('subject').where('subject', 'like', `${name}%`).execute()).length;
      clock.advance(3 * DAY);
      await fill('recent');
      clock.advance(-3 * DAY);
      await fill('old');
      clock.advance(3 * DAY);
      for (const due of [1, 0]) {
        await deleteExpired();
        assert.deepEqual([await left('pin', 'old'), await left('pin', 'recent')], [due, 501]);
        assert.deepEqual([await left('pin_budget', 'old'), await left('pin_budget', 'recent')], [due, 2001]);
      }
    });

    it('deletes a budget when both its day and its last use are past', async () => {
      const { clock, deleteExpired } = build();
      const { sql } = database;
      await sql.deleteFrom('pin_budget').execute();
      const [past, limit] = [clock.now(), addSeconds(clock.now(), 0.001)];
      const times = {
        'both past': [past, past],
        'day at limit': [limit, past],
        'use at limit': [past, limit],
      } as const;
      for (const [subject, [started_at, last_used_at]] of Object.entries(times)) {
        await sql
          .insertInto('pin_budget')
          .values({ kind: 'tried', subject, started_at, used: 1, last_used_at })
          .execute();
      }
      clock.advance(2 * DAY + 0.001);
      await deleteExpired();
      const left = await sql.selectFrom('pin_budget').select('subject').orderBy('subject').execute();
      assert.deepEqual(
        left.map(({ subject }) => subject),
        ['day at limit', 'use at limit'],
      );
    });

    it('revokes the pins of some accounts, and of no other', async () => {
      const { pins, send, give } = build();
      const [gone, alsoGone, stays] = [newPerson(), newPerson(), newPerson()];
      const sent = [await send(request(gone)), await send(request(alsoGone)), await send(request(stays))];
      await database.transaction((tx) => pins.revokeOfAccounts(tx, [gone.accountId, alsoGone.accountId]));
      const outcomes = [];
      for (const { operationId, pin } of sent) outcomes.push(await give(operationId, pin));
      assert.deepEqual(outcomes, ['dead', 'dead', 'right']);
    });

    it('revokes the pins of a purpose by the beginning or end of their subjects', async () => {
      const { pins, send, give } = build();
      const revoke = (purpose: 'sign-in' | 'verify-email', part: { beginning: string } | { ending: string }) =>
        database.transaction((tx) => pins.revoke(tx, purpose, part));
      const [one, two] = [newPerson(), newPerson()];
      const subjects = [`${one.recipient.subject}:mail`, `${two.recipient.subject}:text`] as const;
      const [first, second] = [
        await send(request(one, { recipient: { ...one.recipient, subject: subjects[0] } })),
        await send(request(two, { recipient: { ...two.recipient, subject: subjects[1] } })),
      ];
      const areThere = async () => [
        await pins.find({ operationId: first.operationId, purposes: SIGN_IN }).then(Boolean),
        await pins.find({ operationId: second.operationId, purposes: SIGN_IN }).then(Boolean),
      ];
      await revoke('verify-email', { beginning: one.recipient.subject });
      await revoke('sign-in', { beginning: ':mail' });
      await revoke('sign-in', { ending: one.recipient.subject });
      assert.deepEqual(await areThere(), [true, true]);
      await revoke('sign-in', { ending: ':text' });
      assert.deepEqual(await areThere(), [true, false]);
      await revoke('sign-in', { beginning: `${one.recipient.subject}:` });
      assert.deepEqual(await areThere(), [false, false]);
      assert.equal(await give(first.operationId, first.pin), 'dead');
    });

    it('stores no pin, and a keyed hash that is of no use in another row', async () => {
      const { send, give } = build();
      const [one, two] = [await send(request(newPerson())), await send(request(newPerson()))];
      const rows = await database.sql.selectFrom('pin').selectAll().execute();
      const stored = (operationId: string) => rows.find((row) => row.operation_id === operationId);
      assert.ok(!JSON.stringify(stored(one.operationId)).includes(`"${one.pin}"`));
      const mac = stored(one.operationId)?.mac ?? '';
      assert.equal(Buffer.from(mac, 'base64url').length, 32);
      await database.sql.updateTable('pin').set({ mac }).where('operation_id', '=', two.operationId).execute();
      assert.equal(await give(two.operationId, one.pin), 'wrong');
      assert.equal(await give(one.operationId, one.pin), 'right');
    });
  });
}
