// The options of a test server: what is wrong is named by its place, and what belongs to an installation is no option.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseOptions } from './options.ts';

const refuses = (options: object, problem: RegExp) =>
  assert.throws(() => parseOptions(JSON.stringify(options)), { name: 'ConfigurationError', message: problem });

describe('the options of a test server', () => {
  it('are all optional', () => {
    const { file: _, ...options } = parseOptions('');
    assert.deepEqual(options, {});
  });

  it('may be YAML', () => {
    const { users, pin } = parseOptions(
      "pin: '123456'\nusers:\n  - ann\n  - { userName: ben, isEmailConfirmed: true }\n",
    );
    assert.equal(pin, '123456');
    assert.deepEqual(users, [{ userName: 'ann' }, { userName: 'ben', isEmailConfirmed: true }]);
  });

  it('name what is wrong', () => {
    refuses({ usres: [] }, /^options:1:2: usres: .*"users"/);
    refuses({ users: [{ userName: 'ann', emailAdress: 'a@example.com' }] }, /users\.0\.emailAdress: .*"emailAddress"/);
    refuses({ users: [{ password: 'a password' }] }, /users\.0\.userName is required/);
    refuses({ users: ['ann', { userName: 'ben', password: 1 }] }, /users\.1\.password must be string/);
    refuses({ users: [''] }, /users\.0\.userName must not have fewer/);
    refuses({ users: [1] }, /users\.0/);
    refuses({ pin: 123_456 }, /pin/);
    refuses({ port: 70_000 }, /port/);
    refuses({ settings: [] }, /settings/);
    assert.throws(() => parseOptions('[1]'), { name: 'ConfigurationError' });
  });

  it('open nothing that an installation has', () => {
    for (const name of ['mode', 'database', 'databaseUrl', 'dataDir', 'secret', 'host', 'env', 'extensions', 'smtp'])
      refuses({ [name]: 'production' }, /There is no such member/);
  });
});
