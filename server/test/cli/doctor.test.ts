// latchkey doctor: finds what is wrong, says what to do, and changes nothing.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import pg from 'pg';
import { toInstant } from '../../src/foundation/clock.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { createDatabaseUrl, type Engine, engines, openPatiently } from '../support/databases.ts';
import { createSite, SECRET, type Site } from './run.ts';

async function onSite(engine: Engine, work: (site: Site) => Promise<void>) {
  const site = await createSite(engine);
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

/** The doctor's findings; each line begins with its verdict. */
async function examine(site: Site, env: Record<string, string> = {}) {
  const { code, out, err } = await site.run(['doctor'], { env });
  assert.equal(err, '');
  for (const line of out.trim().split('\n')) assert.match(line, /^(ok {2}|warn|fail) {2}\S/);
  assert.equal(code, /^fail/m.test(out) ? 1 : 0, out);
  return out;
}

const PRODUCTION = {
  LATCHKEY_MODE: 'production',
  LATCHKEY_PUBLIC_URL: 'https://sign-in.example.com',
  LATCHKEY_SECRET: SECRET,
  LATCHKEY_SMTP_URL: 'smtp://mail.example.com',
  LATCHKEY_MAIL_FROM: 'sign-in@example.com',
  LATCHKEY_SMS_URL: 'https://sms.example.com',
  LATCHKEY_SMS_SECRET: 'known to the gateway too, and to nobody else',
};

describe('latchkey doctor', () => {
  it('finds nothing wrong before the first start, and creates nothing', () =>
    onSite('sqlite', async (site) => {
      const out = await examine(site);
      assert.doesNotMatch(out, /^fail/m);
      assert.match(out, /^ok {4}data directory .* not there yet/m);
      assert.match(out, /^ok {4}database .* not there yet/m);
      assert.deepEqual(readdirSync(site.folder), []);
    }));

  it('reports that an empty PostgreSQL database is not migrated, and does not migrate it', () =>
    onSite('postgres', async (site) => {
      site.env.LATCHKEY_DATABASE_URL = await createDatabaseUrl('postgres');
      assert.match(await examine(site), /^ok {4}database +PostgreSQL [^,]+, not migrated yet/m);
      const client = new pg.Client(site.env.LATCHKEY_DATABASE_URL);
      await client.connect();
      const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
      await client.end();
      assert.deepEqual(rows, []);
      assert.equal(existsSync(join(site.folder, 'data')), false);
    }));

  it('names unknown variables and secrets that end with a line break, as the start does', () =>
    onSite('sqlite', async (site) => {
      const odd = { LATCHKEY_SMPT_URL: 'smtp://x', LATCHKEY_SECRET: `${SECRET}\n` };
      const unknown =
        'LATCHKEY_SMPT_URL is no variable of Latchkey and has no effect. The nearest one is LATCHKEY_SMTP_URL.';
      const broken = 'LATCHKEY_SECRET ends with a line break, which is not part of the value: the service removed it.';
      const out = await examine(site, odd);
      for (const notice of [unknown, broken]) assert.ok(out.includes(`warn  configuration  ${notice}\n`), out);
      assert.match(out, new RegExp(`^ok {4}secret +LATCHKEY_SECRET has ${SECRET.length} characters$`, 'm'));

      Object.assign(site.env, odd);
      const { output } = await site.serve();
      const lines = output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
      assert.deepEqual(
        warnings.map(({ msg }) => msg),
        [unknown, broken],
      );
    }));

  it('names the mistyped variable also when the right one is missing, as the start does', () =>
    onSite('sqlite', async (site) => {
      const { LATCHKEY_SMTP_URL: url, ...others } = PRODUCTION;
      const env = { ...others, LATCHKEY_SMPT_URL: url };
      const notice =
        'LATCHKEY_SMPT_URL is no variable of Latchkey and has no effect. The nearest one is LATCHKEY_SMTP_URL.';
      const out = await examine(site, env);
      assert.ok(out.startsWith(`warn  configuration  ${notice}\nfail  configuration  LATCHKEY_MAIL_FROM`), out);
      const { code, err } = await site.run(['serve'], { env });
      assert.equal(code, 1);
      assert.ok(err.startsWith(`latchkey: ${notice}\nlatchkey: LATCHKEY_MAIL_FROM has no effect`), err);
    }));

  it('accepts means that are off', () =>
    onSite('sqlite', async (site) => {
      const { LATCHKEY_SMS_SECRET: _, LATCHKEY_MAIL_FROM: __, ...others } = PRODUCTION;
      const out = await examine(site, { ...others, LATCHKEY_SMS_URL: 'off', LATCHKEY_SMTP_URL: 'off' });
      assert.match(out, /^ok {4}delivery +e-mail: off\. What needs it is not offered\.$/m);
      assert.match(out, /^ok {4}delivery +SMS: off\. What needs it is not offered\.$/m);
      assert.doesNotMatch(out, /^fail/m);
    }));

  for (const engine of engines) {
    it(`finds a running service on ${engine} healthy`, () =>
      onSite(engine, async (site) => {
        await site.serve();
        const out = await examine(site);
        assert.doesNotMatch(out, /^fail/m);
        assert.match(out, /^ok {4}database .* at version (\d+) of \1$/m);
        assert.match(out, /^ok {4}keys +1 can be opened, the newest is 0 days old$/m);
        assert.match(out, /^ok {4}clock +agrees with the disk/m);
        if (engine === 'postgres') assert.match(out, /^ok {4}clock +agrees with the database server/m);
        else assert.match(out, /^ok {4}disk .* free/m);
      }));
  }

  it('says whether nodes may be replaced one by one', () =>
    onSite('sqlite', async (site) => {
      assert.equal((await site.run(['user', 'list'])).code, 0);
      const database = new DatabaseSync(join(site.folder, 'data', 'latchkey.db'));
      const known = migrations.length;
      try {
        database.exec(`insert into schema_migration (number, name, needs) values (${known + 1}, 'newer', 0)`);
        assert.match(
          await examine(site),
          /^ok {4}database .* from a newer program: this one knows \d+ and may go on$/m,
        );
        database.exec('delete from schema_migration where number > 20');
        assert.match(await examine(site), /^warn {2}database .* stop all nodes of the version before first/m);
      } finally {
        database.close();
      }
    }));

  for (const engine of engines) {
    it(`warns of passkeys that another domain cannot use, on ${engine}`, () =>
      onSite(engine, async (site) => {
        await site.run(['user', 'create', 'ann']);
        assert.doesNotMatch(await examine(site), /passkeys/);
        const { LATCHKEY_DATABASE_URL = `sqlite:${join(site.folder, 'data', 'latchkey.db')}` } = site.env;
        const database = await openPatiently(LATCHKEY_DATABASE_URL);
        const { id: account_id } = await database.sql.selectFrom('account').select('id').executeTakeFirstOrThrow();
        for (const [id, rp_id] of ['localhost', 'old.example.com', 'old.example.com'].entries()) {
          const key = {
            id: `${id}`,
            account_id,
            credential_id: `${id}`,
            public_key: '',
            sign_count: 0,
            transports: '',
          };
          const known = { rp_id, name: 'key', is_backed_up: 0, created_at: toInstant(0), last_used_at: null } as const;
          await database.sql
            .insertInto('passkey')
            .values({ ...key, ...known })
            .execute();
        }
        await database.close();
        const out = await examine(site);
        assert.match(out, /^ok {4}passkeys +1 for localhost$/m);
        assert.match(out, /^warn {2}passkeys +2 for old\.example\.com cannot be used at localhost: set LATCHKEY_/m);
      }));
  }

  for (const engine of engines) {
    it(`warns of weak settings, with the rules that they break, on ${engine}`, () =>
      onSite(engine, async (site) => {
        await site.run(['user', 'create', 'ann']);
        assert.doesNotMatch(await examine(site), /settings/);
        const { LATCHKEY_DATABASE_URL = `sqlite:${join(site.folder, 'data', 'latchkey.db')}` } = site.env;
        const database = await openPatiently(LATCHKEY_DATABASE_URL);
        const lockout = 'Abp.Zero.UserManagement.UserLockOut.IsEnabled';
        const by = { changed_at: toInstant(0), changed_by: null };
        await database.sql
          .insertInto('setting_value')
          .values([
            { name: lockout, app_key: 'default-app', value: 'false', ...by },
            { name: 'Latchkey.Tokens', app_key: '', value: '{"sessionLifetime":31536000}', ...by },
            { name: 'Shesha.Security', app_key: '', value: 'damaged', ...by },
          ])
          .execute();
        await database.close();
        const out = await examine(site);
        assert.match(out, /^warn {2}settings .*"Is user lockout enabled" at default-app: .*ASVS 6\.3\.1.*UserLockOut/m);
        assert.match(out, /^warn {2}settings .*"Session lifetime": .*NIST SP 800-63B-4 2\.1\.3.*Latchkey\.Tokens\.$/m);
        assert.equal(out.match(/^warn {2}settings/gm)?.length, 2);
      }));
  }

  it('warns of security questions of which a reset asks more than there are', () =>
    onSite('sqlite', async (site) => {
      await site.run(['user', 'create', 'ann']);
      const database = await openPatiently(`sqlite:${join(site.folder, 'data', 'latchkey.db')}`);
      const security = { useResetPasswordViaSecurityQuestions: true };
      const row = { app_key: '', changed_at: toInstant(0), changed_by: null };
      const set = (name: string, value: unknown) =>
        database.sql
          .insertInto('setting_value')
          .values({ ...row, name, value: JSON.stringify(value) })
          .execute();
      await set('Shesha.Security', security);
      assert.doesNotMatch(await examine(site), /^warn {2}security questions/m);
      await set('Latchkey.SecurityQuestions', [
        { id: '91bd94ba-f03a-4559-b714-fe3282272df2', question: 'What was the name of your first stuffed toy?' },
      ]);
      await database.close();
      assert.match(
        await examine(site),
        /^warn {2}security questions +a password reset asks 3 of them, but the list has 1,/m,
      );
    }));

  it('measures the defaults against the standards before the first start, and creates nothing', () =>
    onSite('sqlite', async (site) => {
      const { code, out } = await site.run(['doctor', '--conformance']);
      assert.equal(code, 0);
      for (const name of ['OWASP ASVS 5\\.0', 'NIST SP 800-63B-4', 'RFC 9700', 'OpenID Connect Core 1\\.0'])
        assert.match(out, new RegExp(`^(ok {2}|warn) {2}${name} +\\d+ requirements: \\d+ held[,.].*$`, 'm'));
      assert.match(out, /^warn {2}ASVS V6\.3\.3 +L2 at default-app: .* Change Latchkey\.Factors\.SecondFactor\.$/m);
      assert.match(out, /^warn {2}NIST 3\.1\.1\.2 +AAL1 at default-app: .*fewer than 15 characters/m);
      assert.match(out, /^ok {4}ASVS V6\.7\.1 +L3, yours: /m);
      assert.deepEqual(readdirSync(site.folder), []);
      assert.equal((await site.run(['doctor', '--conformance', '--live'])).code, 2);
    }));

  for (const engine of engines) {
    it(`says which requirements the stored settings break, on ${engine}`, () =>
      onSite(engine, async (site) => {
        await site.run(['user', 'create', 'ann']);
        const { LATCHKEY_DATABASE_URL = `sqlite:${join(site.folder, 'data', 'latchkey.db')}` } = site.env;
        const database = await openPatiently(LATCHKEY_DATABASE_URL);
        const by = { changed_at: toInstant(0), changed_by: null };
        await database.sql
          .insertInto('setting_value')
          .values([
            { name: 'Latchkey.Factors', app_key: '', value: '{"passkeys":true}', ...by },
            { name: 'Latchkey.Factors.SecondFactor', app_key: 'default-app', value: '"required"', ...by },
            { name: 'Shesha.Security', app_key: '', value: '{"useResetPasswordViaSecurityQuestions":true}', ...by },
          ])
          .execute();
        await database.close();
        const { code, out } = await site.run(['doctor', '--conformance']);
        assert.equal(code, 0);
        assert.doesNotMatch(out, /V6\.3\.3/);
        assert.match(
          out,
          /^warn {2}ASVS V6\.4\.2 +L1: .* Change useResetPasswordViaSecurityQuestions of Shesha\.Security\.$/m,
        );
      }));
  }

  it('finds a second factor that nobody can enroll or that a device replaces, and too many guesses at codes', () =>
    onSite('sqlite', async (site) => {
      await site.run(['user', 'create', 'ann']);
      const database = await openPatiently(`sqlite:${join(site.folder, 'data', 'latchkey.db')}`);
      const by = { changed_at: toInstant(0), changed_by: null };
      await database.sql
        .insertInto('setting_value')
        .values([
          { name: 'Latchkey.Factors', app_key: '', value: '{"trustedDeviceDays":30}', ...by },
          { name: 'Latchkey.Factors.SecondFactor', app_key: 'default-app', value: '"required"', ...by },
          { name: 'Shesha.Otp', app_key: '', value: '{"dailyAttemptsPerAccount":101}', ...by },
        ])
        .execute();
      const measure = async () => (await site.run(['doctor', '--conformance'])).out;
      const weak = await measure();
      assert.match(
        weak,
        /^warn {2}NIST 2\.2\.1 +AAL2: No account can .* Change passkeys or authenticator of Latchkey\.Factors\.$/m,
      );
      assert.match(weak, /^warn {2}NIST 2\.2\.1 +AAL2: .* Change trustedDeviceDays of Latchkey\.Factors\.$/m);
      assert.match(weak, /^warn {2}NIST 3\.2\.2 +AAL1: .* Change dailyAttemptsPerAccount of Shesha\.Otp\.$/m);
      await database.sql
        .updateTable('setting_value')
        .set({ value: '{"authenticator":true}' })
        .where('name', '=', 'Latchkey.Factors')
        .execute();
      await database.sql
        .updateTable('setting_value')
        .set({ value: '{"dailyAttemptsPerAccount":100}' })
        .where('name', '=', 'Shesha.Otp')
        .execute();
      await database.close();
      assert.doesNotMatch(await measure(), /NIST (2\.2\.1|3\.2\.2)/);
    }));

  it('measures nothing while the settings cannot be read', () =>
    onSite('sqlite', async (site) => {
      const env = { LATCHKEY_DATABASE_URL: 'postgres://ann:hidden@127.0.0.1:1/none', LATCHKEY_SECRET: SECRET };
      const { code, out } = await site.run(['doctor', '--conformance'], { env });
      assert.equal(code, 1);
      assert.match(out, /^fail {2}database /);
      assert.doesNotMatch(out, /hidden|requirements/);
    }));

  it('changes no byte of a database at rest', () =>
    onSite('sqlite', async (site) => {
      await site.run(['user', 'create', 'ann']);
      const file = join(site.folder, 'data', 'latchkey.db');
      const before = readFileSync(file);
      await examine(site);
      assert.deepEqual(readFileSync(file), before);
    }));

  it('reports what is wrong with the configuration first', () =>
    onSite('sqlite', async (site) => {
      const out = await examine(site, { LATCHKEY_PORT: 'eighty' });
      assert.match(out, /^fail {2}configuration +LATCHKEY_PORT is "eighty"/);
      assert.equal(out.trim().split('\n').length, 1);
      assert.match(await examine(site, { LATCHKEY_MODE: 'production' }), /^fail {2}configuration +LATCHKEY_PUBLIC_URL/);
    }));

  it('warns of valid but unwise settings', () =>
    onSite('sqlite', async (site) => {
      assert.match(await examine(site), /^warn {2}mode +development/m);
      const good = await examine(site, { ...PRODUCTION, LATCHKEY_TRUSTED_PROXIES: '10.0.0.7' });
      assert.doesNotMatch(good, /^(fail|warn)/m);
      assert.match(await examine(site, PRODUCTION), /^warn {2}proxies/m);
      const open = { ...PRODUCTION, LATCHKEY_TRUSTED_PROXIES: '0.0.0.0/0' };
      assert.match(await examine(site, open), /^fail {2}proxies +.*0\.0\.0\.0\/0/m);
      const local = { ...PRODUCTION, LATCHKEY_PUBLIC_URL: 'https://localhost' };
      assert.match(await examine(site, local), /^fail {2}public URL/m);
      assert.match(
        await examine(site, { LATCHKEY_PUBLIC_URL: 'http://example.com' }),
        /^warn {2}public URL .*not encrypted/m,
      );
      const below = { ...PRODUCTION, LATCHKEY_PUBLIC_URL: 'https://example.com/auth' };
      assert.match(await examine(site, below), /^ok {4}public URL .* All addresses are below \/auth, whether or not/m);
      const regular = { ...PRODUCTION, LATCHKEY_SECRET: 'abcd'.repeat(20) };
      assert.match(await examine(site, regular), /^fail {2}secret .*not random/m);
    }));

  it('reports the workers, and what each may use of the machine', () =>
    onSite('postgres', async (site) => {
      const cores = availableParallelism();
      const shared = await examine(site, { LATCHKEY_WORKERS: String(cores) });
      if (cores > 1) {
        assert.match(shared, new RegExp(`^ok {4}workers +${cores} on ${cores} cores; for each, hash threads: 2,`, 'm'));
        assert.match(await examine(site), /^ok {4}workers +one process, .* LATCHKEY_WORKERS=auto uses all/m);
      }
      const many = await examine(site, { LATCHKEY_WORKERS: '64' });
      assert.match(many, /^warn {2}workers +64 on \d+ cores? .* set LATCHKEY_WORKERS to auto/m);
      const embedded = await examine(site, { LATCHKEY_WORKERS: '2', LATCHKEY_DATABASE_URL: '' });
      assert.match(embedded, /^fail {2}configuration +LATCHKEY_WORKERS is 2, but only one process can write/m);
    }));

  it('finds a data directory and secret that other users can read', () =>
    onSite('sqlite', async (site) => {
      await site.run(['user', 'list']);
      const data = join(site.folder, 'data');
      chmodSync(data, 0o755);
      chmodSync(join(data, 'secret'), 0o644);
      const out = await examine(site);
      assert.match(out, /^fail {2}data directory .*chmod 700/m);
      assert.match(out, /^fail {2}secret .*chmod 600/m);
    }));

  it('finds a secret that does not match the keys', () =>
    onSite('sqlite', async (site) => {
      await site.run(['user', 'list']);
      assert.match(
        await examine(site, { LATCHKEY_SECRET: SECRET }),
        /^fail {2}keys +LATCHKEY_SECRET is not the secret that sealed/m,
      );
    }));

  it('reports an unreachable database, without its address', () =>
    onSite('sqlite', async (site) => {
      const env = { LATCHKEY_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none', LATCHKEY_SECRET: SECRET };
      const out = await examine(site, env);
      assert.match(out, /^fail {2}database +LATCHKEY_DATABASE_URL: .*ECONNREFUSED/m);
      assert.doesNotMatch(out, /hunter2/);
    }));

  for (const engine of engines) {
    it(`warns of webhooks without new events, and of entries that are not chained, on ${engine}`, () =>
      onSite(engine, async (site) => {
        const url = site.env.LATCHKEY_DATABASE_URL ?? `sqlite:${join(site.folder, 'data/latchkey.db')}`;
        mkdirSync(join(site.folder, 'data'), { recursive: true });
        const { sql, close } = await openPatiently(url);
        const at = toInstant(Date.now() - 61_000);
        const hook = {
          url: 'https://example.com/events',
          actions: '*',
          is_enabled: 1 as const,
          sealed_secret: '',
          created_at: at,
        };
        await sql
          .insertInto('webhook')
          .values([
            { ...hook, id: '1', description: 'Shop' },
            { ...hook, id: '2', description: '' },
          ])
          .execute();
        await sql.updateTable('audit_chain').set({ head_sequence: 1, head_at: at }).execute();
        const calm = await examine(site);
        assert.match(calm, /^ok {4}webhooks +2 take events$/m);
        assert.doesNotMatch(calm, /chained/);
        await sql.updateTable('webhook').set({ disabled_because: 'gone' }).where('id', '=', '1').execute();
        await sql.updateTable('webhook').set({ full_since: at }).where('id', '=', '2').execute();
        await sql.insertInto('audit').values({ at, action: 'signIn.password', outcome: 'success' }).execute();
        await close();
        const out = await examine(site);
        assert.match(out, /^warn {2}webhooks +disabled by the service, .*: Shop\. Correct it/m);
        assert.match(out, /^warn {2}webhooks +get no new events, because 100,000 wait: example\.com\./m);
        assert.match(out, /^warn {2}audit trail +entries since \S+Z are not chained: start the service/m);
      }));
  }
});
