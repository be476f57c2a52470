// The environment: every wrong or contradictory value stops the start with one line that names the variable.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { EnvironmentError, readEnvironment, requireRealChannels } from '../../src/config/environment.ts';
import { findNotices, readSecretFiles, VARIABLES } from '../../src/config/variables.ts';
import { splitAddresses } from '../../src/storage/addresses.ts';
import { readVerifierEnvironment } from '../../src/verifier/environment.ts';

const secret = 'a secret of at least thirty-two characters';
const production = {
  LATCHKEY_MODE: 'production',
  LATCHKEY_PUBLIC_URL: 'https://id.example.com',
  LATCHKEY_SECRET: secret,
  LATCHKEY_SMTP_URL: 'smtps://mail.example.com',
  LATCHKEY_MAIL_FROM: 'no-reply@example.com',
  LATCHKEY_SMS_URL: 'https://sms.example.com/send',
  LATCHKEY_SMS_SECRET: 'shared with the gateway, and known to nobody else',
};
const mail = { LATCHKEY_SMTP_URL: production.LATCHKEY_SMTP_URL, LATCHKEY_MAIL_FROM: production.LATCHKEY_MAIL_FROM };
const sms = { LATCHKEY_SMS_URL: production.LATCHKEY_SMS_URL, LATCHKEY_SMS_SECRET: production.LATCHKEY_SMS_SECRET };

