// Metrics: the figures that operators watch exist and move, and every alert of the runbook uses metrics that exist.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { enginesAtLength } from '../support/databases.ts';
import { startProcess } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';

const guide = join(import.meta.dirname, '../../../docs/guide');
const read = (name: string) => readFileSync(join(guide, name), 'utf8');

/** Metrics that Prometheus itself adds. */
const OF_PROMETHEUS = ['up'];

async function scrape(test: TestService) {
  const { status, text } = await test.get('/metrics', { ip: '127.0.0.1' });
  assert.equal(status, 200);
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, series, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (series) values.set(series, Number(value));
  }
  return { text, values };
}

/** All metrics of the service, also those without a value yet: their names, and the series of each. */
function namesIn(text: string) {
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const series = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  );
  return { series: new Set(series), names: new Set([...series, ...types.map(([, name = '']) => name)]) };
}

for (const engine of enginesAtLength) {
  describe(`metrics on ${engine}`, () => {
    let test: TestService;
    before(async () => {
      test = await startTestService(engine);
    });
    after(() => test.close());

    it('show how many messages wait, and for how long', async () => {
      await test.createUser('thandi', { mobileNumber: '+27821234567', isMobileConfirmed: true });
      await test.deliver();
      await test.post('/api/TokenAuth/OtpAuthenticateSendPin', { body: { userNameOrMobileNo: 'thandi' } });
      test.clock.advance(150);
      const { values } = await scrape(test);
      assert.equal(values.get('latchkey_messages_queued{means="sms"}'), 1);
      assert.ok((values.get('latchkey_messages_oldest_seconds{means="sms"}') ?? 0) >= 150);
      assert.equal(values.get('latchkey_messages_queued{means="email"}'), 0);
      assert.equal(values.get('latchkey_messages_oldest_seconds{means="email"}'), 0);
    });

    it('are the same for several scrapes at once', async () => {
      const all = await Promise.all([1, 2, 3].map(() => scrape(test)));
      for (const { values } of all) {
        assert.equal(values.get('latchkey_database_up'), 1);
        assert.equal(values.get('latchkey_workers'), 1);
      }
    });

    it('show the age of the signing key', async () => {
      const { values } = await scrape(test);
      test.clock.advance(3600);
      const later = (await scrape(test)).values;
      const name = 'latchkey_signing_key_seconds';
      assert.equal((later.get(name) ?? 0) - (values.get(name) ?? 0), 3600);
    });

    it('show hashes under way', async () => {
      const hashing = Promise.all(Array.from({ length: 5 }, () => test.service.passwords.hashRandom()));
      const { running, waiting } = test.service.passwords.load();
      assert.deepEqual([running, waiting], [2, 3]);
      await hashing;
      assert.equal((await scrape(test)).values.get('latchkey_hashes{of="passwords",state="waiting"}'), 0);
    });

    it('show connections to the database, where it has any', async () => {
      const names = ['busy', 'idle', 'waiting'].map((state) => `latchkey_database_connections{state="${state}"}`);
      const { values } = await scrape(test);
      const found = names.filter((name) => values.has(name));
      assert.deepEqual(found, engine === 'postgres' ? names : []);
      assert.equal(values.get('latchkey_database_up'), 1);
      assert.ok(values.has('latchkey_database_answer_seconds'));
    });

    it('show stored settings that are out of bounds, and errors in the log', async () => {
      const errors = 'latchkey_log_entries_total{level="error"}';
      assert.deepEqual([(await scrape(test)).values.get(errors), test.service.settings.badValues()], [0, 0]);
      const row = { name: 'Latchkey.Tokens', app_key: '', value: '"nonsense"', changed_at: test.clock.now() };
      await test.service.database.sql
        .insertInto('setting_value')
        .values({ ...row, changed_by: null })
        .execute();
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 11 });
      const { values } = await scrape(test);
      assert.deepEqual([values.get('latchkey_bad_settings'), values.get(errors)], [1, 1]);
      await test.service.database.sql.deleteFrom('setting_value').where('name', '=', row.name).execute();
      await test.set('Latchkey.RateLimiting', { loginPermitLimit: 12 });
      assert.equal((await scrape(test)).values.get('latchkey_bad_settings'), 0);
    });

    it('answer while the database does not', async () => {
      const other = await startTestService(engine);
      await other.service.database.close();
      const { values } = await scrape(other);
      assert.equal(values.get('latchkey_database_up'), 0);
      assert.equal(values.has('latchkey_database_answer_seconds'), false);
      assert.equal(values.has('latchkey_messages_queued{means="sms"}'), false);
      await other.app.close();
    });
  });
}

