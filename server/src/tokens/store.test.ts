// The session and key stores, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { beside, engines, openTestDatabase } from '../../test/support/databases.ts';
import type { Instant } from '../foundation/clock.ts';
import { UniqueViolation } from '../foundation/errors.ts';
import type { Database } from '../storage/database.ts';
import type { Session } from './session.ts';
import { createKeyStore, type KeyStore } from './store.keys.sql.ts';
import { createSessionStore, type SessionStore, type Swap } from './store.sql.ts';

const at = (milliseconds: number) => milliseconds as Instant;
const idsOf = (sessions: Session[]) => sessions.map(({ id }) => id).toSorted();
const swap = (id: string, oldJti: string, jti: string, now: Instant) => ({
  id,
  oldJti,
  jti,
  now,
  tokensExpireAt: at(8000),
});
const session = (id: string, more: Partial<Session> = {}): Session => ({
  id,
  accountId: 1,
  frontEnd: 'default-app',
  amr: ['pwd'],
  ipAddress: '192.0.2.1',
  userAgent: null,
  signedInAt: at(1000),
  lastRefreshedAt: null,
  expiresAt: at(9000),
  mustChangePassword: false,
  mustEnroll: false,
  authenticatedAt: at(1000),
  passkeyUsedAt: null,
  factorUsedAt: null,
  passkeyId: null,
  applicationId: null,
  generation: 0,
  tokensExpireAt: at(9000),
  ...more,
});

