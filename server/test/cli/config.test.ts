// latchkey config and LATCHKEY_CONFIG: a file is planned and applied by commands, and at the start of the service.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { openLocks } from '../support/locks.ts';
import { startInVain, startProcess } from '../support/process.ts';
import { createSite, SECRET, type Site } from './run.ts';

/** The lock for all accounts, as `accounts/store.sql.ts` takes it. */
const ACCOUNTS_LOCK = 7_205_759_403;

const CANARY = 'canary-of-a-client-secret-0123456789';

describe('LATCHKEY_CONFIG on PostgreSQL', () => {
  it('waits at the start while another transaction holds the accounts', async () => {
    const site = await createSite('postgres');
    const locks = await openLocks(site.env.LATCHKEY_DATABASE_URL ?? '');
    try {
      await locks.hold(`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`);
      const file = join(site.folder, 'waits.yaml');
      writeFileSync(file, 'roles: { Editor: }\n');
      const node = await startProcess({
        env: { ...site.env, LATCHKEY_CONFIG: file },
        dataDir: join(site.folder, 'data'),
        onOutput: (output) => /the start waits for another transaction/.test(output) && locks.release(),
      });
      assert.match(node.output(), /the start waits for another transaction.*\+ roles\.Editor/s);
      assert.equal(await node.stop(), 0);
    } finally {
      await locks.close();
      await site.close();
    }
  });

  it('stops at SIGTERM while the start waits', async () => {
    const site = await createSite('postgres');
    const locks = await openLocks(site.env.LATCHKEY_DATABASE_URL ?? '');
    try {
      await locks.hold(`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`);
      const file = join(site.folder, 'waits.yaml');
      writeFileSync(file, 'roles: { Editor: }\n');
      const { code, output } = await startInVain({
        env: { ...site.env, LATCHKEY_CONFIG: file },
        dataDir: join(site.folder, 'data'),
        onOutput: (written, child) => /the start waits for another transaction/.test(written) && child.kill('SIGTERM'),
      });
      assert.equal(code, 0, output);
      assert.doesNotMatch(output, /is ready|roles\.Editor/);
    } finally {
      await locks.close();
      await site.close();
    }
  });

  it('leaves the database out of the blame when another transaction holds its tables', async () => {
    const site = await createSite('postgres');
    const locks = await openLocks(site.env.LATCHKEY_DATABASE_URL ?? '');
    try {
      await locks.hold('lock table schema_migration in access exclusive mode');
      const { code, out } = await site.run(['doctor']);
      assert.match(out, /LATCHKEY_DATABASE_URL: the database did not answer in time \(/);
      assert.equal(code, 1);
    } finally {
      await locks.close();
      await site.close();
    }
  });
});

for (const engine of enginesAtLength) {
  describe(`latchkey config on ${engine}`, () => {
    let site: Site;
    before(async () => {
      site = await createSite(engine);
      // A plan needs a database.
      assert.equal((await site.run(['user', 'create', 'ann'])).code, 0);
    });
    after(() => site.close());

    const write = (text: string, name = 'latchkey.yaml') => {
      const path = join(site.folder, name);
      writeFileSync(path, text);
      return path;
    };
    const run = (...words: string[]) => site.run(['config', ...words], { env: { GRAFANA: CANARY } });
    const GRAFANA =
      `applications:
  grafana:
    name: Grafana
    kind: web
    redirectUris: [https://grafana.example.com/callback]
    clientSecret: $` + '{ENV:GRAFANA}\n';

    it('plans, applies what was planned, and then finds no difference', async () => {
      const path = write(GRAFANA);
      const planned = await run('plan', path);
      assert.equal(planned.code, 2, planned.err);
      const [, version = ''] = /^\+ applications\.grafana\nversion: (\S{22})\n$/.exec(planned.out) ?? [];
      const stale = await run('apply', path, '--expect', 'another');
      assert.deepEqual([stale.code, stale.out], [1, '']);
      assert.match(stale.err, /has changed since version another, and is at \S{22} now\. Nothing was applied/);
      const applied = await run('apply', path, '--expect', version);
      assert.equal(applied.code, 0, applied.err);
      assert.match(applied.out, /^\+ applications\.grafana\nversion: \S{22}\n$/);
      const after = await run('plan', path);
      assert.deepEqual([after.code, after.out], [0, applied.out.replace(/^\+.*\n/, '')]);
      assert.equal((await run('apply', path)).code, 0);
      assert.equal((await run('apply', path, '--expect', version)).code, 1);
    });

    it('exports a file without secrets, which is what is there', async () => {
      const { code, out, err } = await run('export');
      assert.equal(code, 0, err);
      assert.match(out, /^# yaml-language-server: \$schema=\.\/node_modules\/latchkey\/docs\/reference\/configuration/);
      assert.match(out, /\n {4}# clientSecret: \$\{ENV:GRAFANA_CLIENT_SECRET\}\n/);
      assert.doesNotMatch(out, /canary/);
      assert.equal((await run('plan', write(out, 'exported.yaml'), '--prune')).code, 0);
    });

    it('prints the secrets that Latchkey makes, and nothing else on standard output', async () => {
      const path = write('serviceKeys: { ci: { permissions: [audit] } }\n', 'keys.yaml');
      const refused = await run('apply', path);
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.match(refused.err, /keys\.yaml:1:16: serviceKeys\.ci: Latchkey would make its key/);
      const { out, err } = await run('apply', path, '--print-secrets');
      assert.match(out, /^\{"member":"serviceKeys\.ci\.key","secret":"lks_[\w-]{43}"\}\n$/);
      assert.match(err, /\+ serviceKeys\.ci: key \(Latchkey makes it\)\nversion: /);
      assert.doesNotMatch(err, /lks_/);
      const pruned = await run('apply', write('serviceKeys: {}\n', 'keys.yaml'), '--prune');
      assert.match(pruned.out, /^- serviceKeys\.ci\n/);
    });

    it('says in one line what is wrong', async () => {
      const wrong: [text: string, message: RegExp][] = [
        ['role: {}\n', /wrong\.yaml:1:1: role: There is no such member\. Did you mean "roles"\?$/m],
        ['roles: { A: { colour: red } }\n', /wrong\.yaml:1:15: roles\.A\.colour: There is no such member\. Did you/],
        ['roles:\n', /wrong\.yaml:1:1: roles: Write its members on lines of their own below it, or \{\} for none/],
        ['settings: { Latchkey.Link: {} }\n', /1:13: settings\.Latchkey\.Link: .* Did you mean "Latchkey\.Links"\?/],
        [
          'settings: { Latchkey.Links: { origins: [] } }\n',
          /1:31: settings\.Latchkey\.Links\.origins: There is no such/,
        ],
        ['roles: { editor: , Editor: }\n', /1:20: roles\.Editor: This is the name of another one, in another spelling/],
        [GRAFANA.replace('ENV:GRAFANA', 'ENV:NONE'), /6:5: applications\.grafana\.clientSecret: The variable NONE is/],
        [GRAFANA.replace(/\$.*/, CANARY), /6:5: .*A secret does not stand in the file\. Write \$\{ENV:NAME\}/],
        [GRAFANA.replace('name: Grafana', 'name: $' + '{ENV:GRAFANA}'), /3:5: .*Only a secret is read from elsewhere/],
        [GRAFANA.replace('kind: web', 'kind: browser'), /6:5: .*Only an application that authenticates with a secret/],
      ];
      for (const [text, message] of wrong) {
        const { code, out, err } = await run('plan', write(text, 'wrong.yaml'));
        assert.deepEqual([code, out], [1, ''], text);
        assert.match(err, message);
        assert.equal(err.trim().split('\n').length, 1, err);
        assert.doesNotMatch(err, /canary/);
      }
    });

    it('applies LATCHKEY_CONFIG once when nodes start together, and starts with no wrong file', async () => {
      const file = write(`${GRAFANA}roles: { Editor: }\n`, 'start.yaml');
      const url = engine === 'postgres' ? await createMigratedUrl(engine) : undefined;
      const env = {
        ...site.env,
        ...(url !== undefined && { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: SECRET }),
        GRAFANA: CANARY,
        LATCHKEY_CONFIG: file,
      };
      const dataDir = join(site.folder, 'started');
      const started = async () => startProcess({ env: { ...env, LATCHKEY_DATA_DIR: dataDir }, dataDir });
      const nodes = url === undefined ? [await started()] : await Promise.all([started(), started()]);
      const output = nodes.map((node) => node.output()).join('');
      assert.equal(output.match(/\+ applications\.grafana/g)?.length, 1, output);
      assert.equal(output.match(/\+ roles\.Editor/g)?.length, 1, output);
      assert.doesNotMatch(output, /canary/);
      for (const node of nodes) assert.equal(await node.stop(), 0);
      write('roles: { Reader: }\nserviceKeys: { ci: { permissions: [audit] } }\n', 'start.yaml');
      const { code, output: refusal } = await startInVain({ env: { ...env, LATCHKEY_DATA_DIR: dataDir }, dataDir });
      assert.equal(code, 1, refusal);
      assert.match(refusal, /start\.yaml:2:16: serviceKeys\.ci: Latchkey would make its key/);
      const { out } = await site.run(['config', 'export'], { env: { ...env, LATCHKEY_DATA_DIR: dataDir } });
      assert.match(out, /Editor:/);
      assert.doesNotMatch(out, /Reader:/);
    });
  });
}