describe('metrics of a service whose database was restored', () => {
  it('count that all sessions were ended, before the first request is served', async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-metrics-'));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    await (await startProcess({ dataDir })).stop();
    writeFileSync(join(dataDir, 'latchkey.mark'), '0000000000000900');
    const running = await startProcess({ dataDir });
    const text = await (await fetch(`${running.url}/metrics`)).text();
    await running.stop();
    assert.match(text, /^latchkey_events_total\{action="session.allEnded",outcome="success",reason=""\} 1$/m);
  });
});

/** No metrics: the databases of the guide to restoring a dump. */
const DATABASES: readonly string[] = ['latchkey_restored', 'latchkey_old'];

describe('the runbook', () => {
  const runbook = read('runbook.md');
  const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)\n +expr: '(.*)'/g)].map(
    ([, name = '', expr = '']) => ({
      name,
      expr: expr.replaceAll("''", "'"),
    }),
  );

  it('has a section for each alert, with its rule, what it means, what to look at and what to do', () => {
    assert.ok(alerts.length > 10);
    const sections = runbook.split(/^## /m).slice(1);
    assert.deepEqual(
      sections.map((section) => section.split('\n', 1)[0]),
      alerts.map(({ name }) => name),
    );
    for (const [index, { name, expr }] of alerts.entries()) {
      const section = sections[index] ?? '';
      assert.ok(section.includes(`\`\`\`promql\n${expr}\n\`\`\``), `${name} has another expression in the runbook`);
      for (const part of ['**It means.**', '**Look at.**', '**Do.**']) assert.ok(section.includes(part), name);
    }
  });

  it('names only metrics that exist, as do the other guides', async (context) => {
    const test = await startTestService('sqlite');
    context.after(() => test.close());
    const { series, names } = namesIn((await scrape(test)).text);
    for (const { name, expr } of alerts) {
      const bare = expr.replace(/\{[^}]*\}|\[\w+\]|\b(by|ignoring) \([^)]*\)|ignoring\([^)]*\)/g, '');
      const words = bare.match(/\b[a-z_][a-z0-9_]+\b(?! *\()/g) ?? [];
      const metrics = words.filter((word) => !['or', 'and', 'unless', 'offset', 'by', ...OF_PROMETHEUS].includes(word));
      assert.ok(metrics.length > 0 || bare.startsWith('up'), name);
      for (const metric of metrics) assert.ok(series.has(metric), `${name} looks at ${metric}`);
    }
    for (const page of ['runbook.md', 'operating.md', 'scaling.md']) {
      for (const [metric] of read(page).matchAll(/\b(latchkey|nodejs|process)_[a-z0-9_]+\b/g)) {
        assert.ok(names.has(metric) || DATABASES.includes(metric), `${page} names ${metric}`);
      }
    }
  });

  it('counts a right first factor as a success, where a second one is asked', () => {
    const { expr = '' } = alerts.find(({ name }) => name === 'LatchkeySignInsRefused') ?? {};
    const [, success = ''] = /action=~"([^"]*)",outcome="success"/.exec(expr) ?? [];
    assert.match('signIn.challenged', new RegExp(`^${success}$`));
  });

  it('names only actions, reasons and calls that exist', async (context) => {
    const test = await startTestService('sqlite');
    context.after(() => test.close());
    const reference = (page: string) => read(`../reference/${page}.md`);
    const known: Record<string, (value: string) => boolean> = {
      action: (value) => reference('events').includes(`| \`${value}\` |`),
      reason: (value) => reference('errors').includes(`| \`${value}\` |`),
      route: (value) => test.service.routes.some(({ path }) => path === value),
    };
    const looked = alerts.flatMap(({ expr }) => [...expr.matchAll(/\b(action|reason|route)="([^"]*)"/g)]);
    assert.ok(looked.length > 4);
    for (const [all, label = '', value = ''] of looked) assert.ok(known[label]?.(value), all);
    const alternatives = alerts.flatMap(({ expr }) => [...expr.matchAll(/\baction=~"(\w+)\.\(([\w|]+)\)"/g)]);
    assert.ok(alternatives.length > 0);
    for (const [all, group, names = ''] of alternatives)
      for (const name of names.split('|')) assert.ok(known.action?.(`${group}.${name}`), all);
  });
});
