// Denied calls: each has an entry, nobody fills the trail with them, and no answer waits for an entry or fails with it.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Occurrence } from '../../src/foundation/events.ts';
import { servicePermissions } from '../../src/foundation/permissions.ts';
import type { Database } from '../../src/storage/database.ts';
import { assertRefused } from '../support/answers.ts';
import { engines } from '../support/databases.ts';
import { postForm } from '../support/introspection.ts';
import { startTestService, type TestService } from '../support/service.ts';

const USER = '/api/services/app/User';
const GET_ALL = `GET ${USER}/GetAll`;
const MANY = 200;

for (const engine of engines) {
  describe(`the trail of denied calls on ${engine}`, () => {
    let test: TestService;
    let count = 0;
    let id: number;
    let name: string;
    let published: Occurrence[];
    let tell = () => {};
    let canWrite = true;

    before(async () => {
      const around = (database: Database): Database => ({
        ...database,
        transaction: (work, within) =>
          canWrite ? database.transaction(work, within) : Promise.reject(new Error('The disk is full.')),
      });
      test = await startTestService(engine, { around });
      test.service.events.subscribe((occurrence) => {
        if (occurrence.action.name === 'call.denied') published.push(occurrence);
        tell();
      });
    });
    after(() => test.close());
    beforeEach(async () => {
      count += 1;
      name = `scanner${count}`;
      id = await test.createUser(name);
      published = [];
    });

    /** Resolves when so many denied calls have been published, which follows their entries. */
    const denied = (times: number) =>
      new Promise<void>((resolve) => {
        tell = () => published.length >= times && resolve();
        tell();
      });
    const callsOf = ({ details }: { readonly details?: unknown }) => Array.from(Object(Object(details).calls), String);
    const endMinute = async () => {
      test.clock.advance(60);
      await test.service.audit.recordRepetitions();
    };
    async function entries(filter: object = { userId: id }) {
      const found = await test.service.audit.list({ ...filter, action: 'call.denied' }, { skip: 0, take: 100 });
      return found.entries.toReversed();
    }
    const withPermission = () =>
      test.service.routes.filter(({ access }) => servicePermissions.some((permission) => permission === access));
    const deny = async (token: string) =>
      assertRefused(await test.get(`${USER}/GetAll`, { token }), 403, 'permission.denied');

    it('tells of each call that needs a permission, in two entries a minute', async () => {
      const token = await test.signIn(name);
      const all = withPermission().map(({ method, path }) => `${method} ${path}`);
      for (const { method, path } of withPermission()) {
        assertRefused(await test.send(method, path, { token }), 403, 'permission.denied', path);
      }
      await denied(all.length);
      await endMinute();
      assert.deepEqual(published.flatMap(callsOf).toSorted(), all.toSorted());
      const [first, summary, ...more] = await entries();
      assert.ok(first && summary);
      assert.deepEqual(more, []);
      assert.deepEqual([...callsOf(first), ...callsOf(summary)].toSorted(), all.toSorted());
      assert.equal(summary.details?.repeated, all.length - 1);
      assert.deepEqual(
        [first.outcome, first.reason, first.userId, first.userName],
        ['refused', 'permission.denied', id, name],
      );
    });

    it('tells of what an administrator may not do to another one', async () => {
      const session = { token: await test.admin() };
      await test.send('PUT', `${USER}/Update`, { ...session, body: { id, roleNames: ['UserManager'] } });
      const { result } = await test.get('/api/services/app/Session/GetCurrentLoginInfo', session);
      const token = await test.signIn(name);
      const body = { userId: result.user?.id, newPassword: 'harbour violet tractor' };
      assertRefused(await test.post(`${USER}/ResetPassword`, { token, body }), 403, 'permission.denied');
      await denied(1);
      assert.deepEqual((await entries()).map(callsOf), [[`POST ${USER}/ResetPassword`]]);
    });

    it('tells of calls that only another person may make, and of settings that are not public', async () => {
      const token = await test.signIn(name);
      const query = { userId: id + 1 };
      assertRefused(
        await test.get('/api/services/app/Session/GetSignOuts', { token, query }),
        403,
        'permission.denied',
      );
      const setting = { name: 'Latchkey.Tokens' };
      assertRefused(
        await test.get('/api/services/app/Settings/GetValue', { token, query: setting }),
        403,
        'permission.denied',
      );
      await denied(2);
      assert.deepEqual(published.flatMap(callsOf).toSorted(), [
        'GET /api/services/app/Session/GetSignOuts',
        'GET /api/services/app/Settings/GetValue',
      ]);
    });

    it('tells of service keys, and of people at protected applications', async () => {
      const key = await test.createServiceKey(`sync${count}`, ['manage', 'Pages.Users']);
      const headers = { authorization: `Bearer ${key}` };
      assertRefused(
        await test.get('/api/services/app/Settings/GetConfigurations', { headers }),
        403,
        'permission.denied',
      );
      const introspection = await postForm(test, '/oauth/introspect', { token: 'x' }, headers.authorization);
      assert.equal(introspection.status, 403, introspection.text);
      const token = await test.signIn(name);
      const query = { roles: 'Surgeon' };
      assertRefused(await test.get('/api/forward-auth', { token, query }), 403, 'permission.denied');
      await denied(3);
      // They are recorded after the answers, in any order.
      assert.deepEqual(
        new Set(published.map(({ user, reason }) => `${user?.name} ${reason}`)),
        new Set([
          `service key sync${count} permission.denied`,
          `service key sync${count} serviceKey.forbidden`,
          `${name} permission.denied`,
        ]),
      );
    });

    it('stays as it is when the token is missing, made up, expired or revoked', async () => {
      const revoked = await test.signIn(name);
      await test.post('/api/TokenAuth/SignOff', { token: revoked });
      const expired = await test.signIn(name);
      test.clock.advance(60 * 60 * 24 * 31);
      const newest = await test.service.auditStore.newest();
      const [head, body] = expired.split('.');
      for (const token of [undefined, 'x', `${head}.${body}.AAAA`, expired, revoked, `lks_${'A'.repeat(43)}`]) {
        const { status } = await test.get(`${USER}/GetAll`, { ...(token !== undefined && { token }) });
        assert.equal(status, 401, String(token));
      }
      await deny(await test.signIn(name));
      await denied(1);
      const found = await entries();
      assert.equal(found.length, 1);
      assert.ok((found[0]?.id ?? 0) > newest);
      assert.equal(published.length, 1);
    });

    it('is not filled by many sessions in parallel', async () => {
      const tokens = await Promise.all(Array.from({ length: 5 }, () => test.signIn(name)));
      await Promise.all(Array.from({ length: MANY }, (_, n) => deny(tokens[n % tokens.length] ?? '')));
      await denied(MANY);
      await endMinute();
      const [first, summary, ...more] = await entries();
      assert.deepEqual([first?.details, more], [{ calls: [GET_ALL] }, []]);
      assert.deepEqual([summary?.details?.calls, summary?.details?.repeated], [[GET_ALL], MANY - 1]);
    });

    it('lets no answer wait while nothing can be written', async () => {
      const token = await test.signIn(name);
      await test.service.database.transaction(async (tx) => {
        if (engine === 'postgres') await sql`lock table audit in exclusive mode`.execute(tx.sql);
        await deny(token);
        assert.equal(published.length, 0, 'the entry waits');
      });
      await denied(1);
      assert.equal((await entries()).length, 1);
    });

    it('turns no refusal into a fault, and has an entry again when it can be written', async () => {
      const token = await test.signIn(name);
      canWrite = false;
      for (let n = 0; n < 5; n += 1) await deny(token);
      canWrite = true;
      assert.equal(published.length, 0);
      await deny(token);
      await denied(1);
      assert.equal((await entries()).length, 1);
    });
  });
}
