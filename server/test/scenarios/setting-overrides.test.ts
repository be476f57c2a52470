// The list of values that replace defaults, and what definitions say about durations and conditions.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { settingDefinitions } from '../../src/app/catalogue.ts';
import type { Need } from '../../src/foundation/setting.ts';
import { findBrokenBounds } from '../../src/settings/index.ts';
import { assertRefused } from '../support/answers.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const SETTINGS = '/api/services/app/Settings';
const LENGTH = 'Abp.Zero.UserManagement.PasswordComplexity.RequiredLength';
const LIMITS = 'Latchkey.RateLimiting';

for (const [name, start] of Object.entries(setUps)) {
  describe(`overrides of settings on ${name}`, () => {
    let setUp: SetUp;
    let token: string;
    before(async () => {
      setUp = await start();
      token = await setUp.here.admin();
    });
    after(() => setUp.close());

    const list = async (test: TestService, bearer = token) =>
      (await test.get(`${SETTINGS}/GetOverrides`, { token: bearer })).result.items;
    const change = (test: TestService, call: string, body: object) => test.post(`${SETTINGS}/${call}`, { token, body });

    it('tell the value, the front end, the administrator and the time, on every node at once', async () => {
      const { here, there } = setUp;
      assert.deepEqual(await list(here), []);
      await here.createUser('rosa', { roleNames: ['Administrator'] });
      const rosa = await here.signIn('rosa');
      const body = { appKey: 'kiosk', name: 'Kiosk' };
      await here.post('/api/services/app/FrontEndApp/Create', { token, body });
      await change(here, 'UpdateValue', { name: LENGTH, value: 15, appKey: 'default-app' });
      here.clock.advance(60);
      await here.post(`${SETTINGS}/UpdateValue`, { token: rosa, body: { name: LENGTH, value: 20, appKey: 'kiosk' } });
      await change(here, 'UpdateValue', { name: LIMITS, value: { loginPermitLimit: 7 } });
      const all = await list(there);
      const facts = all.map((one) => [one.name, one.appKey, one.by]).toSorted();
      assert.deepEqual(facts, [
        [LENGTH, 'default-app', 'admin'],
        [LENGTH, 'kiosk', 'rosa'],
        [LIMITS, null, 'admin'],
      ]);
      const find = (setting: string, appKey: string | null) =>
        all.find((one) => one.name === setting && one.appKey === appKey) ?? assert.fail(setting);
      assert.equal(find(LENGTH, 'kiosk').value, 20);
      assert.equal((find(LIMITS, null).value as { loginPermitLimit: number }).loginPermitLimit, 7);
      const [first, later] = [find(LENGTH, 'default-app').at, find(LENGTH, 'kiosk').at];
      assert.equal(Date.parse(later) - Date.parse(first), 60_000);

      await change(here, 'ResetValue', { name: LENGTH, appKey: 'kiosk' });
      assert.deepEqual((await list(there)).map((one) => one.appKey).toSorted(), ['default-app', null]);
    });

    it('tell the value in force while the stored one is out of bounds', async () => {
      const { here } = setUp;
      await change(here, 'UpdateValue', { name: LIMITS, value: { loginPermitLimit: 9 } });
      const { sql } = here.service.database;
      await sql
        .updateTable('setting_value')
        .set({ value: '{"loginPermitLimit":0}' })
        .where('name', '=', LIMITS)
        .execute();
      const limits = (await list(here)).find((one) => one.name === LIMITS)?.value as { loginPermitLimit: number };
      assert.equal(limits.loginPermitLimit, 9);
      await change(here, 'ResetValue', { name: LIMITS });
    });

    it('have a history also after the stored value was no JSON', async () => {
      const { here } = setUp;
      await change(here, 'UpdateValue', { name: LIMITS, value: { loginPermitLimit: 9 } });
      const { sql } = here.service.database;
      await sql.updateTable('setting_value').set({ value: 'nine' }).where('name', '=', LIMITS).execute();
      await change(here, 'ResetValue', { name: LIMITS });
      const { status, result } = await here.get(`${SETTINGS}/GetHistory`, { token, query: { name: LIMITS } });
      assert.equal(status, 200);
      assert.deepEqual([result.items[0]?.oldValue, result.items[0]?.newValue], [null, null]);
    });

    it('are for administrators who maintain the service', async () => {
      const { here } = setUp;
      await here.createUser('sipho', { roleNames: ['UserManager'] });
      const answer = await here.get(`${SETTINGS}/GetOverrides`, { token: await here.signIn('sipho') });
      assertRefused(answer, 403, 'permission.denied');
    });
  });
}

type Member = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, Member>> };

describe('the definitions of settings', () => {
  const schemaOf = (setting: string): Member => {
    const found = settingDefinitions.find((one) => one.name === setting);
    assert.ok(found, setting);
    return found.schema as Member;
  };
  const values = settingDefinitions.flatMap(({ name, schema }) => {
    const whole = schema as Member;
    const members = Object.entries(whole.properties ?? {});
    return [{ name, path: name, schema: whole }].concat(
      members.map(([member, inner]) => ({ name, path: `${name}.${member}`, schema: inner })),
    );
  });

  it('call each number of seconds a duration', () => {
    const seconds = values.filter(({ schema }) => schema['x-unit'] === 's' || schema['x-duration'] !== undefined);
    assert.ok(seconds.length > 10);
    for (const { path, schema } of seconds) {
      assert.deepEqual([schema.type, schema['x-unit'], schema['x-duration']], ['integer', 's', true], path);
    }
  });

  it('name conditions that exist and that an administrator can fulfil', () => {
    const conditional = values.filter(({ schema }) => schema['x-needs'] !== undefined);
    assert.ok(conditional.length >= 10);
    for (const { name, path, schema } of conditional) {
      for (const need of schema['x-needs'] as Need[]) {
        if ('means' in need) continue;
        const { setting = name, member, is } = need;
        const needed = member === undefined ? schemaOf(setting) : schemaOf(setting).properties?.[member];
        assert.ok(needed, `${path} needs ${setting}.${member}`);
        assert.deepEqual(findBrokenBounds({ schema: needed }, is), [], path);
      }
    }
  });
});
