// Attacks on a carelessly configured service: it never accepts a password or secret that is easy to guess.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findPasswordProblem } from '../../src/app/first-start.ts';
import { EnvironmentError, readEnvironment } from '../../src/config/environment.ts';
import { runCommandLine } from '../cli/run.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { callProcess, startInVain, startProcess } from '../support/process.ts';
import { ADMIN_PASSWORD, startTestService, TEST_SECRET } from '../support/service.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const USERS = '/api/services/app/User/GetAll';

const PRODUCTION = {
  LATCHKEY_MODE: 'production',
  LATCHKEY_PUBLIC_URL: 'https://id.example.com',
  LATCHKEY_SECRET: TEST_SECRET,
  LATCHKEY_SMTP_URL: 'smtp://127.0.0.1:1',
  LATCHKEY_MAIL_FROM: 'no-reply@example.com',
  LATCHKEY_SMS_URL: 'http://127.0.0.1:1',
  LATCHKEY_SMS_SECRET: TEST_SECRET,
};

async function inFolder(work: (dataDir: string) => Promise<void>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-weak-'));
  try {
    await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const signIn = (url: string, password: string) =>
  callProcess(url, 'POST', AUTHENTICATE, { body: { userNameOrEmailAddress: 'admin', password } });

for (const engine of enginesAtLength) {
  describe(`the administrator's password of a first start in production on ${engine}`, () => {
    it('must meet the rules, or one line names the variable; later starts do not check it', () =>
      inFolder(async (dataDir) => {
        const database = engine === 'postgres' && { LATCHKEY_DATABASE_URL: await createMigratedUrl('postgres') };
        const env = { ...PRODUCTION, ...database, LATCHKEY_DATA_DIR: dataDir };
        const { code, output } = await startInVain({ dataDir, env: { ...env, LATCHKEY_ADMIN_PASSWORD: 'a' } });
        assert.equal(code, 1, output);
        assert.match(output, /^.*LATCHKEY_ADMIN_PASSWORD is too weak for production\. Use at least 12 characters\.$/m);
        assert.doesNotMatch(output, /^ +at /m);
        const other = { LATCHKEY_ADMIN_USER: '+27821234567', LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD };
        const named = await startInVain({ dataDir, env: { ...env, ...other } });
        assert.equal(named.code, 1, named.output);
        assert.match(
          named.output,
          /LATCHKEY_ADMIN_USER cannot be the name of the administrator\. A user name that looks/,
        );
        assert.doesNotMatch(named.output, /^ +at /m);
        const doctor = (password: string) =>
          runCommandLine(['doctor'], { ...env, LATCHKEY_ADMIN_PASSWORD: password }, dataDir);
        const sick = await doctor('a');
        assert.match(sick.out, /^fail {2}administrator +LATCHKEY_ADMIN_PASSWORD is too weak.*at least 12/m);
        assert.equal(sick.code, 1);
        assert.match((await doctor(ADMIN_PASSWORD)).out, /^ok {4}administrator/m);

        const good = { ...env, LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD };
        const first = await startProcess({ dataDir, env: good });
        assert.equal((await signIn(first.url, ADMIN_PASSWORD)).status, 200);
        await first.stop();
        const again = await startProcess({ dataDir, env: { ...env, LATCHKEY_ADMIN_PASSWORD: 'a' } });
        assert.equal((await signIn(again.url, 'a')).status, 401);
        assert.doesNotMatch((await doctor('a')).out, /administrator/);
        await again.stop();
      }));
  });
}

describe('the rules for the administrator', () => {
  it('are those of every new password, under the current settings', async (context) => {
    const test = await startTestService('sqlite');
    context.after(() => test.close());
    const { settings } = test.service;
    const problem = (password: string) => findPasswordProblem('boss-of-it', password, settings);
    assert.match(problem('password1234') ?? '', /too common/);
    assert.match(problem('the BOSS-OF-IT enters') ?? '', /without your name/);
    assert.match(problem('my administrator!') ?? '', /without your name/);
    assert.equal(problem(ADMIN_PASSWORD), undefined);
    await test.set('Abp.Zero.UserManagement.PasswordComplexity.RequireDigit', true, 'default-app');
    assert.equal(problem(ADMIN_PASSWORD), 'Use at least one digit.');
  });
});

describe('a password from the environment', () => {
  const open = async (env: Record<string, string>) => {
    const service = await startProcess({ env });
    try {
      const { result } = await signIn(service.url, env.LATCHKEY_ADMIN_PASSWORD ?? '');
      const answer = await callProcess(service.url, 'GET', USERS, { token: result.accessToken });
      return [result.requiredChangePassword, answer.error?.reason];
    } finally {
      await service.stop();
    }
  };

  it('must be changed at the first sign-in', async () => {
    assert.deepEqual(await open({ LATCHKEY_ADMIN_PASSWORD: 'a' }), [true, 'password.changeRequired']);
  });

  it('may stay when the configuration allows it', async () => {
    const env = { LATCHKEY_ADMIN_PASSWORD: ADMIN_PASSWORD, LATCHKEY_ADMIN_PASSWORD_FINAL: 'true' };
    assert.deepEqual(await open(env), [false, undefined]);
  });
});

describe('a secret', () => {
  const variables = ['LATCHKEY_SECRET', 'LATCHKEY_SMS_SECRET'] as const;
  const read = (variable: string, secret: string) =>
    readEnvironment({ LATCHKEY_SMS_URL: 'https://x', LATCHKEY_SMS_SECRET: TEST_SECRET, [variable]: secret });

  for (const variable of variables) {
    it(`of few different characters is refused as ${variable}, without being printed`, () => {
      for (const weak of ['x'.repeat(64), 'ab'.repeat(32), 'changeme'.repeat(4), 'password secret password secret 1']) {
        assert.throws(
          () => read(variable, weak),
          (error) => {
            assert.ok(error instanceof EnvironmentError, weak);
            assert.match(error.message, new RegExp(`^${variable} is too easy to guess: .*openssl rand`));
            assert.ok(!error.message.includes(weak));
            return true;
          },
        );
      }
    });

    it(`of random bytes is accepted as ${variable}, in any alphabet`, () => {
      for (let round = 0; round < 200; round += 1) {
        for (const alphabet of ['hex', 'base64', 'base64url'] as const) {
          read(variable, randomBytes(32).toString(alphabet));
        }
      }
      read(variable, TEST_SECRET);
    });
  }

  it('of sixteen different characters is long enough to sign messages with', () => {
    read('LATCHKEY_SMS_SECRET', 'q8Zr4TnW1xKp7LdY');
  });

  it('that is weak is the first finding of the doctor', async () => {
    const { out, code } = await runCommandLine(['doctor'], { LATCHKEY_SECRET: 'x'.repeat(64) }, tmpdir());
    assert.match(out, /^fail {2}configuration +LATCHKEY_SECRET is too easy to guess/);
    assert.equal(code, 1);
  });
});
