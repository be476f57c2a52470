// The statements of grants: which rows each one takes, whatever its caller has looked at before.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { UnknownRow } from 'kysely';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { claimsOf } from '../../test/support/forge.ts';
import { prepareSessions } from '../../test/support/sessions.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { Grant } from './grant.ts';
import { createGrantStore, type Ending, type GrantStore, type Surplus, type Whose } from './store.sql.ts';

const lifetimes = { accessTokenLifetime: 400, sessionLifetime: 3600, audience: 'everybody' };
const origin = { ipAddress: null, userAgent: null, frontEnd: 'desk' };

for (const engine of engines) {
  describe(`the statements of grants on ${engine}`, () => {
    let database: Database;
    let store: GrantStore;
    let sessions: Sessions;
    let accountId: number;
    let sessionId: string;
    let now: Instant;
    let end: Instant;
    let count = 0;

    before(async () => {
      database = await openTestDatabase(engine);
      const { clock, random, start } = await prepareSessions(database, lifetimes);
      now = clock.now();
      end = addSeconds(now, 60);
      store = createGrantStore(database);
      sessions = start();
      const input = { ...newAccount('ann', {}), passwordHash: null };
      accountId = (await createAccountStore(database, random).add(database.sql, input, now)) ?? assert.fail();
      const subject = { id: accountId, userName: 'ann', fullName: 'Ann', email: null, roles: [] };
      const { accessToken } = await database.transaction((tx) =>
        sessions.open(tx, subject, { amr: ['pwd'], mustChangePassword: false, origin }),
      );
      sessionId = String(claimsOf(accessToken).sid);
    });
    after(() => database.close());

    async function add(more: Partial<Grant> = {}): Promise<string> {
      count += 1;
      const grant: Grant = {
        id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
        applicationId: 'shop',
        accountId,
        sessionId,
        approvedSessionId: sessionId,
        scopes: ['openid'],
        audience: 'api',
        nonce: null,
        amr: ['pwd'],
        authenticatedAt: now,
        codeExpiresAt: end,
        codeChallenge: null,
        redirectUri: null,
        redeemedAt: null,
        refreshedAt: null,
        generation: 0,
        tokensExpireAt: now,
        createdAt: now,
        expiresAt: end,
        endedAt: null,
        ...more,
      };
      await store.add(database.sql, grant, {});
      return grant.id;
    }

    it('exchange a code once, before it expires, while the grant goes on', async () => {
      const redeem = async (id: string, at: Instant = now) =>
        (await store.redeem(database.sql, id, {
          now: at,
          refreshMac: null,
          tokensExpireAt: end,
          sessionId,
          expiresAt: addSeconds(end, 600),
        })) !== undefined;
      const id = await add();
      assert.deepEqual([await redeem(id), await redeem(id)], [true, false]);
      assert.equal(await redeem(await add({ endedAt: now })), false);
      assert.equal(await redeem(await add(), end), false);
      assert.equal(await redeem(await add(), toInstant(end - 1)), true);
    });

    it('exchange the current refresh token, for its application, while the grant goes on', async () => {
      const later = addSeconds(end, 600);
      async function addRedeemed(refreshMac: string) {
        const id = await add();
        const next = { now, refreshMac, tokensExpireAt: end, sessionId, expiresAt: end };
        assert.ok(await store.redeem(database.sql, id, next));
        return id;
      }
      const rotate = async (id: string, mac: string, more: { applicationId?: string; now?: Instant } = {}) => {
        const rotation = { id, applicationId: 'shop', mac, nextMac: `${mac}+`, now, tokensExpireAt: later, ...more };
        return (await store.rotate(database.sql, rotation))?.generation;
      };
      const id = await addRedeemed('first');
      assert.equal(await rotate(id, 'first', { applicationId: 'another' }), undefined);
      assert.equal(await rotate(id, 'wrong'), undefined);
      assert.equal(await rotate(id, 'first', { now: end }), undefined);
      assert.equal(await rotate(id, 'first', { now: toInstant(end - 1) }), 1);
      assert.equal(await rotate(id, 'first'), undefined, 'once');
      assert.equal(await rotate(id, 'first+'), 2);
      const ended = await addRedeemed('second');
      await store.end(database.sql, [ended], end);
      assert.equal(await rotate(ended, 'second'), undefined, 'whose clock is behind that of the end too');
    });

    it('give another access token while the grant is open and its session usable', async () => {
      const given = { redeemedAt: now, tokensExpireAt: end };
      const extend = async (id: string, at: Instant = now, tokensExpireAt = addSeconds(end, 1)) =>
        (await store.extendTokens(database.sql, id, { now: at, tokensExpireAt }))?.tokensExpireAt;
      const id = await add(given);
      assert.equal(await extend(id), addSeconds(end, 1));
      assert.equal(await extend(id, now, end), addSeconds(end, 1), 'the former token lasts');
      assert.equal(await extend(await add({ ...given, endedAt: now })), undefined);
      assert.equal(await extend(await add(given), end), undefined);
      assert.equal(await extend(await add(given), toInstant(end - 1)), addSeconds(end, 1));
      const restrict = (isRestricted: boolean) =>
        database.transaction((tx) => sessions.requirePasswordChange(tx, accountId, isRestricted));
      await restrict(true);
      assert.equal(await extend(id), undefined);
      assert.equal(await extend(await add({ ...given, accountId: null, sessionId: null })), addSeconds(end, 1));
      await restrict(false);
      assert.equal(await extend(id), addSeconds(end, 1));
    });

    it('find what an application has for itself: the same scopes and audience, for long enough', async () => {
      const own = { accountId: null, sessionId: null, redeemedAt: now, applicationId: 'machine', scopes: ['a', 'b'] };
      for (const other of [
        { accountId, sessionId },
        { applicationId: 'another' },
        { scopes: ['a'] },
        { audience: 'another' },
        { endedAt: now },
      ])
        await add({ ...own, ...other });
      const find = async (until: Instant) =>
        (await store.findOwn(database.sql, { applicationId: 'machine', scopes: 'a b', audience: 'api', until }))?.id;
      assert.equal(await find(now), undefined);
      const id = await add(own);
      assert.deepEqual([await find(now), await find(toInstant(end - 1)), await find(end)], [id, id, undefined]);
    });

    it('list what ends: open grants alone, in the order of their ids', async () => {
      const of = { applicationId: 'orders', redeemedAt: now, sessionId: 'another' };
      const late = await add({ ...of, id: 'f0000000-0000-4000-8000-000000000000' });
      const mine = await add(of);
      const theirs = await add({ ...of, accountId: accountId + 1 });
      const own = await add({ ...of, accountId: null, sessionId: null });
      const ended = await add({ ...of, endedAt: now });
      const list = async (which: Ending) => (await store.listEnding(database.sql, which)).map(({ id }) => id);
      assert.deepEqual(await list({ applicationId: 'orders' }), [mine, theirs, own, late]);
      assert.deepEqual(await list({ applicationId: 'orders', accountId }), [mine, late]);
      assert.deepEqual(await list({ applicationId: 'orders', isOwn: true }), [own]);
      assert.deepEqual(await list({ ids: [late, ended, mine] }), [mine, late]);
      assert.deepEqual(await list({ sessionIds: ['another'] }), [mine, theirs, late]);
      const all = await list('all');
      assert.deepEqual([all.includes(ended), all.slice(-4)], [false, [mine, theirs, own, late]]);
    });

    it('lock many in the order of their ids, like every other transaction', async () => {
      const of = { applicationId: 'many', redeemedAt: now };
      const [first, last] = [await add({ ...of, sessionId: '1' }), await add({ ...of, sessionId: '3' })];
      const ids = [last, ...Array.from({ length: 500 }, () => '11111111-0000-4000-8000-000000000000'), first];
      const which = await store.listEnding(database.sql, { ids });
      assert.deepEqual(
        which.map(({ id }) => id),
        [first, last],
      );
      const sessionIds = ['3', ...Array.from({ length: 500 }, () => '2'), '1'];
      const superseded = await store.supersede(database.sql, sessionIds);
      assert.deepEqual(
        superseded.map(({ id, generation }) => [id, generation]),
        [
          [first, 1],
          [last, 1],
        ],
      );
    });

    it('end a grant once, and supersede what is open and has given tokens', async () => {
      const of = { applicationId: 'shop', sessionId: 'four' };
      const [unused, used, ended] = [
        await add(of),
        await add({ ...of, redeemedAt: now }),
        await add({ ...of, redeemedAt: now, endedAt: now }),
      ];
      const superseded = await store.supersede(database.sql, ['four']);
      assert.deepEqual(
        superseded.map(({ id }) => id),
        [used],
      );
      const endAll = async () => (await store.end(database.sql, [unused, used, ended], now)).map(({ id }) => id);
      assert.deepEqual([(await endAll()).toSorted(), await endAll()], [[unused, used], []]);
      assert.equal((await store.find(database.sql, used))?.expiresAt, now);
    });

    it('end the sessions that grants have of their own, once', async () => {
      const { id } = await database.transaction(async (tx) =>
        sessions.openForApplication(tx, await sessions.requireOpen(tx, sessionId), 'shop', origin),
      );
      for (const at of [now, end]) await store.endOwnSessions(database.sql, [id, sessionId], at);
      const rows = database.sql.selectFrom('session').select(['id', 'ended_at']).where('id', 'in', [id, sessionId]);
      const endOf = new Map((await rows.execute()).map((row) => [row.id, row.ended_at]));
      assert.deepEqual([endOf.get(id), endOf.get(sessionId)], [now, null]);
    });

    it('list the open grants of people, by account or by application', async () => {
      const of = { applicationId: 'listed', accountId: accountId + 2 };
      const [mine, theirs] = [await add(of), await add({ ...of, accountId: accountId + 3 })];
      const elsewhere = await add({ ...of, applicationId: 'listed-too' });
      await add({ ...of, accountId: null, sessionId: null });
      await add({ ...of, endedAt: now });
      const list = async (whose: Whose) => (await store.listOpen(database.sql, whose)).map(({ id }) => id).toSorted();
      assert.deepEqual(await list({ applicationId: 'listed' }), [mine, theirs]);
      assert.deepEqual(await list({ accountIds: [accountId + 2] }), [mine, elsewhere]);
      assert.deepEqual(await list({ accountIds: [] }), []);
    });

    it('list more open grants than a call takes arguments', async () => {
      await add({ applicationId: 'crowded', sessionId: 'crowded', redeemedAt: now });
      const repeat = (rows: UnknownRow[]) => Array.from({ length: 150_000 }, () => rows[0] ?? assert.fail());
      const crowd = database.sql.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => ({ ...result, rows: repeat(result.rows) }),
      });
      assert.equal((await store.listEnding(crowd, 'all')).length, 150_000);
      assert.equal((await store.listOpen(crowd, { applicationId: 'crowded' })).length, 150_000);
      assert.equal((await store.supersede(crowd, ['crowded'])).length, 150_000);
    });

    it('list what is too many with a new one: of its kind alone, those used the longest ago', async () => {
      const of = { applicationId: 'surplus', sessionId: 'surplus', accountId: accountId + 4 };
      const at = (seconds: number) => addSeconds(now, seconds);
      const gone = [{ endedAt: now }, { expiresAt: now }];
      const given = { ...of, redeemedAt: now };
      const oldest = await add({ ...given, createdAt: at(1) });
      const older = await add({ ...given, createdAt: at(2), id: 'f1000000-0000-4000-8000-000000000000' });
      const same = await add({ ...given, createdAt: at(2), id: 'e1000000-0000-4000-8000-000000000000' });
      await add({ ...given, refreshedAt: at(3) });
      const code = await add({ ...of, createdAt: at(1), applicationId: 'surplus-too' });
      await add({ ...of, createdAt: at(2) });
      const offline = { ...given, scopes: ['openid', 'offline_access', 'x'] };
      const kept = await add({ ...offline, createdAt: at(1), sessionId: 'own-1' });
      await add({ ...offline, createdAt: at(2), sessionId: 'own-2' });
      for (const other of [
        ...gone.flatMap((one) => [given, of, offline].map((each) => ({ ...each, ...one }))),
        { ...given, sessionId: 'another' },
        { ...given, applicationId: 'surplus-too' },
        { ...of, sessionId: 'another' },
        { ...offline, sessionId: 'own-3', accountId: accountId + 5 },
        { ...offline, sessionId: 'own-3', applicationId: 'surplus-too' },
        { ...given, sessionId: 'own-3', scopes: ['offline_access_x', 'offline-access', 'OFFLINE_ACCESS'] },
      ])
        await add(other);
      const id = await add({ ...given, createdAt: at(4) });
      const added = (await store.find(database.sql, id)) ?? assert.fail();
      const list = (among: Surplus, most: number) => store.listSurplus(database.sql, added, { among, most, now });
      assert.deepEqual(await list('session', 2), [same, older]);
      assert.deepEqual(await list('session', 3), [older, oldest]);
      assert.deepEqual(await list('codes', 2), [code]);
      assert.deepEqual(await list('offline', 2), [kept]);
    });

    it('list what has expired, and delete what is old', async () => {
      const of = { applicationId: 'old', expiresAt: end };
      const unused = await add(of);
      const ended = await add({ ...of, redeemedAt: now, endedAt: now });
      const open = await add({ ...of, redeemedAt: now });
      const listed = async (at: Instant) =>
        (await store.listExpired(at, 1000)).filter((id) => [unused, ended, open].includes(id)).toSorted();
      assert.deepEqual([await listed(toInstant(end - 1)), await listed(end)], [[], [unused, open]]);
      assert.equal((await store.listExpired(end, 1)).length, 1);
      const left = async () => {
        const rows = await database.sql
          .selectFrom('application_grant')
          .select('id')
          .where('application_id', '=', 'old')
          .execute();
        return rows.map(({ id }) => id).toSorted();
      };
      await store.deleteOld(end, 1000);
      assert.deepEqual(await left(), [unused, ended, open]);
      assert.equal(await store.deleteOld(addSeconds(end, 1), 1), 1);
      await store.deleteOld(addSeconds(end, 1), 1000);
      assert.deepEqual(await left(), [open]);
    });
  });
}
