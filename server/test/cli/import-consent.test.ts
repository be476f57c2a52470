// latchkey import users: roles that are new and users who would be administrators, named by the check and added when told to.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/databases.ts';
import { createSite, type Site } from './run.ts';

for (const engine of engines) {
  describe(`what an import brings besides users, on ${engine}`, () => {
    let site: Site;
    before(async () => {
      site = await createSite(engine);
    });
    after(() => site.close());

    const importRows = (what: 'users' | 'roles', rows: readonly object[], ...words: string[]) => {
      writeFileSync(join(site.folder, `${what}.json`), JSON.stringify(rows));
      return site.run(['import', what, `${what}.json`, ...words]);
    };
    const list = async () => {
      const { code, out, err } = await site.run(['user', 'list', '--json']);
      assert.equal(code, 0, err);
      const users = out.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
      return users.map(({ userName, roleNames }) => [userName, ...roleNames]).sort();
    };

    const rows = [
      { UserName: 'plain' },
      { UserName: 'clerk', Roles: ['Clerk', 'CLERK'] },
      { UserName: 'driver', Roles: 'driver' },
      { UserName: 'chief', Roles: ['administrator'] },
      { UserName: 'keeper', Roles: ['Keeper', 'Night'] },
    ];

    it('is named by the check, and left out of an import that is not told to add it', async () => {
      const roles = [
        { name: 'Driver', permissions: ['app:trips'] },
        { name: 'Keeper', permissions: ['Pages.Users'] },
      ];
      assert.equal((await importRows('roles', roles)).code, 0);
      const dry = await importRows('users', rows, '--dry-run');
      assert.equal(dry.code, 1);
      assert.match(dry.out, /^New roles: Clerk, Night\. To add them, repeat with --allow-new-roles\.$/m);
      assert.match(
        dry.out,
        /^New administrators: chief, keeper\. To import them, repeat with --allow-administrators\.$/m,
      );
      assert.match(dry.out, /^Would import 2, refused 3\.$/m);
      assert.match(dry.err, /\(clerk\): There is no such role here: Clerk\. Create it first, or allow new roles\.$/m);
      assert.match(dry.err, /\(chief\): The account would be an administrator\./);
      assert.deepEqual(await list(), []);
      const { out } = await importRows('users', rows);
      assert.match(out, /^Imported 2, refused 3\.$/m);
      assert.deepEqual(await list(), [['driver', 'Driver'], ['plain']]);
    });

    it('is added when the import is told to, each kind by its own flag', async () => {
      const withRoles = await importRows('users', rows.slice(1), '--allow-new-roles');
      assert.match(withRoles.out, /^New roles: Clerk, Night\. They grant nothing\.$/m);
      assert.match(withRoles.out, /^Imported 1, refused 3\.$/m);
      const spelled = ['Porter', 'porter'].map((name, index) => ({ UserName: `porter${index}`, Roles: [name] }));
      const { code, err } = await importRows('users', spelled, '--allow-new-roles');
      assert.equal(code, 0, err);
      assert.deepEqual(
        (await list()).filter(([name]) => name?.startsWith('porter')),
        [
          ['porter0', 'Porter'],
          ['porter1', 'Porter'],
        ],
      );
      const withBoth = await importRows('users', rows.slice(3), '--allow-new-roles', '--allow-administrators');
      assert.match(withBoth.out, /^New administrators: chief, keeper\.$/m);
      assert.match(withBoth.out, /^Imported 2, refused 0\.$/m);
      const names = (await list()).map(([name]) => name);
      assert.deepEqual(names, ['chief', 'clerk', 'driver', 'keeper', 'plain', 'porter0', 'porter1']);
    });

    it('is asked for by an update as well, for roles that the account does not have yet', async () => {
      const changed = [
        { UserName: 'plain', Roles: ['Keeper'] },
        { UserName: 'chief', Name: 'C', Roles: ['Administrator'] },
      ];
      const { out, err } = await importRows('users', changed, '--update');
      assert.match(out, /^New administrators: plain\. To import them/m);
      assert.match(out, /^Imported 0, updated 1, refused 1\.$/m);
      assert.match(err, /\(plain\): The account would be an administrator\./);
      const more = await importRows('users', changed, '--update', '--allow-administrators');
      assert.match(more.out, /^Imported 0, updated 1, unchanged 1, refused 0\.$/m);
      const unknown = await importRows('users', [{ UserName: 'plain', Roles: ['Keeper', 'Ghost'] }], '--update');
      assert.match(unknown.out, /^New roles: Ghost\. To add them/m);
      assert.equal(unknown.code, 1);
    });

    it('is asked for when an update activates an administrator', async () => {
      const former = { UserName: 'former', Roles: ['Administrator'], IsActive: false };
      assert.equal((await importRows('users', [former], '--allow-administrators')).code, 0);
      const renamed = await importRows('users', [{ ...former, Name: 'F' }], '--update');
      assert.match(renamed.out, /^Imported 0, updated 1, refused 0\.$/m);
      const { out } = await importRows('users', [{ ...former, IsActive: true }], '--update');
      assert.match(out, /^New administrators: former\. To import them/m);
      assert.match(out, /^Imported 0, refused 1\.$/m);
    });
  });
}
