// The environment: every wrong or contradictory value stops the start with one line that names the variable.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EnvironmentError, readEnvironment } from '../../src/environment.ts';

const secret = 'a secret of at least thirty-two characters';
const production = {
  LATCHKEY_MODE: 'production',
  LATCHKEY_PUBLIC_URL: 'https://id.example.com',
  LATCHKEY_SECRET: secret,
  LATCHKEY_SMTP_URL: 'smtps://mail.example.com',
  LATCHKEY_SMS_URL: 'https://sms.example.com/send',
};

describe('the environment', () => {
  it('has defaults for everything', () => {
    const environment = readEnvironment({ LATCHKEY_DATA_DIR: '/srv/latchkey', LATCHKEY_PORT: '' });
    assert.deepEqual(environment, {
      mode: 'development',
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      databaseUrl: 'sqlite:/srv/latchkey/latchkey.db',
      dataDir: '/srv/latchkey',
      secret: undefined,
      adminUser: 'admin',
      adminPassword: undefined,
      trustedProxies: [],
      corsOrigins: [],
      logLevel: 'info',
    });
  });

  it('takes what operators set', () => {
    const environment = readEnvironment({
      ...production,
      LATCHKEY_PUBLIC_URL: 'https://id.example.com/auth/',
      LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/8, fd00::1',
      LATCHKEY_CORS_ORIGINS: 'https://a.example.com,http://localhost:3000',
    });
    assert.equal(environment.publicUrl, 'https://id.example.com/auth');
    assert.deepEqual(environment.trustedProxies, ['10.0.0.0/8', 'fd00::1']);
    assert.deepEqual(environment.corsOrigins, ['https://a.example.com', 'http://localhost:3000']);
  });

  const wrong: Record<string, string | undefined>[] = [
    { LATCHKEY_PORT: 'http' },
    { LATCHKEY_PORT: '65536' },
    { LATCHKEY_MODE: 'prod' },
    { LATCHKEY_PUBLIC_URL: 'ftp://x' },
    { LATCHKEY_PUBLIC_URL: 'https://u:p@x' },
    { LATCHKEY_PUBLIC_URL: 'https://:p@x' },
    { LATCHKEY_PUBLIC_URL: 'https://x/?a=1' },
    { LATCHKEY_DATABASE_URL: 'mysql://x' },
    { LATCHKEY_DATABASE_URL: 'sqlite:' },
    { LATCHKEY_SECRET: 'short' },
    { LATCHKEY_SECRET: ' '.repeat(42) },
    { LATCHKEY_ADMIN_USER: 'a b' },
    { LATCHKEY_ADMIN_USER: 'a\u0001b' },
    { LATCHKEY_ADMIN_PASSWORD: 'x'.repeat(129) },
    { LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/33' },
    { LATCHKEY_CORS_ORIGINS: 'https://x/' },
    { LATCHKEY_CORS_ORIGINS: 'ftp://x' },
    { LATCHKEY_CORS_ORIGINS: '*' },
    { LATCHKEY_SMTP_URL: 'garbage' },
    { LATCHKEY_SMS_URL: 'smtp://x' },
    { LATCHKEY_EXTENSIONS: './nothing.js' },
    { LATCHKEY_LOG_LEVEL: 'loud' },
    { LATCHKEY_SECRET: undefined, LATCHKEY_DATABASE_URL: 'postgres://u@h/d' },
    { ...production, LATCHKEY_PUBLIC_URL: 'http://id.example.com' },
    { ...production, LATCHKEY_SMTP_URL: undefined },
    { ...production, LATCHKEY_SMS_URL: undefined },
    { ...production, LATCHKEY_SECRET: undefined },
  ];
  for (const variables of wrong) {
    const named = Object.keys(variables).filter((name) => variables[name] !== (production as typeof variables)[name]);
    it(`refuses ${named.map((name) => `${name}=${variables[name]?.slice(0, 20) ?? ''}`).join(' ')}`, () => {
      assert.throws(
        () => readEnvironment(variables),
        (error) => {
          assert.ok(error instanceof EnvironmentError);
          assert.ok(error.message.startsWith(`${named[0]} `), error.message);
          assert.ok(!error.message.includes('\n'));
          return true;
        },
      );
    });
  }
});
