// Moving in from ABP: an export of AbpUsers is imported, and people sign in with their old passwords under their old ids.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { abpUsers } from '../support/abp-users.ts';
import { createDatabaseUrl, enginesAtLength } from '../support/databases.ts';
import { claimsOf } from '../support/forge.ts';
import { until } from '../support/patience.ts';
import { often } from '../support/scale.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createSite, SECRET, type Site } from './run.ts';

const COUNT = often(300, 10_000);
const users = [...abpUsers(COUNT)];
const count = (state: string) => users.filter((user) => user.state === state).length;
const MORE_SKIPPED = 'latchkey: More lines were skipped. To get all of them, add --report FILE.';
const imported = COUNT - count('deleted') - count('tenant');

for (const engine of enginesAtLength) {
  describe(`an export of AbpUsers on ${engine}`, () => {
    let site: Site;
    let env: Record<string, string>;
    let service: TestService;
    before(async () => {
      site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createDatabaseUrl(engine);
      env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      writeFileSync(join(site.folder, 'users.json'), JSON.stringify(users.map(({ row }) => row)));
      service = await startTestService(engine, { url, secret: SECRET });
    });
    after(async () => {
      await service.close();
      await site.close();
    });

    const run = (...words: string[]) =>
      site.run(['import', 'users', 'users.json', '--allow-new-roles', ...words], { env });
    const authenticate = (userNameOrEmailAddress: string, password: string) =>
      service.post('/api/TokenAuth/Authenticate', { body: { userNameOrEmailAddress, password } });

    /** Nothing but the first of the skipped rows, and that there are more. */
    function assertSkipped(err: string) {
      const rows = users.flatMap(({ row, state }, index) => {
        const reason = { deleted: 'deleted', tenant: 'of a tenant' }[String(state)];
        return reason ? [`latchkey: item ${index + 1} (${row.UserName}): skipped: ${reason}`] : [];
      });
      const told = err.split('\n').filter((line) => !/^$|^[\d,]+ items/.test(line));
      assert.deepEqual(told, [...rows.slice(0, 20), ...(rows.length > 20 ? [MORE_SKIPPED] : [])]);
    }

    it('shows in a dry run what the import then does', async () => {
      const rows = `import +${imported} +-\nskip +${count('deleted')} +deleted\nskip +${count('tenant')} +of a tenant\n`;
      const dry = await run('--dry-run');
      assert.equal(dry.code, 3);
      assertSkipped(dry.err);
      assert.match(dry.out, /^Columns that are not needed here: .*SecurityStamp/m);
      assert.match(dry.out, /^Columns that are not known here, and were left out: IsAnonymous\.$/m);
      assert.match(dry.out, /^External logins at providers that are not registered here: Google\./m);
      assert.match(dry.out, new RegExp(`\nWOULD +USERS +WHY\n${rows}$`));
      const skipped = COUNT - imported;
      const { code, out, err } = await run();
      assertSkipped(err);
      assert.deepEqual([code, out.split('\n').at(-2)], [3, `Imported ${imported}, skipped ${skipped}, refused 0.`]);
    });

    it('lets each tenth user sign in with the old password and the old id', async () => {
      const tenth = users.filter((_, index) => (index + 1) % 10 === 0);
      assert.ok(tenth.length >= 30 && tenth.every(({ state }) => state === 'active'));
      for (const { row, password } of tenth) {
        const name = row.Id % 20 === 0 ? `${row.UserName}@example.com` : row.UserName;
        assert.equal((await authenticate(name, `${password} `)).status, 401);
        const { status, result } = await authenticate(name, password);
        assert.equal(status, 200, name);
        assert.equal(claimsOf(result.accessToken).sub, String(row.Id));
        assert.equal(result.personId, String(row.PersonId).toLowerCase());
      }
      // Each upgraded hash accepts the same password.
      for (const { row, password } of tenth.slice(0, 6)) {
        assert.equal(claimsOf(await service.signIn(row.UserName, password)).sub, String(row.Id));
      }
    });

    it('keeps out users who are locked, banned, inactive, deleted or of a tenant', async () => {
      for (const state of ['locked', 'banned', 'inactive', 'deleted', 'tenant']) {
        const { row, password } = users.find((user) => user.state === state) ?? assert.fail(state);
        const { status, error } = await authenticate(row.UserName, password);
        assert.equal(status, 401, state);
        if (state === 'locked') assert.match(error.message, /too many failed attempts/);
        if (state === 'banned') assert.match(error.message, /^This account is deactivated/);
      }
    });

    it('keeps roles, times and external logins, and new accounts get higher ids', async () => {
      const { row } =
        users.find(({ row: { Logins }, state }) => Array.isArray(Logins) && Logins[0] && state === 'active') ??
        assert.fail();
      const token = await service.admin();
      const query = { id: row.Id };
      const { result } = await service.get('/api/services/app/User/Get', { token, query });
      assert.deepEqual(
        [result.roleNames[0], result.name, result.creationTime, result.isEmailConfirmed],
        ['Clerk', row.Name, '2019-03-04T05:06:07.890Z', true],
      );
      const logins = await service.get('/api/services/app/User/GetExternalLogins', {
        token,
        query: { userId: row.Id },
      });
      assert.deepEqual(
        logins.result.items.map(({ provider, providerKey }) => ({ LoginProvider: provider, ProviderKey: providerKey })),
        row.Logins,
      );
      await until(async () => {
        const roles = await service.get('/api/services/app/User/GetRoles', { token });
        return roles.result.items.some(({ name }) => name === 'Team Lead');
      });
      assert.ok((await service.createUser('newcomer')) > Math.max(...users.map((user) => user.row.Id)));
    });

    it('changes nothing when it is imported again, and takes one tenant when asked', async () => {
      const again = await run('--update');
      assert.equal(again.code, 3);
      assertSkipped(again.err);
      assert.match(
        again.out,
        new RegExp(`^Imported 0, unchanged ${imported}, skipped ${COUNT - imported}, refused 0\\.$`, 'm'),
      );
      const ofTenant = users.filter(({ row }) => row.TenantId === 2);
      const tenant = await run('--tenant', '2');
      assert.deepEqual(
        [tenant.code, tenant.out.split('\n').at(-2)],
        [3, `Imported ${ofTenant.length}, skipped ${COUNT - ofTenant.length}, refused 0.`],
      );
      const told = tenant.err.split('\n').filter((line) => line.startsWith('latchkey: '));
      assert.deepEqual([told.length, told.at(-1)], [21, MORE_SKIPPED]);
      const { row, password } = ofTenant[0] ?? assert.fail();
      assert.equal(claimsOf(await service.signIn(row.UserName, password)).sub, String(row.Id));
    });
  });
}
