// What the sender of proofs sends, to whom, and what it records, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { type Account, newAccount } from '../accounts/index.ts';
import { createBudgetStore, createBudgets } from '../budgets/index.ts';
import { type Messages, NOTICE_SECONDS } from '../delivery/index.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { LINK_SECRET_LENGTH, type LinkHolder } from './one-time-secrets.ts';
import { createProofs } from './proofs.ts';
import type { ProofRequest } from './sender.ts';
import { addressInUseMessage, verificationPinMessage as template } from './templates.ts';

const settings: SettingReader = { read: (definition) => definition.default as never };
const origin = { ipAddress: null, userAgent: null, frontEnd: 'portal' };
const action = { name: 'test.sent', description: '' };
const PIN = /^[0-9]{6}$/;

let people = 0;
function newPerson(): Account {
  people += 1;
  const more = {
    id: people,
    personId: '',
    lastSignInAt: null,
    createdAt: createManualClock().now(),
    updatedAt: createManualClock().now(),
  };
  return { ...newAccount(`user${people}`, { name: 'Ann', surname: 'Smith' }), ...more };
}

const toPerson = (account: Account): ProofRequest => ({
  purpose: 'sign-in',
  budgetSubject: `unknown:${account.userName}`,
  account,
  recipient: { subject: `account:${account.id}`, to: `${account.userName}@example.org` },
  medium: 'email',
  ttlSeconds: 61,
  template,
  record: { action },
});

