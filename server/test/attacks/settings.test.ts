// Attacks on settings: invalid values from callers, and invalid values in the database.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operator } from '../../src/app/first-start.ts';
import { assertRefused } from '../support/answers.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { type Locks, ofTopic, openLocks } from '../support/locks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SETTINGS = '/api/services/app/Settings';
const FRONT_ENDS = '/api/services/app/FrontEndApp';
const REQUIRE_DIGIT = 'Abp.Zero.UserManagement.PasswordComplexity.RequireDigit';

for (const engine of enginesAtLength) {
  describe(`settings on ${engine}`, () => {
    let test: TestService;
    let token: string;

    before(async () => {
      test = await startTestService(engine);
      token = await test.admin();
    });
    after(() => test.close());

    it('are refused out of bounds or of another type, without any change', async () => {
      const read = async (name: string) => (await test.get(`${SETTINGS}/GetValue`, { token, query: { name } })).result;
      for (const { name, schema, kind } of test.service.settings.definitions) {
        const before = await read(name);
        const wrong: unknown[] = [null, 'text', [], 1e9, -1, 0.5, '5', [[]]];
        const { properties = {} } = schema as unknown as { properties?: Record<string, { type: string }> };
        const bad =
          kind === 'compound'
            ? Object.entries(properties).flatMap(([member, { type }]) =>
                [null, type === 'array' ? [1] : [], {}, -1, 1e9].map((value) => ({ [member]: value })),
              )
            : wrong;
        for (const value of bad) {
          const answer = await test.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value } });
          assertRefused(answer, 400, 'request.invalid', [name, value]);
        }
        assert.deepEqual(await read(name), before);
      }
      for (const name of ['__proto__', 'constructor', 'shesha.security', '']) {
        const answer = await test.post(`${SETTINGS}/UpdateValue`, { token, body: { name, value: 1 } });
        assert.ok(['setting.notFound', 'request.invalid'].includes(answer.error.reason));
      }
      const noFrontEnd = { name: 'Shesha.Security', value: { useAutoLogoff: true }, appKey: 'nobody' };
      assertRefused(await test.post(`${SETTINGS}/UpdateValue`, { token, body: noFrontEnd }), 404, 'frontEnd.notFound');
      const partial = { useAutoLogoff: true, unknown: 1, constructor: 1 };
      await test.set('Shesha.Security', partial);
      const value = (await read('Shesha.Security')) as Record<string, unknown>;
      assert.deepEqual(
        [value.useAutoLogoff, value.autoLogoffTimeout, Object.hasOwn(value, 'unknown')],
        [true, 1800, false],
      );
    });

    it('are refused for a front end that is not stored, also if a node still knows it', async () => {
      for (const change of [
        test.service.settings.update(REQUIRE_DIGIT, 'nowhere', true, operator('test')),
        test.service.settings.reset(REQUIRE_DIGIT, 'nowhere', operator('test')),
      ]) {
        await assert.rejects(change, { reason: 'frontEnd.notFound' });
      }
    });

    it('keep their last valid value when the stored one is invalid', async () => {
      const name = 'Latchkey.RateLimiting';
      const read = async () => {
        const { result } = await test.get(`${SETTINGS}/GetValue`, { token, query: { name } });
        return (result as Record<string, unknown>).loginPermitLimit;
      };
      await test.set(name, { loginPermitLimit: 77 });
      for (const value of ['not json', '{"loginPermitLimit":0}', 'null', '[]', '"x"']) {
        await test.service.database.sql.updateTable('setting_value').set({ value }).where('name', '=', name).execute();
        await test.set('Shesha.Security', { autoLogoffTimeout: 1000 + value.length });
        assert.equal(await read(), 77, value);
      }
      assert.ok(test.logs.some((line) => line.includes(name) && line.includes('last good value')));
      await test.post(`${SETTINGS}/ResetValue`, { token, body: { name } });
      assert.equal(await read(), 10);
    });
  });
}

describe('a setting of a front end that goes at the same moment, on PostgreSQL', () => {
  let test: TestService;
  let locks: Locks;
  let token: string;
  let other: string;
  before(async () => {
    const url = await createMigratedUrl('postgres');
    test = await startTestService('postgres', { url });
    locks = await openLocks(url);
    token = await test.admin();
    await test.createUser('other', { roleNames: ['Administrator'] });
    other = await test.signIn('other');
  });
  after(async () => {
    await locks.close();
    await test.close();
  });

  /** Changes the setting when the front end has gone in a transaction that has not ended. */
  async function changeDuring(
    appKey: string,
    go: (frontEnd: { id: string; name: string }) => Promise<{ status: number }>,
  ) {
    const { result } = await test.post(`${FRONT_ENDS}/Create`, { token, body: { appKey, name: 'Shop' } });
    // The last that it takes.
    await locks.hold(ofTopic('applications'));
    const going = go(result);
    await locks.untilWaiting(1);
    const body = { name: REQUIRE_DIGIT, value: true, appKey };
    const changing = test.post(`${SETTINGS}/UpdateValue`, { token: other, body });
    await locks.untilWaiting(2);
    await locks.release();
    assert.equal((await going).status, 200);
    return changing;
  }
  const remaining = async (appKey: string) =>
    (await test.service.settings.overrides()).filter((one) => one.appKey === appKey);

  it('is refused when the front end is deleted, and a later one of its key does not inherit it', async () => {
    const answer = await changeDuring('shop', ({ id }) =>
      test.send('DELETE', `${FRONT_ENDS}/Delete`, { token, query: { id } }),
    );
    assertRefused(answer, 404, 'frontEnd.notFound');
    assert.deepEqual(await remaining('shop'), []);
  });

  it('is refused when the front end is renamed', async () => {
    const answer = await changeDuring('kiosk', (frontEnd) =>
      test.send('PUT', `${FRONT_ENDS}/Update`, { token, body: { ...frontEnd, appKey: 'stand' } }),
    );
    assertRefused(answer, 404, 'frontEnd.notFound');
    assert.deepEqual([...(await remaining('kiosk')), ...(await remaining('stand'))], []);
  });
});
