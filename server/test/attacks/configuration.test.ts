// Canaries of configuration files: the secrets that a file gives are in no export, plan, error, history, audit entry, log or table.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../src/app/first-start.ts';
import {
  configurationOf,
  describeDifferences,
  formatConfiguration,
  parseConfiguration,
} from '../../src/configuration/index.ts';
import { type Engine, engines } from '../support/databases.ts';
import { startTestService, type TestService } from '../support/service.ts';

const reference = (name: string) => `'$${`{ENV:${name}}`}'`;

const FILE = `
applications:
  shop: { name: Shop, kind: machine, clientSecret: ${reference('CLIENT')} }
externalProviders:
  Acme: { type: oidc, clientId: x, issuer: 'https://id.acme.example', clientSecret: ${reference('PROVIDER')} }
webhooks:
  https://events.example.com/all: { actions: ['*'], secret: ${reference('WEBHOOK')} }
serviceKeys:
  shop: { permissions: [audit], key: ${reference('KEY')} }
`;

const secretsOf = (byte: number): Record<string, string> => ({
  CLIENT: `canary-of-the-client-secret-number-${byte}`,
  PROVIDER: `canary of % the provider ${byte}`,
  WEBHOOK: `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
  KEY: `lks_${Buffer.alloc(32, byte).toString('base64url')}`,
});

/** Secrets of a wrong form. */
const WRONG = { CLIENT: 'canary short', PROVIDER: 'canary \u0000 ', WEBHOOK: 'whsec_canary', KEY: 'lks_canary' };

for (const engine of engines) describe(`canaries of configuration files on ${engine}`, () => suite(engine));

function suite(engine: Engine) {
  let test: TestService;
  let seen = '';
  const all = [secretsOf(1), secretsOf(2), WRONG].flatMap((secrets) => Object.values(secrets));

  before(async () => {
    test = await startTestService(engine);
    await sing();
  });
  after(() => test.close());

  /** Adds, replaces and refuses every secret, and keeps what was printed. */
  async function sing() {
    const configuration = configurationOf(test.service);
    const run = async (what: 'plan' | 'apply', variables: Record<string, string>, text = FILE) => {
      const file = parseConfiguration(text, 'latchkey.yaml');
      const options = { by: operator('test'), variables, prunes: false, takesSecrets: false };
      const { differences, secrets } = await configuration[what](file, options);
      assert.deepEqual(secrets, {});
      seen += describeDifferences(differences).join('\n');
      return differences.length;
    };
    for (const what of ['plan', 'apply'] as const) {
      assert.equal(await run(what, secretsOf(1)), 4);
      seen += formatConfiguration(await configuration.list(), './schema.json');
    }
    for (const [name, value] of Object.entries(WRONG)) {
      await assert.rejects(
        run('apply', { ...secretsOf(1), [name]: value }),
        ({ name: kind, message, stack }: Error) => {
          assert.equal(kind, 'ConfigurationError', message);
          seen += `${message}${stack}`;
          return true;
        },
      );
    }
    await assert.rejects(run('apply', secretsOf(2), FILE.replace('oidc', 'google')), (error: Error) => {
      seen += error.stack;
      return true;
    });
    for (const what of ['plan', 'apply'] as const) assert.equal(await run(what, secretsOf(2)), 4);
    seen += formatConfiguration(await configuration.list(), './schema.json');
  }

  function assertFree(text: string, where: string) {
    for (const secret of all) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        assert.equal(text.includes(form), false, `${where} holds "${secret}"`);
    }
    assert.doesNotMatch(text, /canary/, where);
  }

  it('are in nothing that was printed or thrown', () => {
    assert.match(seen, /\+ applications\.shop/);
    assert.match(seen, /serviceKeys\.shop: key \(another secret\)/);
    assert.match(seen, /A service key is lks_/);
    assertFree(seen, 'what was printed');
  });

  it('are in no log line and in no column of the database', async () => {
    assertFree(test.logs.join(''), 'the log');
    const { sql: statements } = test.service.database;
    const names =
      engine === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
    for (const { name } of (await names.execute(statements)).rows) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(statements);
      if (['application', 'webhook', 'service_key', 'external_provider_change'].includes(name))
        assert.equal(rows.length, 1);
      assertFree(JSON.stringify(rows), `the table ${name}`);
    }
  });

  it('are in no answer with the history or the audit trail', async () => {
    const token = await test.admin();
    const trail = await test.get('/api/services/app/Audit/GetAll', { query: { maxResultCount: 100 }, token });
    assert.match(trail.text, /application\.secretRotated/);
    assert.match(trail.text, /externalProvider\.updated/);
    assertFree(trail.text, 'the audit trail');
    const [provider] = await test.service.externalProviders.readAll();
    const history = await test.get('/api/services/app/ExternalProvider/GetHistory', {
      query: { id: provider?.id ?? '' },
      token,
    });
    assert.match(history.text, /clientSecret/);
    assertFree(history.text, 'the history');
  });
}