describe('the environment', () => {
  it('has defaults for everything', () => {
    const environment = readEnvironment({ LATCHKEY_DATA_DIR: '/srv/latchkey', LATCHKEY_PORT: '' });
    assert.deepEqual(environment, {
      mode: 'development',
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      databaseUrl: 'sqlite:/srv/latchkey/latchkey.db',
      migrationDatabaseUrl: undefined,
      moveTo: undefined,
      dataDir: '/srv/latchkey',
      workers: 1,
      secret: undefined,
      adminUser: 'admin',
      adminPassword: undefined,
      isAdminPasswordFinal: false,
      trustedProxies: [],
      corsOrigins: [],
      egressAllowance: { hosts: new Set(), networks: [] },
      relyingParty: { id: 'localhost', origins: ['http://localhost:8080'] },
      metrics: 'loopback',
      smtp: undefined,
      sms: undefined,
      extensions: [],
      configuration: undefined,
      logLevel: 'info',
      tracing: undefined,
    });
  });

  it('accepts a public URL with a path that cannot be mistaken, and refuses any other', () => {
    const read = (url: string) => readEnvironment({ LATCHKEY_PUBLIC_URL: url }).publicUrl;
    for (const path of ['', '/auth', '/a/b', '/Auth_1.x~y', '/auth/app'])
      for (const end of ['', '/', ' '])
        assert.equal(read(`https://example.com${path}${end}`), `https://example.com${path}`);
    const wrong = [
      '/a/../b',
      '/..',
      '/./a',
      '/%2e%2e/a',
      '/a//b',
      '//a',
      '/a b',
      '/a%20',
      '/ä',
      '\\\\a',
      '/a;b',
      '/a?b',
      '/a#b',
    ];
    for (const path of wrong)
      assert.throws(() => read(`https://example.com${path}`), /^EnvironmentError: LATCHKEY_PUBLIC_URL is "/, path);
    for (const path of ['/app', '/API/auth', '/.well-known', '/login/'])
      assert.throws(
        () => read(`https://example.com${path}`),
        /LATCHKEY_PUBLIC_URL has the path .* of the service itself/,
        path,
      );
  });

  it('traces when the standard variables name a collector', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
    const read = (variables: Record<string, string>) => readEnvironment({ ...collector, ...variables }).tracing;
    assert.deepEqual(read({}), { root: 'on', ratio: 1, isParentBased: true });
    const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    assert.deepEqual(read(sampler), { root: 'ratio', ratio: 0.25, isParentBased: false });
    assert.equal(read({ OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_SAMPLER: 'nonsense' }), undefined);
    assert.equal(read({ OTEL_TRACES_EXPORTER: 'none' }), undefined);
  });

  it('binds passkeys to the host of the public URL or a parent domain, and lets pages on that domain use them', () => {
    const read = (variables: Record<string, string>) =>
      readEnvironment({
        LATCHKEY_PUBLIC_URL: 'https://id.example.com/auth',
        LATCHKEY_CORS_ORIGINS: 'https://app.example.com https://badexample.com https://x.id.example.com:8443',
        ...variables,
      }).relyingParty;
    const own = 'https://id.example.com';
    assert.deepEqual(read({}), { id: 'id.example.com', origins: [own, 'https://x.id.example.com:8443'] });
    const [app, below] = ['https://app.example.com', 'https://x.id.example.com:8443'];
    const everywhere = { id: 'example.com', origins: [own, app, below] };
    assert.deepEqual(read({ LATCHKEY_PASSKEY_RP_ID: 'example.com' }), everywhere);
    assert.deepEqual(read({ LATCHKEY_PASSKEY_RP_ID: 'Example.COM' }), everywhere);
    assert.deepEqual(read({ LATCHKEY_PASSKEY_RP_ID: 'id.example.com' }), read({}));
    const androidApp = `android:apk-key-hash:${'x'.repeat(42)}A`;
    assert.deepEqual(read({ LATCHKEY_CORS_ORIGINS: androidApp }).origins, [own, androidApp]);
    const twice = read({ LATCHKEY_CORS_ORIGINS: `${own} ${own}` });
    assert.deepEqual(twice.origins, [own]);
  });

  it('lets the shells of mobile apps call, and gives no Android app an origin of requests', () => {
    const shells = ['capacitor://localhost', 'ionic://localhost'];
    const androidApp = `android:apk-key-hash:${'x'.repeat(42)}A`;
    const listed = [...shells, androidApp, 'https://localhost'].join(', ');
    const { corsOrigins } = readEnvironment({ ...production, LATCHKEY_CORS_ORIGINS: listed });
    assert.deepEqual(corsOrigins, [...shells, 'https://localhost']);
  });

  it('accepts every variable that operators set', () => {
    const environment = readEnvironment({
      ...production,
      LATCHKEY_PUBLIC_URL: 'https://id.example.com/auth/',
      LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/8, fd00::1',
      LATCHKEY_EGRESS_ALLOW: 'Hooks.Internal, 10.1.0.0/16',
      LATCHKEY_CORS_ORIGINS: 'https://a.example.com,http://localhost:3000',
      LATCHKEY_EXTENSIONS: './twilio.ts, ,/srv/more.js,',
    });
    assert.deepEqual(environment.smtp, { url: 'smtps://mail.example.com', from: 'no-reply@example.com' });
    assert.deepEqual(environment.sms, { url: 'https://sms.example.com/send', secret: production.LATCHKEY_SMS_SECRET });
    assert.deepEqual(environment.extensions, [resolve('twilio.ts'), '/srv/more.js']);
    assert.equal(environment.publicUrl, 'https://id.example.com/auth');
    assert.deepEqual(environment.trustedProxies, ['10.0.0.0/8', 'fd00::1']);
    assert.deepEqual([...environment.egressAllowance.hosts], ['hooks.internal']);
    assert.equal(String(environment.egressAllowance.networks), '10.1.0.0/16');
    assert.deepEqual(environment.corsOrigins, ['https://a.example.com', 'http://localhost:3000']);
  });

  it('finds extensions relative to the folder from which npm was called, although the service runs in the checkout', () => {
    const paths = { LATCHKEY_EXTENSIONS: './acme.ts,../b.js,/srv/c.js', INIT_CWD: '/home/ann/acme' };
    const { extensions, dataDir, configuration } = readEnvironment({ ...paths, LATCHKEY_CONFIG: './latchkey.yaml' });
    assert.equal(configuration, '/home/ann/acme/latchkey.yaml');
    assert.deepEqual(extensions, ['/home/ann/acme/acme.ts', '/home/ann/b.js', '/srv/c.js']);
    assert.equal(dataDir, resolve('data'));
  });

  for (const url of [
    'smtp://mail',
    'smtp://[::1]:25/',
    'smtps://id%40example.com:p%40ss%2F@mail.example.com:465',
    'smtp://10.0.0.1:25?ignoreTLS=true&name=id.example.com',
  ]) {
    it(`takes ${url} as mail server`, () => {
      const { smtp } = readEnvironment({ ...mail, LATCHKEY_SMTP_URL: url });
      assert.deepEqual(smtp, { url, from: mail.LATCHKEY_MAIL_FROM });
    });
  }

  const ofSeveral = {
    'postgres://u:p@h/d': ['postgres://u:p@h/d'],
    'postgres://u:p,w@h/d': ['postgres://u:p,w@h/d'],
    'postgres:///d?host=/run/postgresql': ['postgres:///d?host=/run/postgresql'],
    'postgres://u:p,w@h1,h2:5433,[::1]:5434/d?target_session_attrs=read-write': [
      'postgres://u:p,w@h1/d?target_session_attrs=read-write',
      'postgres://u:p,w@h2:5433/d?target_session_attrs=read-write',
      'postgres://u:p,w@[::1]:5434/d?target_session_attrs=read-write',
    ],
  };
  for (const [url, servers] of Object.entries(ofSeveral)) {
    it(`takes ${url} as ${servers.length === 1 ? 'a database' : 'several servers'}`, () => {
      const { databaseUrl } = readEnvironment({ LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: secret });
      assert.deepEqual([databaseUrl, splitAddresses(databaseUrl)], [url, servers]);
    });
  }

  for (const from of ['Latchkey <no-reply@example.com>', 'Ärzte & Co, Zürich <a@example.com>', '<a@example.com>']) {
    it(`takes ${from} as sender`, () => {
      const { smtp } = readEnvironment({ ...mail, LATCHKEY_MAIL_FROM: from });
      assert.deepEqual(smtp, { url: mail.LATCHKEY_SMTP_URL, from });
    });
  }

  const wrong: Record<string, string | undefined>[] = [
    { LATCHKEY_WORKERS: '2' },
    { LATCHKEY_WORKERS: 'many', LATCHKEY_DATABASE_URL: 'postgres://u@h/d', LATCHKEY_SECRET: secret },
    { LATCHKEY_PORT: 'http' },
    { LATCHKEY_PORT: '65536' },
    { LATCHKEY_MODE: 'prod' },
    { LATCHKEY_PUBLIC_URL: 'ftp://x' },
    { LATCHKEY_PUBLIC_URL: 'https://u:p@x' },
    { LATCHKEY_PUBLIC_URL: 'https://:p@x' },
    { LATCHKEY_PUBLIC_URL: 'https://x/?a=1' },
    { LATCHKEY_DATABASE_URL: 'mysql://x' },
    { LATCHKEY_DATABASE_URL: 'sqlite:' },
    { LATCHKEY_MIGRATION_DATABASE_URL: 'postgres://u:topsecret@h/d?sslmode=on' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@h1,/d' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@,:1/d' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@h1:1, h2:2/d' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@h1:1,h2:none/d' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:top?topsecret@h1,h2/d' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@h1,h1:5432/d' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@h1,h2/d?host=h3' },
    { LATCHKEY_DATABASE_URL: 'postgres://u:topsecret@h1,h2/d?target_session_attrs=any' },
    { LATCHKEY_SECRET: 'short' },
    { LATCHKEY_SECRET: ' '.repeat(42) },
    { LATCHKEY_ADMIN_USER: 'a b' },
    { LATCHKEY_ADMIN_USER: 'a\u0001b' },
    { LATCHKEY_ADMIN_PASSWORD: 'x'.repeat(129) },
    { LATCHKEY_ADMIN_PASSWORD_FINAL: 'yes' },
    { LATCHKEY_TRUSTED_PROXIES: '10.0.0.0/33' },
    { LATCHKEY_EGRESS_ALLOW: 'hooks.internal, 10.0.0.0/33' },
    { LATCHKEY_CORS_ORIGINS: 'capacitor://app.example.com' },
    { LATCHKEY_CORS_ORIGINS: 'ionic://localhost/' },
    { LATCHKEY_CORS_ORIGINS: `android:apk-key-hash:${'x'.repeat(42)}` },
    { LATCHKEY_CORS_ORIGINS: `android:apk-key-hash:${'x'.repeat(42)}B` },
    { LATCHKEY_CORS_ORIGINS: 'https://x/' },
    { LATCHKEY_CORS_ORIGINS: 'ftp://x' },
    { LATCHKEY_CORS_ORIGINS: '*' },
    { LATCHKEY_CORS_ORIGINS: 'https://*.example.com' },
    { LATCHKEY_CORS_ORIGINS: 'https://app.example.com, https://xn--' },
    { LATCHKEY_CORS_ORIGINS: 'https://xn--a.example.com' },
    { LATCHKEY_CORS_ORIGINS: 'https://a..example.com' },
    { LATCHKEY_PUBLIC_URL: 'https://xn--' },
    { LATCHKEY_PASSKEY_RP_ID: 'example.com' },
    { LATCHKEY_PASSKEY_RP_ID: 'com', LATCHKEY_PUBLIC_URL: 'https://example.com' },
    { LATCHKEY_PASSKEY_RP_ID: 'ample.com', LATCHKEY_PUBLIC_URL: 'https://example.com' },
    { LATCHKEY_PASSKEY_RP_ID: 'auth.example.com', LATCHKEY_PUBLIC_URL: 'https://example.com' },
    { LATCHKEY_PASSKEY_RP_ID: 'https://example.com', LATCHKEY_PUBLIC_URL: 'https://example.com' },
    { LATCHKEY_PASSKEY_RP_ID: '0.0.1', LATCHKEY_PUBLIC_URL: 'http://127.0.0.1' },
    { LATCHKEY_METRICS: 'public' },
    { LATCHKEY_SMTP_URL: 'garbage' },
    { LATCHKEY_SMTP_URL: 'https://x' },
    { LATCHKEY_SMTP_URL: 'smtp://' },
    { LATCHKEY_SMTP_URL: 'smtp://x/path' },
    { LATCHKEY_SMTP_URL: 'smtp://x#y' },
    { LATCHKEY_SMTP_URL: 'smtp://user@x' },
    { LATCHKEY_SMTP_URL: 'smtp://:topsecret@x' },
    { LATCHKEY_SMTP_URL: 'smtp://u:topsecret/@x' },
    { LATCHKEY_SMTP_URL: 'smtp://u:topsecret%@x' },
    { LATCHKEY_SMTP_URL: 'smtp://u:topsecret%FF@x' },
    { LATCHKEY_SMTP_URL: 'smtp://x?ignoreTLS=yes' },
    { LATCHKEY_SMTP_URL: 'smtp://x?name=a%0D%0Ab' },
    { LATCHKEY_SMTP_URL: 'smtp://x?tls.rejectUnauthorized=false' },
    { LATCHKEY_SMTP_URL: 'smtp://x?debug=true' },
    { LATCHKEY_SMTP_URL: 'smtps://x?ignoreTLS=true' },
    { LATCHKEY_MAIL_FROM: 'a@example.com' },
    { LATCHKEY_MAIL_FROM: undefined, LATCHKEY_SMTP_URL: 'smtp://x' },
    { LATCHKEY_MAIL_FROM: 'Latchkey', LATCHKEY_SMTP_URL: 'smtp://x' },
    { LATCHKEY_MAIL_FROM: 'a@x.org, b@x.org', LATCHKEY_SMTP_URL: 'smtp://x' },
    { LATCHKEY_MAIL_FROM: 'Latchkey <a@x.org', LATCHKEY_SMTP_URL: 'smtp://x' },
    { LATCHKEY_MAIL_FROM: 'Latchkey <a@x.org> b', LATCHKEY_SMTP_URL: 'smtp://x' },
    { LATCHKEY_MAIL_FROM: 'L\r\nBcc: b@x.org <a@x.org>', LATCHKEY_SMTP_URL: 'smtp://x' },
    { LATCHKEY_SMS_URL: 'smtp://x' },
    { LATCHKEY_SMS_URL: 'garbage' },
    { LATCHKEY_SMS_URL: 'OFF' },
    { LATCHKEY_SMTP_URL: 'false' },
    { LATCHKEY_SMS_URL: 'https://topsecret@x', LATCHKEY_SMS_SECRET: sms.LATCHKEY_SMS_SECRET },
    { LATCHKEY_SMS_URL: 'https://:topsecret@x', LATCHKEY_SMS_SECRET: sms.LATCHKEY_SMS_SECRET },
    { LATCHKEY_SMS_SECRET: undefined, LATCHKEY_SMS_URL: 'https://x' },
    { LATCHKEY_SMS_SECRET: 'topsecret', LATCHKEY_SMS_URL: 'https://x' },
    { LATCHKEY_SMS_SECRET: 'a secret that signs nothing' },
    { LATCHKEY_EXTENSIONS: './a.js,b.js,a.js' },
    { LATCHKEY_EXTENSIONS: ' ,, ' },
    { LATCHKEY_LOG_LEVEL: 'loud' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://ann:topsecret@collector:4317' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' },
    { OTEL_TRACES_SAMPLER: 'sometimes', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' },
    { OTEL_TRACES_SAMPLER_ARG: '2', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' },
    { LATCHKEY_SECRET: undefined, LATCHKEY_DATABASE_URL: 'postgres://u@h/d' },
    { ...production, LATCHKEY_PUBLIC_URL: 'http://id.example.com' },
    { ...production, LATCHKEY_SMTP_URL: undefined, LATCHKEY_MAIL_FROM: undefined },
    { ...production, LATCHKEY_SMS_URL: undefined, LATCHKEY_SMS_SECRET: undefined },
    { ...production, LATCHKEY_SECRET: undefined },
  ];
  for (const variables of wrong) {
    const named = Object.keys(variables).filter((name) => variables[name] !== (production as typeof variables)[name]);
    it(`refuses ${named.map((name) => `${name}=${JSON.stringify(variables[name]?.slice(0, 40))}`).join(' ')}`, () => {
      assert.throws(
        () => readEnvironment(variables),
        (error) => {
          assert.ok(error instanceof EnvironmentError);
          assert.ok(error.message.startsWith(`${named[0]} `), error.message);
          assert.ok(!error.message.includes('\n'));
          assert.ok(!error.message.includes('topsecret'));
          return true;
        },
      );
    });
  }

  it('starts in production without a means that is off, whatever else is set for it', () => {
    const { LATCHKEY_SMS_SECRET: _, LATCHKEY_MAIL_FROM: __, ...others } = production;
    for (const more of [others, production]) {
      const { sms: gateway, smtp } = readEnvironment({ ...more, LATCHKEY_SMS_URL: 'off', LATCHKEY_SMTP_URL: ' off\n' });
      assert.deepEqual([gateway, smtp], ['off', 'off']);
    }
    requireRealChannels('production', { email: 'off', sms: 'off' });
  });

  it('takes one line break from the end of a secret, and says so', () => {
    const plain = {
      LATCHKEY_SECRET: secret,
      LATCHKEY_SMS_SECRET: production.LATCHKEY_SMS_SECRET,
      LATCHKEY_ADMIN_PASSWORD: 'seven green bottles',
      LATCHKEY_DATABASE_URL: 'postgres://u:p@h/d',
      LATCHKEY_SMTP_URL: 'smtps://u:p@mail.example.com',
      LATCHKEY_SMS_URL: 'https://sms.example.com/send?key=p',
    };
    for (const lineBreak of ['\n', '\r\n']) {
      const broken = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, value + lineBreak]));
      assert.deepEqual(readEnvironment({ ...production, ...broken }), readEnvironment({ ...production, ...plain }));
      const ends = (name: string) =>
        `${name} ends with a line break, which is not part of the value: the service removed it.`;
      assert.deepEqual(findNotices(broken).toSorted(), Object.keys(plain).map(ends).toSorted());
    }
    assert.equal(readEnvironment({ LATCHKEY_SECRET: `${secret}\n\n` }).secret, `${secret}\n`);
    assert.deepEqual(findNotices({ ...production, ...plain }), []);
  });

  describe('with secrets in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
    after(() => rmSync(folder, { recursive: true }));
    const write = (name: string, text: string | Buffer, mode = 0o600) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode });
      return path;
    };

    it('reads each secret from the file that its variable with _FILE names, without one line break at the end', () => {
      const plain = {
        LATCHKEY_SECRET: secret,
        LATCHKEY_SMS_SECRET: production.LATCHKEY_SMS_SECRET,
        LATCHKEY_ADMIN_PASSWORD: ' seven green bottles',
        LATCHKEY_DATABASE_URL: 'postgres://u:p@h/d',
        LATCHKEY_SMTP_URL: 'smtps://u:p@mail.example.com',
        LATCHKEY_SMS_URL: 'https://sms.example.com/send?key=p',
      };
      const workers = { LATCHKEY_WORKERS: '3' };
      for (const lineBreak of ['', '\n', '\r\n']) {
        const files = Object.entries(plain).map(([name, text]) => [`${name}_FILE`, write(name, text + lineBreak)]);
        const others = Object.entries(production).filter(([name]) => !(name in plain));
        const variables = { ...Object.fromEntries([...others, ...files]), ...workers };
        assert.deepEqual(readEnvironment(variables), readEnvironment({ ...production, ...plain, ...workers }));
        assert.deepEqual(findNotices(variables), []);
      }
      const key = { LATCHKEY_ISSUER: 'https://id.example.com', LATCHKEY_SERVICE_KEY_FILE: write('key', 'lks_x\n') };
      assert.equal(readVerifierEnvironment(key).options.serviceKey, 'lks_x');
    });

    it('names the variable and the file that cannot be read, and quotes nothing of it', () => {
      const long = write('long', 'topsecret'.repeat(10_000));
      // As root, the tests can look into each folder, but not at this.
      const hidden = join(folder, 'hidden');
      symlinkSync(hidden, hidden);
      for (const [path, problem] of [
        [join(folder, 'none'), 'which does not exist.'],
        [folder, 'which is no file.'],
        [write('empty', ' \n'), 'which is empty.'],
        [long, 'which is too large to be a secret.'],
        [hidden, 'which this user may not read.'],
        [write('utf16', Buffer.from(`\ufeff${secret}`, 'utf16le')), 'which is no text in UTF-8.'],
      ] as const) {
        const message = `LATCHKEY_SECRET_FILE names the file ${path}, ${problem}`;
        assert.throws(() => readEnvironment({ LATCHKEY_SECRET_FILE: path }), { name: 'EnvironmentError', message });
      }
      assert.deepEqual(findNotices({ LATCHKEY_SECRET_FILE: hidden }), []);
      const weak = { LATCHKEY_SECRET_FILE: write('weak', 'topsecret') };
      assert.throws(() => readEnvironment(weak), /^EnvironmentError: LATCHKEY_SECRET must have at least 32 characters/);
    });

    it('takes no byte order mark of an editor for a part of the secret', () => {
      const files = { LATCHKEY_SECRET_FILE: write('mark', `\ufeff${secret}\r\n`) };
      assert.equal(readEnvironment(files).secret, secret);
    });

    it('gives a worker that starts later what the files had when the supervisor started', () => {
      const [key, password] = [write('replaced', secret), write('removed', 'seven green bottles\n')];
      const files = { LATCHKEY_SECRET_FILE: key, LATCHKEY_ADMIN_PASSWORD_FILE: password };
      const before = readEnvironment(files);
      const worker = { ...files, ...readSecretFiles({ ...files, LATCHKEY_SERVICE_KEY_FILE: join(folder, 'none') }) };
      write('replaced', 'another secret of at least thirty-two characters');
      rmSync(password);
      assert.deepEqual(readEnvironment(worker), before);
      assert.deepEqual(findNotices(worker), []);
    });

    it('refuses a secret that stands in a variable and in a file', () => {
      const both = { LATCHKEY_SECRET: secret, LATCHKEY_SECRET_FILE: write('both', secret) };
      const message = 'LATCHKEY_SECRET_FILE is set, and LATCHKEY_SECRET too: set one of them.';
      assert.throws(() => readEnvironment(both), { name: 'EnvironmentError', message });
    });

    it('warns of a file that all users may read', () => {
      const path = write('open', secret);
      chmodSync(path, 0o644);
      assert.deepEqual(findNotices({ LATCHKEY_SECRET_FILE: path }), [
        'LATCHKEY_SECRET_FILE names a file that every user of this machine may read. Take that right from the others.',
      ]);
    });
  });

  const mistyped = {
    LATCHKEY_SMPT_URL: 'LATCHKEY_SMTP_URL',
    LATCHKEY_SECERT: 'LATCHKEY_SECRET',
    LATCHKEY_SECRETS_FILE: 'LATCHKEY_SECRET_FILE',
    LATCHKEY_DATABASE_URI: 'LATCHKEY_DATABASE_URL',
    LATCHKEY_CORS_ORIGIN: 'LATCHKEY_CORS_ORIGINS',
    LATCHKEY_HTTP_PORT: 'LATCHKEY_PORT',
    Latchkey_Mode: 'LATCHKEY_MODE',
    LATCHKEY_: 'LATCHKEY_PORT',
  };
  for (const [name, nearest] of Object.entries(mistyped)) {
    it(`has no variable ${name}, and names ${nearest}, but not the value`, () => {
      const [notice, ...others] = findNotices({ ...production, [name]: 'topsecret' });
      assert.equal(notice, `${name} is no variable of Latchkey and has no effect. The nearest one is ${nearest}.`);
      assert.deepEqual(others, []);
    });
  }

  it('knows every variable that the service and the verifier read, and what Kubernetes adds', () => {
    const asked = new Set<string>();
    const recording = new Proxy<Record<string, string>>(
      {},
      {
        get(_, name) {
          asked.add(String(name));
          return { LATCHKEY_ISSUER: 'https://id.example.com', LATCHKEY_SERVICE_KEY: 'lks_x' }[String(name)];
        },
      },
    );
    readEnvironment(recording);
    readVerifierEnvironment(recording);
    const own = [...asked].filter((name) => name.startsWith('LATCHKEY_'));
    assert.deepEqual(own.toSorted(), VARIABLES.toSorted());
    const links = ['SERVICE_HOST', 'SERVICE_PORT_HTTP', 'PORT_8080_TCP', 'PORT_8080_TCP_ADDR', 'VERIFIER_SERVICE_PORT'];
    const ofKubernetes = Object.fromEntries(links.map((name) => [`LATCHKEY_${name}`, '10.0.0.1']));
    assert.deepEqual(findNotices({ ...ofKubernetes, LATCHKEY_VERIFIER_PORT: 'tcp://10.0.0.1:8081', PATH: '/bin' }), []);
  });

  it('leaves delivery in production to extensions, and checks which channels they have registered', () => {
    const { LATCHKEY_SMTP_URL: _, LATCHKEY_MAIL_FROM: __, ...withoutMail } = production;
    readEnvironment({ ...withoutMail, LATCHKEY_EXTENSIONS: './twilio.ts' });

    requireRealChannels('production', { email: 'smtp', sms: 'twilio' });
    requireRealChannels('development', { email: 'outbox', sms: 'outbox' });
    const refusal = (channels: { email: string; sms: string }) => () => requireRealChannels('production', channels);
    assert.throws(refusal({ email: 'outbox', sms: 'twilio' }), /^EnvironmentError: LATCHKEY_SMTP_URL is required/);
    assert.throws(refusal({ email: 'smtp', sms: 'outbox' }), /^EnvironmentError: LATCHKEY_SMS_URL is required/);
  });
});
