// Nodes that share a database act as one service from the start.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDatabaseUrl } from '../support/databases.ts';
import { ADMIN_PASSWORD, startTestService, type TestService, USER_PASSWORD } from '../support/service.ts';
import { type SetUp, startTwoNodes } from '../support/set-ups.ts';

const REFRESH = '/api/TokenAuth/RefreshTokenAsync';
const SIGN_OFF = '/api/TokenAuth/SignOff';
const SESSIONS = '/api/services/app/Session/GetAll';
const USER = '/api/services/app/User';

describe('nodes that start concurrently on an empty database', () => {
  it('create one administrator and one key, and migrate once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const url = await createDatabaseUrl('postgres');
      const nodes = await Promise.all([1, 2, 3].map(() => startTestService('postgres', { url })));
      const [first] = nodes as [TestService];
      const { sql } = first.service.database;
      const count = async (table: 'account' | 'signing_key' | 'front_end') =>
        Number(
          (
            await sql
              .selectFrom(table)
              .select((eb) => eb.fn.countAll().as('rows'))
              .executeTakeFirstOrThrow()
          ).rows,
        );
      assert.deepEqual([await count('account'), await count('signing_key'), await count('front_end')], [1, 1, 1]);
      const { entries } = await first.service.audit.list({}, { skip: 0, take: 100 });
      assert.deepEqual(entries.map(({ action }) => action).toSorted(), ['account.created', 'key.rotated']);
      const token = await first.signIn('admin', ADMIN_PASSWORD);
      for (const node of nodes) assert.equal((await node.get(SESSIONS, { token })).status, 200);
      for (const node of nodes) await node.close();
    }
  });
});

describe('two nodes', () => {
  let setUp: SetUp;
  let here: TestService;
  let there: TestService;
  let admin: string;
  let id: number;
  before(async () => {
    setUp = await startTwoNodes();
    ({ here, there } = setUp);
    id = await here.createUser('thandi');
    admin = await here.admin();
  });
  after(() => setUp.close());

  it('refuse at once a session that ended on the other', async () => {
    const ends: Record<string, (node: TestService, token: string) => Promise<{ status: number }>> = {
      'signing off': (node, token) => node.post(SIGN_OFF, { token }),
      refreshing: (node, token) => node.post(REFRESH, { token }),
      'signing out everywhere': (node) =>
        node.post(`${USER}/SignOutEverywhere`, { token: admin, body: { userId: id } }),
      deactivating: (node) => node.post(`${USER}/InactivateUser`, { token: admin, body: { userId: id } }),
    };
    for (const [what, end] of Object.entries(ends)) {
      for (const [node, other] of [
        [here, there],
        [there, here],
      ] as const) {
        const token = await node.signIn('thandi', USER_PASSWORD);
        assert.equal((await other.get(SESSIONS, { token })).status, 200);
        assert.equal((await end(node, token)).status, 200, what);
        assert.equal((await other.get(SESSIONS, { token })).error.reason, 'token.revoked', what);
        await node.post(`${USER}/ActivateUser`, { token: admin, body: { userId: id } });
      }
    }
  });

  it('remove a role at once', async () => {
    const changed = async (roleNames: string[]) =>
      here.send('PUT', `${USER}/Update`, { token: admin, body: { id, roleNames } });
    await changed(['UserManager']);
    const token = await there.signIn('thandi', USER_PASSWORD);
    assert.equal((await there.get(`${USER}/GetAll`, { token })).status, 200);
    await changed([]);
    assert.equal((await there.get(`${USER}/GetAll`, { token })).status, 403);
  });

  it('do not disturb each other when administrators work and sign in on both', async () => {
    const ids = await Promise.all(
      ['zanele', 'johan'].map((name) => here.createUser(name, { roleNames: ['Administrator'] })),
    );
    const work = Array.from({ length: 10 }, async (_, round) => {
      const node = round % 2 ? here : there;
      const name = round % 4 < 2 ? 'zanele' : 'johan';
      await node.signIn(name);
      const body = { id: ids[round % 2], surname: `S${round}` };
      return (await node.send('PUT', `${USER}/Update`, { token: admin, body })).status;
    });
    assert.deepEqual([...new Set(await Promise.all(work))], [200]);
  });
});
