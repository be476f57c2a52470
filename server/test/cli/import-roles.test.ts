// latchkey import roles: adds roles with what they grant, changes them when asked, and reports what it refused.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createDatabaseUrl, enginesAtLength } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

for (const engine of enginesAtLength) {
  describe(`latchkey import roles on ${engine}`, () => {
    let site: Site;
    let env: Record<string, string>;
    let service: TestService;
    before(async () => {
      site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createDatabaseUrl(engine);
      env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      service = await startTestService(engine, { url, secret: SECRET });
    });
    after(async () => {
      await service.close();
      await site.close();
    });

    async function importRows(rows: readonly unknown[], ...words: string[]) {
      writeFileSync(join(site.folder, 'roles.json'), JSON.stringify(rows));
      const { code, out } = await site.run(['import', 'roles', 'roles.json', '--report', 'report.jsonl', ...words], {
        env,
      });
      const report = readFileSync(join(site.folder, 'report.jsonl'), 'utf8').split('\n').filter(Boolean);
      return { code, out, report: report.map((line) => JSON.parse(line)) };
    }
    /** Runs `work` on a service that starts now: a running one reads roles again within two seconds. */
    async function afresh<Result>(work: (fresh: TestService) => Promise<Result>): Promise<Result> {
      const fresh = await startTestService(engine, { url: env.LATCHKEY_DATABASE_URL ?? '', secret: SECRET });
      return work(fresh).finally(fresh.close);
    }
    const list = () =>
      afresh(async (fresh) => {
        const query = { maxResultCount: 100 };
        const { result } = await fresh.get('/api/services/app/Role/GetAll', { token: await fresh.admin(), query });
        return new Map(
          result.items.map(({ name, displayName, grantedPermissions }) => [name, { displayName, grantedPermissions }]),
        );
      });
    const listUsersAs = (userName: string) =>
      afresh(async (fresh) => {
        const token = await fresh.signIn(userName);
        return (await fresh.get('/api/services/app/User/GetAll', { token })).status;
      });

    it('adds roles, whose permissions hold at once for users who have them', async () => {
      const rows = [
        { name: 'Helpdesk', displayName: 'Help desk', permissions: ['Pages.Users', 'app:tickets'] },
        { Id: 3, Name: 'Driver', DisplayName: 'Drivers', IsStatic: false, Permissions: [{ Name: 'Trips.Read' }] },
        { Name: 'Gone', IsDeleted: true },
        { Name: 'Other', TenantId: 4 },
        { Name: 'helpdesk' },
        { Name: 'Wrong', Permissions: ['two words'] },
        { Name: 'Odd', nick: 1 },
        { Name: 'Administrator', Permissions: ['everything'] },
        7,
        { name: ' Help\u200bdesk\u00a0' },
        { name: '\u2066Cleaner\u2069 ' },
      ];
      const dry = await importRows(rows, '--dry-run');
      assert.match(dry.out, /^Would import 3, skipped 2, refused 6\.\nWOULD +ROLES +WHY\n/m);
      assert.equal((await list()).has('Helpdesk'), false);
      const { code, out, report } = await importRows(rows);
      assert.equal(code, 1);
      assert.match(out, /^Imported 3, skipped 2, refused 6\.$/m);
      assert.deepEqual(dry.report, report);
      assert.deepEqual(
        report.map(({ item, skipped, reasons }) => [item, skipped ?? reasons[0].split(/[.:]/)[0]]),
        [
          [3, 'deleted'],
          [4, 'of a tenant'],
          [5, 'Taken, by a role or by an earlier line'],
          [6, report[3].reasons[0].split(/[.:]/)[0]],
          [7, 'The item has unknown members'],
          [8, 'Taken, by a role or by an earlier line'],
          [9, 'The item is not one JSON object in UTF-8'],
          [10, 'Taken, by a role or by an earlier line'],
        ],
      );
      assert.match(report[3].reasons[0], /^grantedPermissions/);
      const roles = await list();
      assert.ok(roles.has('Cleaner'));
      assert.deepEqual(roles.get('Driver'), { displayName: 'Drivers', grantedPermissions: ['Trips.Read'] });
      assert.deepEqual(roles.get('Helpdesk'), {
        displayName: 'Help desk',
        grantedPermissions: ['Pages.Users', 'app:tickets'],
      });

      await service.createUser('helper', { roleNames: ['HELPDESK'] });
      assert.equal(await listUsersAs('helper'), 200);
    });

    it('changes roles with --update, and leaves the members that the file does not give', async () => {
      const rows = [{ name: 'Helpdesk', permissions: ['app:tickets'] }, { name: 'DRIVER' }, { name: 'New' }];
      const dry = await importRows(rows, '--update', '--dry-run');
      assert.match(dry.out, /^Would import 1, updated 1, unchanged 1, refused 0\.$/m);
      const { code, out } = await importRows(rows, '--update');
      assert.deepEqual([code, out], [0, 'Imported 1, updated 1, unchanged 1, refused 0.\n']);
      assert.deepEqual((await list()).get('Helpdesk'), {
        displayName: 'Help desk',
        grantedPermissions: ['app:tickets'],
      });
      assert.equal(await listUsersAs('helper'), 403);
    });
  });
}