for (const engine of engines) {
  describe(`session store on ${engine}`, () => {
    let database: Database;
    let store: SessionStore;
    before(async () => {
      database = await openTestDatabase(engine);
      store = createSessionStore(database);
    });
    after(() => database.close());

    const swapOne = async (one: Swap) => (await store.swapCurrentTokens(database.sql, [one]))[0];

    it('opens a session and finds its pointer', async () => {
      await store.open(database.sql, session('opened', { accountId: 7, mustChangePassword: true }), 'jti-1');
      assert.deepEqual(await store.find('opened'), {
        accountId: 7,
        currentJti: 'jti-1',
        mustChangePassword: true,
        mustEnroll: false,
        endedAt: null,
        expiresAt: 9000,
      });
      assert.equal(await store.find('never opened'), undefined);
      await store.open(database.sql, session('enrolling', { mustEnroll: true }), 'jti-2');
      const enrolling = await store.find('enrolling');
      assert.deepEqual([enrolling?.mustChangePassword, enrolling?.mustEnroll], [false, true]);
    });

    it('swaps the current token once when two hundred callers try at the same time', async () => {
      await store.open(database.sql, session('swapped'), 'old');
      const swaps = await Promise.all(
        Array.from({ length: 200 }, (_, n) => swapOne(swap('swapped', 'old', `new-${n}`, at(2000)))),
      );
      const winners = swaps.flatMap((swapped, n) => (swapped ? [n] : []));
      assert.equal(winners.length, 1);
      assert.equal((await store.find('swapped'))?.currentJti, `new-${winners[0]}`);
      assert.deepEqual(swaps[winners[0] ?? 0], session('swapped', { lastRefreshedAt: at(2000), generation: 1 }));
    });

    it('swaps nothing in a session that has ended or expired, or for another token', async () => {
      await store.open(database.sql, session('ended'), 'old');
      await store.open(database.sql, session('expiring'), 'old');
      assert.equal((await store.end(database.sql, 'ended', at(2000)))?.accountId, 1);
      assert.equal(await swapOne(swap('ended', 'old', 'new', at(2001))), null);
      assert.equal(await swapOne(swap('expiring', 'other', 'new', at(2000))), null);
      assert.equal(await swapOne(swap('expiring', 'old', 'new', at(9000))), null);
      assert.ok(await swapOne(swap('expiring', 'old', 'new', at(8999))));
    });

    it('tells of several swaps which one another transaction holds up, and can be tried again', async () => {
      // SQLite runs one transaction at a time.
      if (engine === 'sqlite') return;
      const ids = ['free', 'stale', 'ended', 'expired', 'held'].map((id) => `several ${id}`);
      const [, stale = '', ended = '', expired = '', held = ''] = ids;
      for (const id of ids)
        await store.open(database.sql, session(id, id === expired ? { expiresAt: at(2001) } : {}), 'old');
      await store.end(database.sql, ended, at(2000));
      const swaps = ids.map((id, n) => swap(id, id === stale ? 'older' : 'old', `new ${n}`, at(2001)));
      await database.transaction(async (tx) => {
        await store.findOpenForUpdate(tx.sql, held, at(2000));
        const swapAll = (all: typeof swaps) => beside(() => store.swapCurrentTokens(database.sql, all));
        const swapped = await swapAll([...swaps, swap('several none', 'old', 'new', at(2001))]);
        assert.deepEqual(
          swapped.map((one) => (one === null ? null : one?.id)),
          ['several free', null, null, null, undefined, null],
        );
        const two = [swap('several free', 'new 0', 'newer', at(2001)), swap(held, 'old', 'new', at(2001))];
        const [again, locked] = await swapAll(two);
        assert.deepEqual([again?.id, locked], ['several free', undefined]);
      });
      assert.ok(await swapOne(swap(held, 'old', 'new', at(2001))));
    });

    it('tells of two swaps which one failed', async () => {
      await store.open(database.sql, session('one of two'), 'old');
      const swaps = [swap('one of two', 'old', 'new', at(2001)), swap('none of two', 'old', 'other', at(2001))];
      const [swapped, missed] = await store.swapCurrentTokens(database.sql, swaps);
      assert.deepEqual([swapped?.id, missed], ['one of two', null]);
    });

    it('ends one open session, once', async () => {
      await store.open(database.sql, session('once', { accountId: 8 }), 'jti');
      assert.equal((await store.end(database.sql, 'once', at(3000)))?.accountId, 8);
      assert.equal(await store.end(database.sql, 'once', at(4000)), undefined);
      assert.equal((await store.find('once'))?.endedAt, 3000);
      await store.open(database.sql, session('gone'), 'jti');
      assert.equal(await store.end(database.sql, 'gone', at(9000)), undefined);
    });

    it('ends the sessions of an account, except one, and none of another account', async () => {
      for (const id of ['a1', 'a2', 'a3']) await store.open(database.sql, session(id, { accountId: 20 }), 'jti');
      await store.open(database.sql, session('b1', { accountId: 21 }), 'jti');
      assert.deepEqual(idsOf(await store.endOfAccount(database.sql, 20, at(5000), 'a2')), ['a1', 'a3']);
      assert.deepEqual(
        (await store.listOpen(20, at(5000))).map(({ id }) => id),
        ['a2'],
      );
      assert.deepEqual(idsOf(await store.endOfAccount(database.sql, 20, at(5000))), ['a2']);
      assert.equal((await store.listOpen(21, at(5000))).length, 1);
    });

    it('lists open sessions newest first, and ends their restriction', async () => {
      const restricted = { accountId: 30, mustChangePassword: true };
      const newer = { ...restricted, signedInAt: at(1500), userAgent: 'x' };
      await store.open(database.sql, session('a, older', restricted), 'jti');
      await store.open(database.sql, session('c, newer', newer), 'jti');
      await store.open(database.sql, session('b, newer', newer), 'jti');
      await store.open(database.sql, session('past', { ...restricted, expiresAt: at(3000) }), 'jti');
      await store.open(database.sql, session('signed off', restricted), 'jti');
      await store.end(database.sql, 'signed off', at(2000));
      for (const mustChangePassword of [true, false]) {
        const open = await store.listOpen(30, at(3000));
        const due = ['b, newer', 'c, newer', 'a, older'].map((id) => [id, mustChangePassword]);
        assert.deepEqual(
          open.map((one) => [one.id, one.mustChangePassword]),
          due,
        );
        await store.requirePasswordChange(database.sql, 30, false);
      }
      assert.equal((await store.find('signed off'))?.mustChangePassword, true);
    });

    it('lists a thousand at most', async () => {
      const row = {
        ...(await database.sql.selectFrom('session').selectAll().executeTakeFirstOrThrow()),
        account_id: 31,
      };
      const rows = Array.from({ length: 1001 }, (_, n) => ({ ...row, id: `many ${n}`, ended_at: null }));
      for (let start = 0; start < rows.length; start += 500) {
        await database.sql
          .insertInto('session')
          .values(rows.slice(start, start + 500))
          .execute();
      }
      assert.equal((await store.listOpen(31, at(0))).length, 1000);
    });

    it('locks a session while it is open, and does not change it', async () => {
      await store.open(database.sql, session('claimed'), 'jti');
      assert.deepEqual(await store.findOpenForUpdate(database.sql, 'claimed', at(8999)), session('claimed'));
      assert.equal(await store.findOpenForUpdate(database.sql, 'claimed', at(9000)), undefined);
      await store.end(database.sql, 'claimed', at(2000));
      assert.equal(await store.findOpenForUpdate(database.sql, 'claimed', at(2001)), undefined);
    });

    it('restricts one open session to enrolling, and ends the sessions of one account with one factor', async () => {
      for (const id of ['free', 'restricted', 'released']) {
        await store.open(database.sql, session(id, { accountId: 40 }), 'jti');
      }
      await store.open(database.sql, session('closed', { accountId: 40 }), 'jti');
      await store.end(database.sql, 'closed', at(2000));
      await store.open(database.sql, session('another account', { accountId: 41, mustEnroll: true }), 'jti');
      for (const id of ['restricted', 'released', 'closed']) await store.requireEnrollment(database.sql, id, true);
      await store.requireEnrollment(database.sql, 'released', false);
      const restrictions = ['free', 'restricted', 'released', 'closed'].map(
        async (id) => (await store.find(id))?.mustEnroll,
      );
      assert.deepEqual(await Promise.all(restrictions), [false, true, false, false]);
      for (const [id, amr] of Object.entries({ strong: ['pwd', 'mfa', 'user'], similar: ['pwd', 'mfas'] })) {
        await store.open(database.sql, session(id, { accountId: 40, amr }), 'jti');
      }
      const ended = await store.endSingleFactor(database.sql, 40, at(4000), 'free');
      assert.deepEqual(idsOf(ended), ['released', 'restricted', 'similar']);
      assert.equal((await store.find('restricted'))?.endedAt, 4000);
      assert.deepEqual(idsOf(await store.listOpen(40, at(4000))), ['free', 'strong']);
      assert.deepEqual(idsOf(await store.listOpen(41, at(4000))), ['another account']);
      assert.deepEqual(await store.endSingleFactor(database.sql, 40, at(5000), 'free'), []);
    });

    it('restricts the open sessions of several accounts to enrolling, and returns those', async () => {
      const restricted = { mustEnroll: true };
      await store.open(database.sql, session('due 1', { accountId: 50 }), 'jti');
      await store.open(database.sql, session('due 2', { accountId: 51 }), 'jti');
      await store.open(database.sql, session('due already', { accountId: 51, ...restricted }), 'jti');
      await store.open(database.sql, session('due no more', { accountId: 51 }), 'jti');
      await store.open(database.sql, session('due never', { accountId: 52 }), 'jti');
      await store.end(database.sql, 'due no more', at(2000));
      assert.deepEqual(
        (await store.restrictToEnrollment(database.sql, [50, 51])).toSorted((a, b) => a.id.localeCompare(b.id)),
        [session('due 1', { accountId: 50, ...restricted }), session('due 2', { accountId: 51, ...restricted })],
      );
      assert.equal((await store.find('due never'))?.mustEnroll, false);
    });

    it('ends the sessions of one account that one passkey or any has opened, except one', async () => {
      const opened = { 'by a': 'a', 'by a too': 'a', 'by b': 'b', 'by none': null };
      for (const [id, passkeyId] of Object.entries(opened)) {
        await store.open(database.sql, session(id, { accountId: 53, passkeyId }), 'jti');
      }
      await store.open(database.sql, session('by a elsewhere', { accountId: 54, passkeyId: 'a' }), 'jti');
      const end = (which: object) => store.endOpenedByPasskey(database.sql, 53, at(4000), which);
      assert.deepEqual(idsOf(await end({ passkeyId: 'a', except: 'by a' })), ['by a too']);
      assert.deepEqual(idsOf(await end({})), ['by a', 'by b']);
      assert.deepEqual(idsOf(await store.listOpen(53, at(4000))), ['by none']);
      assert.deepEqual(idsOf(await store.listOpen(54, at(4000))), ['by a elsewhere']);
    });

    it('requires a new password of the open sessions of one account, and returns them', async () => {
      const required = { accountId: 42, mustChangePassword: true };
      for (const id of ['due', 'over']) await store.open(database.sql, session(id, { accountId: 42 }), 'jti');
      await store.open(database.sql, session('of another', { accountId: 43 }), 'jti');
      await store.end(database.sql, 'over', at(2000));
      assert.deepEqual(await store.requirePasswordChange(database.sql, 42, true), [session('due', required)]);
      const requirements = ['due', 'over', 'of another'].map(async (id) => (await store.find(id))?.mustChangePassword);
      assert.deepEqual(await Promise.all(requirements), [true, false, false]);
    });

    it('records a new authentication in one open session', async () => {
      for (const id of ['again', 'as before', 'over already']) {
        await store.open(database.sql, session(id, { accountId: 44 }), 'jti');
      }
      await store.end(database.sql, 'over already', at(2000));
      const renewed = {
        amr: ['pwd', 'mfa'],
        authenticatedAt: at(3000),
        passkeyUsedAt: at(2500),
        factorUsedAt: at(2600),
      };
      for (const id of ['again', 'over already']) {
        await store.recordAuthentication(database.sql, session(id, renewed));
      }
      assert.deepEqual(await store.listOpen(44, at(3000)), [
        session('again', { accountId: 44, ...renewed }),
        session('as before', { accountId: 44 }),
      ]);
      const over = database.sql.selectFrom('session').select('amr').where('id', '=', 'over already');
      assert.equal((await over.executeTakeFirst())?.amr, 'pwd');
    });

    it('reads a session of the version without two of its times', async () => {
      await store.open(database.sql, session('of old', { accountId: 45, signedInAt: at(1200) }), 'old');
      const columns = { authenticated_at: null, tokens_expire_at: null };
      await database.sql.updateTable('session').set(columns).where('id', '=', 'of old').execute();
      const known = { accountId: 45, signedInAt: at(1200), authenticatedAt: at(1200), tokensExpireAt: at(9000) };
      assert.deepEqual(await store.listOpen(45, at(2000)), [session('of old', known)]);
      const swapped = await swapOne(swap('of old', 'old', 'new', at(2000)));
      assert.equal(swapped?.tokensExpireAt, 9000);
    });

    it('keeps the latest time at which a token of the session expires', async () => {
      await store.open(database.sql, session('longer', { tokensExpireAt: at(5000) }), 'first');
      const swapped = await swapOne(swap('longer', 'first', 'second', at(2000)));
      assert.equal(swapped?.tokensExpireAt, 8000);
    });

    it('counts open sessions, up to a bound', async () => {
      const now = at(100_000);
      const later = { expiresAt: at(100_001) };
      for (const id of ['open 1', 'open 2', 'open 3', 'not open'])
        await store.open(database.sql, session(id, later), 'jti');
      await store.open(database.sql, session('expires now', { expiresAt: now }), 'jti');
      await store.end(database.sql, 'not open', at(2000));
      assert.equal(await store.countOpen(now, 10), 3);
      assert.equal(await store.countOpen(now, 2), 2);
    });

    it('lists sessions with a token from an instant on, open or not', async () => {
      const from = at(200_000);
      const times = {
        before: [at(199_999), at(199_999)],
        signedIn: [from, null],
        refreshed: [at(1000), from],
      } as const;
      for (const [id, [signedInAt, lastRefreshedAt]] of Object.entries(times)) {
        await store.open(database.sql, session(id, { signedInAt, lastRefreshedAt }), 'jti');
      }
      await store.end(database.sql, 'signedIn', at(2000));
      assert.deepEqual(idsOf(await store.listIssuedFrom(database.sql, from)), ['refreshed', 'signedIn']);
    });

    it('deletes expired sessions in batches', async () => {
      for (const id of ['x1', 'x2', 'x3']) await store.open(database.sql, session(id, { expiresAt: at(10) }), 'jti');
      await store.deleteExpired(at(10), 2);
      assert.ok(await store.find('x1'), 'a session that expires at this instant stays');
      await store.deleteExpired(at(11), 2);
      const left = await Promise.all(['x1', 'x2', 'x3'].map((id) => store.find(id)));
      assert.equal(left.filter(Boolean).length, 1);
    });

    it('ends every session', async () => {
      await store.open(database.sql, session('last'), 'jti');
      assert.ok((await store.endAll(database.sql, at(6000))) >= 1);
      assert.equal((await store.find('last'))?.endedAt, 6000);
      assert.equal(await store.endAll(database.sql, at(6000)), 0);
    });

    it('opens none while all are being ended', async () => {
      const order: string[] = [];
      let opening: Promise<unknown> | undefined;
      await database.transaction(async ({ sql: on }) => {
        await store.lockAll(on);
        opening = beside(() => store.open(database.sql, session('late'), 'jti')).then(() => order.push('opened'));
        for (let turn = 0; turn < 20; turn += 1) await store.listIssuedFrom(on, at(0));
        order.push('ended');
      });
      await opening;
      assert.deepEqual(order, ['ended', 'opened']);
    });
  });

  describe(`key store on ${engine}`, () => {
    let database: Database;
    const store: KeyStore = createKeyStore();
    const key = (number: number) => ({
      number,
      kid: `kid-${number}`,
      publicJwk: '{}',
      sealedPrivateKey: 'sealed',
      createdAt: at(1),
      activeFrom: at(number),
    });
    before(async () => {
      database = await openTestDatabase(engine);
    });
    after(() => database.close());

    it('adds each number once when twenty callers try at the same time', async () => {
      const added = await Promise.allSettled(Array.from({ length: 20 }, () => store.add(database.sql, key(1))));
      const refused = added.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      assert.equal(refused.length, 19);
      assert.ok(refused.every((reason) => reason instanceof UniqueViolation));
    });

    it('reads all keys, oldest first, and deletes the older ones', async () => {
      await store.add(database.sql, key(3));
      await store.add(database.sql, key(2));
      assert.deepEqual(await store.readAll(database.sql), [key(1), key(2), key(3)]);
      await store.deleteBelow(database.sql, 3);
      assert.deepEqual(await store.readAll(database.sql), [key(3)]);
    });
  });
}
