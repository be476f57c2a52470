// Rows that a newer program of the same database has stored: this one passes over what it does not know, and fails at nothing.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createMigratedUrl, engines } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';

const app = (method: string) => `/api/services/app/${method}`;

/** What a newer program may store in the place of a value of a list that this one knows. */
const newer = [
  sql`insert into setting_value (name, app_key, value, changed_at) values ('Latchkey.Newer', '', '{"a":1}', 1)`,
  sql`insert into setting_change (name, app_key, new_value, changed_at) values ('Latchkey.Newer', '', '{"a":1}', 1)`,
  sql`update setting_value set value = '{"newer":true,' || substr(value, 2)`,
  sql`update setting_change set new_value = '{"newer":true,' || substr(new_value, 2)`,
  sql`update role set permissions = replace(permissions, '[', '["Pages.Newer",') where name = 'Guard'`,
  sql`update service_key set permissions = permissions || ' newer'`,
  sql`update session set amr = amr || ' newer'`,
  sql`update webhook set actions = actions || ' newer.*'`,
  sql`update external_provider set type = 'newer' where name = 'newer'`,
  sql`update external_provider set settings = '{"newer":true,' || substr(settings, 2) where name = 'older'`,
  sql`update application set settings = '{"newer":true,' || substr(settings, 2)`,
  sql`update audit set action = 'newer.thing', reason = 'newer.reason', details = '{"newer":true}' where action = 'role.created'`,
  sql`update message set template = 'Latchkey.Newer'`,
  sql`insert into hourly_count (hour, figure, part, count) values (0, 'newer', 'newer', 1)`,
  sql`insert into version (topic, number) values ('newer', 1)`,
];

for (const engine of engines) {
  describe(`rows of a newer program on ${engine}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-newer-'));
    let test: TestService;
    let token: string;
    let key: string;

    before(async () => {
      const url = engine === 'sqlite' ? `sqlite:${join(folder, 'latchkey.db')}` : await createMigratedUrl(engine);
      const first = await startTestService(engine, { url });
      const admin = await first.admin();
      const create = async (what: string, body: object) => {
        const answer = await first.post(app(`${what}/Create`), { token: admin, body });
        assert.equal(answer.status, 200, answer.text);
      };
      await create('Role', { name: 'Guard', grantedPermissions: ['pages:maintenance'] });
      await create('Webhook', { url: 'http://127.0.0.1:9/', actions: ['signIn.*'] });
      await create('Application', { name: 'Shop', kind: 'web', redirectUris: ['https://shop.example/callback'] });
      const provider = { type: 'oidc', clientId: 'latchkey', issuer: 'https://id.example.com' };
      for (const name of ['newer', 'older']) await create('ExternalProvider', { ...provider, name });
      await first.set('Shesha.Otp', { passwordLength: 7 });
      await first.createUser('thandi', { roleNames: ['Guard'], emailAddress: 'thandi@example.com' });
      await first.post(app('User/ForgotPassword'), { body: { emailAddress: 'thandi@example.com' } });
      key = await first.createServiceKey('collector', ['audit']);
      token = admin;
      for (const change of newer) await change.execute(first.service.database.sql);
      await first.close();
      test = await startTestService(engine, { url, clock: first.clock });
    });
    after(async () => {
      await test.close();
      rmSync(folder, { recursive: true });
    });

    it('are passed over by every call that reads', async () => {
      const { paths } = JSON.parse((await test.get('/openapi.json')).text);
      const read = Object.keys(paths).filter((path) => paths[path].get && !path.includes('{'));
      assert.ok(read.length > 40);
      for (const path of read) {
        const { status, text } = await test.get(path, { token });
        assert.ok(status < 500, `${path}: ${text}`);
      }
    });

    it('leave what this program knows as it was', async () => {
      const pins = await test.get('/api/services/app/Settings/GetValue', { token, query: { name: 'Shesha.Otp' } });
      assert.equal(Object(pins.result).passwordLength, 7);
      const session = await test.signIn('thandi');
      const refreshed = await test.post('/api/TokenAuth/RefreshTokenAsync', { token: session });
      assert.equal(refreshed.status, 200, refreshed.text);
      const managed = await test.get(app('Settings/GetConfigurations'), { token: refreshed.result.accessToken });
      assert.equal(managed.status, 200, managed.text);
      const feed = await test.get('/api/audit-feed', { token: key });
      assert.equal(feed.status, 200, feed.text);
      const offered = (await test.get('/api/TokenAuth/GetExternalAuthenticationProviders')).result;
      assert.deepEqual(
        offered.map(({ name }) => name),
        ['older'],
      );
    });

    it('can be changed and deleted, and what a newer program has stored in them stays', async () => {
      const { items } = (await test.get('/api/services/app/Role/GetAll', { token })).result;
      const guard = items.find(({ name }) => name === 'Guard');
      const body = { ...guard, displayName: 'Guards' };
      const changed = await test.send('PUT', app('Role/Update'), { token, body });
      assert.equal(changed.status, 200, changed.text);
      const role = sql<{ permissions: string }>`select permissions from role where name = 'Guard'`;
      const [row] = (await role.execute(test.service.database.sql)).rows;
      assert.match(row?.permissions ?? '', /Pages\.Newer/);
    });

    it('cause no fault in the log', () => {
      const faults = test.logs.filter((line) => JSON.parse(line).level === 'error' || JSON.parse(line).level >= 50);
      assert.deepEqual(faults, []);
    });
  });
}
