// deploy/latchkey.env, the template of the environment for all ways to deploy.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { EnvironmentError, readEnvironment } from '../../src/config/environment.ts';
import { assertKnown, filledIn, readDeployFile, readTemplate } from '../support/deployment.ts';
import { root } from '../support/guide.ts';

describe('the template of the environment', () => {
  const template = readTemplate();
  const empty = Object.keys(template).filter((name) => template[name] === '');

  it('has variables that the service knows', () => assertKnown(Object.keys(template)));

  it('means the same to Node, systemd and Compose: no quotes, no expansion, no comment behind a value', () => {
    const filled = Object.entries({ ...template, ...filledIn });
    assert.deepEqual({ ...parseEnv(filled.map((pair) => pair.join('=')).join('\n')) }, Object.fromEntries(filled));
    for (const [name, value] of filled) assert.doesNotMatch(value, /["'`$\\]|\s#/, name);
  });

  it('does not start a service before it is filled in', () => {
    assert.throws(() => readEnvironment(template), EnvironmentError);
  });

  it('starts a service in production when the empty values are filled in', () => {
    assert.deepEqual(empty, Object.keys(filledIn));
    const { mode, trustedProxies, publicUrl, smtp } = readEnvironment({ ...template, ...filledIn });
    assert.deepEqual([mode, trustedProxies, publicUrl], ['production', ['127.0.0.1'], 'https://id.example.com']);
    assert.ok(typeof smtp === 'object');
    assert.equal(smtp.from, 'Example <no-reply@example.com>');
  });

  for (const name of empty) {
    it(`does not start a service without ${name}`, () => {
      const variables = { ...template, ...filledIn, [name]: '' };
      assert.throws(() => readEnvironment(variables), EnvironmentError);
    });
  }

  it('holds no secret, and neither does another file of deploy: each installation makes its own', () => {
    const files = globSync('**/*.{env,yaml,service}', { cwd: join(root, 'deploy') });
    assert.ok(files.length >= 9, String(files));
    for (const file of files) {
      const values = [...readDeployFile(file).matchAll(/^\W*\w*(?:SECRET|PASSWORD)\w*\s*[=:](.*)$/gm)];
      for (const [line, value = ''] of values) assert.match(value.trim(), /^(|\$\{POSTGRES_PASSWORD:\?.*\})$/, line);
    }
  });
});
