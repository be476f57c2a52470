// What a test server takes of an environment, and every sign of a real installation that it refuses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EnvironmentError } from '../config/environment-error.ts';
import { readTestEnvironment, readTestKey } from './environment.ts';

const refuses = (variable: string, read: () => unknown) =>
  assert.throws(read, (error) => error instanceof EnvironmentError && error.message.startsWith(`${variable} `));

const elsewhere = [
  'https://id.example.com',
  'http://localhost.example.com',
  'http://localhost@id.example.com',
  'http://192.168.0.2:8080',
  'http://0.0.0.0:8080',
  'http://[::]:8080',
  'id.example.com',
];

describe('the environment of a test server', () => {
  for (const mode of ['production', ' production ', 'Production', 'prod', 'test']) {
    it(`is not that of the mode "${mode}"`, () =>
      refuses('LATCHKEY_MODE', () => readTestEnvironment({ LATCHKEY_MODE: mode }, {})));
  }

  const databases = [
    'postgres://me:hunter2@db.example.com/latchkey',
    'sqlite:data/latchkey.db',
    'sqlite::memory:',
    'x',
  ];
  for (const name of ['LATCHKEY_DATABASE_URL', 'LATCHKEY_MIGRATION_DATABASE_URL', 'LATCHKEY_MOVE_TO']) {
    it(`has no ${name}, whatever it names`, () => {
      for (const url of databases) refuses(name, () => readTestEnvironment({ [name]: url }, {}));
      refuses(`${name}_FILE`, () => readTestEnvironment({ [`${name}_FILE`]: '/run/secrets/database' }, {}));
    });
  }

  it('has no public URL of another machine, of the variable or of the options', () => {
    for (const url of elsewhere) {
      refuses('LATCHKEY_PUBLIC_URL', () => readTestEnvironment({ LATCHKEY_PUBLIC_URL: url }, {}));
      refuses('LATCHKEY_PUBLIC_URL', () =>
        readTestEnvironment({ LATCHKEY_PUBLIC_URL: url }, { publicUrl: 'http://localhost' }),
      );
      refuses('publicUrl', () => readTestEnvironment({ LATCHKEY_PUBLIC_URL: 'http://localhost' }, { publicUrl: url }));
    }
    for (const url of ['http://localhost:8080', 'https://localhost/auth', 'http://127.0.0.1:1', 'http://[::1]:8080'])
      assert.equal(readTestEnvironment({ LATCHKEY_PUBLIC_URL: url }, {}).publicUrl, url);
  });

  it('takes the place of the options, and ignores secrets and workers', () => {
    const variables = {
      LATCHKEY_PORT: '8080',
      LATCHKEY_HOST: '0.0.0.0',
      LATCHKEY_SECRET: 'short',
      LATCHKEY_WORKERS: '4',
    };
    const { host, port, secret, workers } = readTestEnvironment(variables, { host: '127.0.0.1', port: 0 });
    assert.deepEqual({ host, port, secret, workers }, { host: '127.0.0.1', port: 0, secret: undefined, workers: 1 });
    assert.equal(readTestEnvironment(variables, {}).host, '0.0.0.0');
  });

  it('has a key that a bearer token can be', () => {
    assert.equal(readTestKey({}), undefined);
    assert.equal(readTestKey({ LATCHKEY_TEST_KEY: ' the-key-of-tests ' }), 'the-key-of-tests');
    for (const key of ['short', 'a key with spaces', 'ein-schlüssel-der-tests'])
      refuses('LATCHKEY_TEST_KEY', () => readTestKey({ LATCHKEY_TEST_KEY: key }));
  });
});
