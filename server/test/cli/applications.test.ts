// latchkey applications: registers applications beside a running service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/databases.ts';
import { createSite, type Site } from './run.ts';

for (const engine of engines) {
  describe(`latchkey applications on ${engine}`, () => {
    let site: Site;
    before(async () => {
      site = await createSite(engine);
    });
    after(() => site.close());

    const run = (...words: string[]) => site.run(['applications', ...words]);
    async function succeed(...words: string[]): Promise<string> {
      const { code, out, err } = await run(...words);
      assert.equal(code, 0, err);
      return out.trim();
    }
    async function fail(...words: string[]): Promise<string> {
      const { code, out, err } = await run(...words);
      assert.deepEqual([code === 0, out], [false, ''], err);
      return err;
    }

    it('registers one, shows it, replaces its secret and deletes it', async () => {
      const uri = 'https://grafana.example.com/login/generic_oauth';
      const { out, err } = await run(
        'create',
        'Grafana',
        '--client-id',
        'grafana',
        '--redirect-uri',
        uri,
        '--pkce',
        'required',
      );
      assert.match(out, /^[A-Za-z0-9]{43,}\n$/);
      const [, id = ''] = /Registered the application (\S+) with the client id grafana\./.exec(err) ?? [];
      const [, row] = (await succeed('list')).split('\n');
      assert.match(row ?? '', new RegExp(`^${id}  enabled +web +\\S+ +grafana +Grafana$`));
      const shown = JSON.parse(await succeed('show', id.toUpperCase()));
      assert.deepEqual([shown.clientId, shown.redirectUris, shown.pkce], ['grafana', [uri], 'required']);
      assert.ok(!JSON.stringify(shown).includes(out.trim()));
      const second = await run('rotate-secret', 'grafana', '--overlap', '3600');
      assert.match(second.out, /^[A-Za-z0-9]{43,}\n$/);
      assert.notEqual(second.out, out);
      assert.match(second.err, /The former one stays valid for 3600 seconds\./);
      assert.equal(await succeed('delete', 'grafana'), 'Deleted the application Grafana.');
      assert.match(await fail('show', 'grafana'), /There is no application with the id or client id "grafana"/);
    });

    it('registers one without a secret, and says what is wrong', async () => {
      const made = await run('create', 'App', '--kind', 'native', '--redirect-uri', 'com.example.app:/callback');
      assert.deepEqual([made.code, made.out], [0, ''], made.err);
      assert.match(await fail('create', 'Shop', '--redirect-uri', 'http://shop.example.com/'), /must begin with https/);
      assert.match(await fail('create', 'Shop', '--kind', 'app'), /kind must be one of: web, browser, native, machine/);
      assert.match(await fail('create', 'Shop', '--role', 'Nobody'), /There is no role "Nobody"/);
      assert.match(await fail('rotate-secret', 'x', '--overlap', '604801'), /from 0 to 604800/);
      assert.match(await fail('rotate-secret', 'x', '--overlap', '1h'), /from 0 to 604800/);
    });
  });
}
