// The audit trail as an administrator reads, follows and exports it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { fillTrail } from '../support/audit.ts';
import { engines } from '../support/databases.ts';
import { startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';

const AUDIT = '/api/services/app/Audit';
const USER = '/api/services/app/User';
const BYTE_ORDER_MARK = '\ufeff';

type Line = { id: number; at: string; action: string; outcome: string; userName: string | null; details: unknown };

for (const engine of engines) {
  describe(`the audit trail on ${engine}`, () => {
    let test: TestService;
    let token: string;
    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    const list = async (query: Record<string, string | number>) =>
      (await test.get(`${AUDIT}/GetAll`, { token, query })).result.items;
    const readLines = (text: string): Line[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const download = async (query: Record<string, string | number>) => {
      const answer = await test.get(`${AUDIT}/Export`, { token, query });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    };

    describe('narrowed', () => {
      it('by several actions, all but some actions, a reason and a front end', async () => {
        const id = await test.createUser('narrow');
        const body = { userNameOrEmailAddress: 'narrow', password: 'wrong' };
        await test.post('/api/TokenAuth/Authenticate', { body });
        await test.signIn('narrow');
        const actionsOf = async (query: Record<string, string>) =>
          (await list({ userId: id, ...query })).map(({ action, outcome }) => `${action} ${outcome}`);
        assert.deepEqual(await actionsOf({ action: 'signIn.password,account.created' }), [
          'signIn.password success',
          'signIn.password refused',
          'account.created success',
        ]);
        assert.deepEqual(await actionsOf({ exceptAction: 'account.created' }), [
          'signIn.password success',
          'signIn.password refused',
        ]);
        const both = { action: 'signIn.password,account.created', exceptAction: 'signIn.password,test.none' };
        assert.deepEqual(await actionsOf(both), ['account.created success']);
        assert.deepEqual(await actionsOf({ reason: 'signIn.invalidCredentials' }), ['signIn.password refused']);
        assert.equal((await actionsOf({ frontEnd: 'default-app' })).length, 3);
        assert.deepEqual(await actionsOf({ frontEnd: 'other' }), []);
      });
    });

    describe('followed', () => {
      const getNew = async (query: Record<string, string>) => {
        const { status, result, text } = await test.get(`${AUDIT}/GetNew`, { token, query });
        assert.equal(status, 200, text);
        return result;
      };

      it('tells entries since the last poll, newest first, and repeats those of the last seconds', async () => {
        const first = await getNew({});
        assert.deepEqual(first.items, [], 'the first poll only begins');
        const id = await test.createUser('followed');
        const second = await getNew({ since: first.next, userId: String(id) });
        assert.deepEqual(
          second.items.map(({ action }) => action),
          ['account.created'],
        );
        test.clock.advance(9);
        await test.signIn('followed');
        const third = await getNew({ since: second.next, userId: String(id) });
        assert.deepEqual(
          third.items.map(({ action }) => action),
          ['signIn.password', 'account.created'],
        );
        test.clock.advance(11);
        const fourth = await getNew({ since: (await getNew({ since: third.next })).next, userId: String(id) });
        assert.deepEqual(fourth.items, [], 'an entry is repeated for 10 seconds');
      });

      it('returns at most 100 entries, and finds no older ones', async () => {
        await fillTrail(test.service.database, 150, { at: test.clock.now(), action: 'test.flood' });
        const { items } = await getNew({ since: new Date(test.clock.now()).toISOString(), action: 'test.flood' });
        assert.equal(items.length, 100);
        test.clock.advance(1);
        const since = new Date(test.clock.now()).toISOString();
        assert.deepEqual((await getNew({ since, action: 'test.flood' })).items, []);
        assertRefused(await test.get(`${AUDIT}/GetNew`, { token, query: { since: 'soon' } }), 400, 'request.invalid');
      });
    });

    describe('exported', () => {
      it('has every entry once in all batches, as JSON lines', async () => {
        await fillTrail(test.service.database, 1234, { at: test.clock.now(), action: 'test.many' });
        const answer = await download({ format: 'jsonl', action: 'test.many' });
        assert.match(String(answer.headers['content-type']), /^application\/jsonl/);
        assert.equal(answer.headers['content-disposition'], 'attachment; filename="audit-trail.jsonl"');
        assert.equal(answer.headers['cache-control'], 'no-store');
        const ids = readLines(answer.text).map(({ id }) => id);
        assert.equal(new Set(ids).size, 1234);
        assert.deepEqual(
          ids,
          ids.toSorted((a, b) => b - a),
        );
      });

      it('has the same members as the list', async () => {
        const id = await test.createUser('exported');
        const entries = await list({ userId: id });
        const exported = readLines((await download({ format: 'jsonl', userId: id })).text);
        assert.deepEqual(exported, JSON.parse(JSON.stringify(entries)));
      });

      it('neutralises formulas in CSV, and keeps details as JSON', async () => {
        const id = await test.createUser('=cmd|calc');
        const { text } = await download({ format: 'csv', userId: id });
        const [head, row] = text.split('\r\n');
        assert.equal(
          head,
          `${BYTE_ORDER_MARK}id,at,action,outcome,reason,userId,userName,ipAddress,frontEnd,userAgent,details`,
        );
        assert.match(row ?? '', new RegExp(`,account.created,success,,${id},'=cmd\\|calc,.*,"\\{""by"":""admin""`));
        const empty = await download({ format: 'csv', action: 'test.none' });
        assert.equal(empty.text, `${head}\r\n`);
      });

      it('is an audit entry itself, with its format and filter', async () => {
        await download({
          format: 'csv',
          action: 'test.a,test.b',
          exceptAction: 'test.c',
          from: '2030-01-01T00:00:00Z',
        });
        const [entry] = await list({ action: 'audit.exported' });
        const filter = { action: ['test.a', 'test.b'], exceptAction: ['test.c'], from: '2030-01-01T00:00:00.000Z' };
        assert.deepEqual([entry?.userName, entry?.details], ['admin', { format: 'csv', filter }]);
      });
    });

    it('tells the old and new values of a changed account, with masked addresses', async () => {
      const id = await test.createUser('changing', { emailAddress: 'old@example.org', roleNames: ['UserManager'] });
      const body = { id, emailAddress: 'new@example.com', name: 'Ann', roleNames: [], isActive: false };
      assert.equal((await test.send('PUT', `${USER}/Update`, { token, body })).status, 200);
      const [entry] = await list({ userId: id, action: 'account.updated' });
      const { changed, changes } = (entry?.details ?? {}) as { changed: string[]; changes: object };
      assert.deepEqual(changed.toSorted(), Object.keys(changes).toSorted());
      assert.deepEqual(changes, {
        name: { from: '', to: 'Ann' },
        emailAddress: { from: 'o***@***.org', to: 'n***@***.com' },
        isActive: { from: true, to: false },
        roleNames: { from: ['UserManager'], to: [] },
      });
      const { text } = await test.get(`${AUDIT}/GetAll`, { token, query: { userId: id } });
      assert.doesNotMatch(text, /old@example|new@example/);
      assert.ok(!text.includes(USER_PASSWORD));
    });
  });
}
