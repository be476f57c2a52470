// The statements of grants: which rows each one takes, whatever its caller has looked at before.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, openTestDatabase } from '../../test/support/databases.ts';
import { claimsOf } from '../../test/support/forge.ts';
import { prepareSessions } from '../../test/support/sessions.ts';
import { createAccountStore, newAccount } from '../accounts/index.ts';
import { addSeconds, type Instant, toInstant } from '../foundation/clock.ts';
import type { Database } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import type { Grant } from './grant.ts';
import { createGrantStore, type Ending, type GrantStore } from './store.sql.ts';

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