for (const engine of engines) {
  describe(`the sender of proofs on ${engine}`, () => {
    let database: Database;
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    const build = () => {
      const clock = createManualClock();
      const queued: Parameters<Messages['queue']>[1][] = [];
      const recorded: Occurrence[] = [];
      const { oneTimeSecrets, pins, sendProof } = createProofs({
        database,
        budgets: createBudgets({ store: createBudgetStore(database), clock }),
        messages: { queue: async (_tx, message) => void queued.push(message) },
        record: async (_tx, occurrence) => void recorded.push(occurrence),
        settings,
        secrets: createSecrets('a secret of at least thirty-two characters', systemRandom),
        clock,
        random: systemRandom,
      });
      return {
        clock,
        pins,
        /** Sends, and returns what was queued and recorded. */
        async send(request: ProofRequest) {
          const sent = await database.transaction((tx) => sendProof(tx, request, origin));
          const [message, entry] = [queued.pop(), recorded.pop()];
          assert.ok(message && entry);
          return { ...sent, message, entry };
        },
        take: (secret: string, holder: LinkHolder | null) =>
          database.transaction((tx) => oneTimeSecrets.takeLink(tx, secret, holder)),
        deleteExpired: oneTimeSecrets.deleteExpired,
      };
    };

    it('sends the pin, its minutes and the names of the owner, and records the masked address', async () => {
      const { clock, pins, send } = build();
      const account = newPerson();
      const details = { method: 2 };
      const sent = await send({ ...toPerson(account), record: { action, details } });
      assert.ok(sent.isSent);
      const { values, ...message } = sent.message;
      assert.deepEqual(message, {
        template,
        medium: 'email',
        to: `${account.userName}@example.org`,
        account,
        frontEnd: 'portal',
        expiresAt: addSeconds(clock.now(), 61),
      });
      assert.match(values.pin ?? '', PIN);
      const others = { name: 'Ann Smith', username: account.userName, minutes: '2', code: '' };
      assert.deepEqual({ ...values, pin: '' }, { ...others, pin: '' });
      const user = { id: account.id, name: account.userName };
      const expected = { action, outcome: 'success', user, origin, details: { ...details, to: 'u***@***.org' } };
      assert.deepEqual(sent.entry, expected);
      const filter = { operationId: sent.operationId, purposes: ['sign-in'] as const };
      assert.equal((await pins.find(filter))?.accountId, account.id);
      const tried = await database.transaction((tx) => pins.tryPin(tx, filter, values.pin ?? ''));
      assert.equal(tried.outcome, 'right');
    });

    it('sends nothing without a recipient, and to an address that has had its message', async () => {
      const { send } = build();
      const account = newPerson();
      const { budgetSubject, ...request } = toPerson(account);
      await send({ ...request, budgetSubject });
      const unknown = { ...request, budgetSubject: 'unknown:other', account: undefined, recipient: null };
      const another = { ...request, budgetSubject: 'unknown:another' };
      for (const silent of [unknown, another]) {
        const { isSent, message, entry } = await send(silent);
        assert.deepEqual([isSent, message.to, message.values.pin, entry.details], [false, null, '', { to: null }]);
        assert.equal(message.account, silent.account ?? null);
      }
    });

    it('tells the owner of a taken address instead, and gives the pin to no message', async () => {
      const { clock, send } = build();
      const holder = newPerson();
      const request = {
        ...toPerson(newPerson()),
        account: undefined,
        findAddressHolder: async () => ({ account: holder, to: 'own@a.org' }),
      };
      const { isSent, message, entry } = await send(request);
      assert.ok(isSent);
      assert.deepEqual(message, {
        template: addressInUseMessage,
        medium: 'email',
        to: 'own@a.org',
        account: holder,
        values: {},
        frontEnd: 'portal',
        expiresAt: addSeconds(clock.now(), 61 + NOTICE_SECONDS),
      });
      assert.deepEqual([entry.user, entry.details], [{ id: holder.id, name: null }, { to: 'o***@***.org' }]);
      const findAddressHolder = () => assert.fail('the time of a refusal would tell whether there is a holder');
      await assert.rejects(send({ ...request, findAddressHolder }), { reason: 'pin.cooldown' });
      const next = await send({ ...toPerson(newPerson()), account: undefined });
      assert.ok(next.isSent, 'addresses without an account share no cooldown');
    });

    it('sends a link with the pin, or with a secret that works once for its holder', async () => {
      const { send, take } = build();
      const account = newPerson();
      const toPage = (parts: object) => JSON.stringify(parts);
      const withPin = await send({ ...toPerson(account), link: { toPage } });
      const { operationId } = withPin;
      const { pin = '' } = withPin.message.values;
      assert.equal(withPin.message.values.link, JSON.stringify({ operationId, pin, code: '' }));
      const other = newPerson();
      const holder = { accountId: other.id, passwordVersion: 1, address: 'a@b.org', purpose: 'reset' } as const;
      const { message } = await send({ ...toPerson(other), link: { secret: { method: 2, holder }, toPage } });
      const { code = '', link = '' } = message.values;
      assert.deepEqual([code.length, JSON.parse(link).code], [LINK_SECRET_LENGTH, code]);
      const others = [
        null,
        { ...holder, accountId: account.id },
        { ...holder, passwordVersion: 2 },
        { ...holder, address: 'b@b.org' },
        { ...holder, purpose: 'invitation' as const },
      ];
      for (const one of others) assert.equal(await take(code, one), false);
      assert.deepEqual([await take(code, holder), await take(code, holder)], [true, false]);
    });

    it('stores the method, account and password version of a link, and no account of a decoy', async () => {
      const { clock, send, take } = build();
      const first = { ...newPerson(), id: 1 };
      clock.advance(60);
      const holder = { accountId: first.id, passwordVersion: 7, address: 'a@b.org', purpose: 'reset' } as const;
      const request = { ...toPerson(first), link: { secret: { method: 2, holder }, toPage: () => '' } };
      const { code = '' } = (await send(request)).message.values;
      await send({ ...request, budgetSubject: 'unknown:nobody', account: undefined, recipient: null });
      const rows = await database.sql
        .selectFrom('reset_token')
        .select(['kind', 'method', 'account_id', 'password_version'])
        .where('expires_at', '=', addSeconds(clock.now(), 61))
        .where((eb) => eb.or([eb('account_id', '=', first.id), eb('account_id', 'is', null)]))
        .orderBy('password_version')
        .execute();
      const link = { kind: 'link', method: 2 };
      assert.deepEqual(
        [rows.at(0), rows.at(-1)].map((row) => ({ ...row })),
        [
          { ...link, account_id: null, password_version: 0 },
          { ...link, account_id: first.id, password_version: 7 },
        ],
      );
      assert.ok(await take(code, holder), 'a decoy revokes no link');
    });

    it('replaces the older link of an account, which expires, and gives a decoy one that never works', async () => {
      const { clock, send, take } = build();
      const account = newPerson();
      const holder = { accountId: account.id, passwordVersion: 1, address: 'a@b.org', purpose: 'reset' } as const;
      const request = { ...toPerson(account), link: { secret: { method: 2, holder }, toPage: () => '' } };
      const sendLink = async (more = {}) => (await send({ ...request, ...more })).message.values.code ?? '';
      const older = await sendLink();
      assert.equal(await take(await sendLink({ budgetSubject: 'unknown:twice' }), holder), false);
      assert.equal(await take(await sendLink({ budgetSubject: 'unknown:none', recipient: null }), null), false);
      clock.advance(60);
      const newer = await sendLink();
      assert.equal(await take(older, holder), false);
      clock.advance(61);
      assert.equal(await take(newer, holder), false);
    });

    it('deletes links that have expired, and no others', async () => {
      const { clock, send, deleteExpired } = build();
      const account = newPerson();
      const holder = { accountId: account.id, passwordVersion: 1, address: 'a@b.org', purpose: 'reset' } as const;
      await send({ ...toPerson(account), link: { secret: { method: 2, holder }, toPage: () => '' } });
      const isKept = async () => {
        await deleteExpired();
        const links = database.sql.selectFrom('reset_token').select('mac').where('account_id', '=', account.id);
        return (await links.execute()).length > 0;
      };
      clock.advance(60);
      assert.ok(await isKept());
      clock.advance(2);
      assert.equal(await isKept(), false);
    });
  });
}
