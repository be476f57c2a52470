// latchkey import users, killed in the middle: whole batches are there, and a second run adds the rest once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/storage/database.ts';
import { createDatabaseUrl, engines, openPatiently } from '../support/databases.ts';
import { often } from '../support/scale.ts';
import { createSite, SECRET, type Site, startCommandLine } from './run.ts';

const COUNT = often(3000, 8000);
const BATCH = 250;
/** Lines that the killed import gets. A pipe holds them. */
const SENT = 3 * BATCH;

for (const engine of engines) {
  describe(`latchkey import users, killed on ${engine}`, () => {
    let site: Site;
    let database: Database;
    let env: Record<string, string>;
    let rows: readonly object[];
    before(async () => {
      site = await createSite(engine);
      const url = engine === 'sqlite' ? `sqlite:${join(site.folder, 'latchkey.db')}` : await createDatabaseUrl(engine);
      env = { ...site.env, LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET };
      database = await openPatiently(url);
      rows = Array.from({ length: COUNT }, (_, index) => ({
        Id: 10 + index,
        UserName: `user${index}`,
        ...(index % 100 === 0 && { Logins: [{ LoginProvider: 'Corp', ProviderKey: `key ${index}` }] }),
        AccessFailedCount: index % 100 === 0 ? 2 : 0,
      }));
      writeFileSync(join(site.folder, 'users.json'), JSON.stringify(rows));
    });
    after(async () => {
      await database.close();
      await site.close();
    });

    const countRows = async (table: 'account' | 'external_login' | 'lockout' | 'audit') => {
      const query = database.sql.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'));
      return Number((await query.executeTakeFirstOrThrow()).count);
    };

    it('leaves whole batches, and the next run adds the rest', async () => {
      const pipe = join(site.folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      // Open for both, so that it waits for no reader. The end of the list never comes: no import is too fast to be killed.
      const sending = await open(pipe, 'r+');
      const sent = rows.slice(0, SENT).map((row) => JSON.stringify(row));
      await sending.write(`[${sent.join(',')},`);
      const { child, ended } = startCommandLine(['import', 'users', 'pipe'], env, { cwd: site.folder });
      while ((await countRows('account')) === 0 && child.exitCode === null) await sleep(1);
      child.kill('SIGKILL');
      await ended;
      await sending.close();
      const added = await countRows('account');
      assert.ok(added > 0 && added <= SENT, `the kill came in the middle: ${added}`);
      assert.equal(added % BATCH, 0);
      const complete = async () => [await countRows('external_login'), await countRows('lockout')];
      assert.deepEqual(await complete(), [Math.ceil(added / 100), Math.ceil(added / 100)]);

      const { code, out } = await site.run(['import', 'users', 'users.json', '--update'], { env });
      assert.equal(out.trim().split('\n').at(-1), `Imported ${COUNT - added}, unchanged ${added}, refused 0.`);
      assert.equal(code, 0);
      assert.equal(await countRows('account'), COUNT);
      assert.deepEqual(await complete(), [COUNT / 100, COUNT / 100]);
      const created = database.sql.selectFrom('audit').select('user_id').where('action', '=', 'account.created');
      assert.equal(new Set((await created.execute()).map((row) => row.user_id)).size, COUNT);
    });

    it('refuses all accounts as taken without --update, and keeps the ids above free', async () => {
      const { code, out, err } = await site.run(['import', 'users', 'users.json'], { env });
      assert.deepEqual([code, out.split('\n').at(-2)], [1, `Imported 0, refused ${COUNT}.`]);
      assert.match(
        err,
        /^latchkey: item 2 \(user1\): Taken, by an account or by an earlier line: the id, the user name\.$/m,
      );
      const { out: created } = await site.run(['user', 'create', 'newcomer', '--password-stdin'], {
        env,
        input: 'staple gravel lantern',
      });
      assert.match(created, new RegExp(`account ${10 + COUNT}`));
    });
  });
}
