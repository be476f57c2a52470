// Attacks on front ends: an application that names one which goes at the same moment.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl, engines } from '../support/databases.ts';
import { type Locks, openLocks } from '../support/locks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const FRONT_ENDS = '/api/services/app/FrontEndApp';
const APPLICATIONS = '/api/services/app/Application';

/** What an administrator does with front ends, and another one with applications. */
async function enter(test: TestService) {
  const token = await test.admin();
  await test.createUser('other', { roleNames: ['Administrator'] });
  const other = await test.signIn('other');
  return {
    async add(appKey: string): Promise<string> {
      return (await test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey, name: 'Shop' } })).result.id;
    },
    remove: (id: string) => test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id } }),
    register: (frontEnd: string) =>
      test.post(`${APPLICATIONS}/Create`, {
        token: other,
        body: { name: 'Till', kind: 'web', redirectUris: ['https://till.example.com/in'], frontEnd },
      }),
    /** Returns the front ends of all applications. */
    async readNamed(): Promise<string[]> {
      const { result } = await test.get(`${APPLICATIONS}/GetAll`, { token });
      return result.items.map(({ frontEnd }: { frontEnd: string }) => frontEnd);
    },
  };
}

for (const engine of engines) {
  describe(`a front end that goes, on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine);
    });
    after(() => test.close());

    it('keeps no application that is registered meanwhile', async () => {
      const { add, remove, register, readNamed } = await enter(test);
      for (let round = 0; round < 10; round += 1) {
        const id = await add(`shop-${round}`);
        const [removed, registered] = await Promise.all([remove(id), register(`shop-${round}`)]);
        assert.equal(removed.status, 200);
        if (registered.status !== 200) assertRefused(registered, 404, 'frontEnd.notFound');
      }
      assert.deepEqual(
        [...new Set(await readNamed())].filter((appKey) => appKey !== 'default-app'),
        [],
      );
    });
  });
}

describe('a front end that goes on PostgreSQL', () => {
  let test: TestService;
  let locks: Locks;
  let given: Awaited<ReturnType<typeof enter>>;
  before(async () => {
    const url = await createMigratedUrl('postgres');
    test = await startTestService('postgres', { url });
    locks = await openLocks(url);
    given = await enter(test);
  });
  after(async () => {
    await locks.close();
    await test.close();
  });

  /** Begins both in this order: the first one waits to write applications, and the other one for the first to end. */
  async function meet<First, Second>(first: () => Promise<First>, second: () => Promise<Second>) {
    await locks.hold('lock table application in exclusive mode');
    const one = first();
    await locks.untilWaiting(1);
    const other = second();
    await locks.untilWaiting(2);
    await locks.release();
    return [await one, await other] as const;
  }

  it('takes no application any more once it is gone', async () => {
    const id = await given.add('shop');
    const [removed, registered] = await meet(
      () => given.remove(id),
      () => given.register('shop'),
    );
    assert.equal(removed.status, 200);
    assertRefused(registered, 404, 'frontEnd.notFound');
  });

  it('hands on an application that came before', async () => {
    const id = await given.add('kiosk');
    const [registered, removed] = await meet(
      () => given.register('kiosk'),
      () => given.remove(id),
    );
    assert.deepEqual([registered.status, removed.status], [200, 200]);
    assert.deepEqual(await given.readNamed(), ['default-app']);
  });
});
