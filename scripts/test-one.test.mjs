// npm run test:one: runs one file or the tests of one name, and refuses what would run none or many.
// In the long form alone: it starts whole test runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './layout.mjs';

/** @param {string[]} args */
function run(...args) {
  // The outer test runner marks its children; the inner one is to stand on its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = [join(root, 'scripts/run.mjs'), 'test:one', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' });
  return { passed: status === 0, stdout, stderr };
}

const file = 'server/src/foundation/mask.test.ts';

describe('npm run test:one', () => {
  it('runs the file', () => {
    const { passed, stdout } = run(file);
    assert.ok(passed && /^ℹ pass 2$/m.test(stdout), stdout);
  });

  it('runs the tests that a pattern names, and fails when there is none', () => {
    const { stdout } = run(file, '--test-name-pattern=without their endings');
    assert.match(stdout, /^ℹ pass 1$/m);
    const { passed, stderr } = run(file, '--test-name-pattern=no such name');
    assert.ok(!passed);
    assert.match(stderr, /No test ran/);
  });

  for (const args of [[], ['--test-name-pattern=mask'], [file, file]]) {
    it(`wants one file, not: ${args.join(' ') || 'none'}`, () => {
      const { passed, stderr } = run(...args);
      assert.ok(!passed);
      assert.match(stderr, /^Name one test file: npm run test:one -- FILE/);
    });
  }

  for (const name of ['server/src/foundation/nothing.test.ts', 'server/src/foundation/mask.ts']) {
    it(`says so when there is no such test: ${name}`, () => {
      const { passed, stderr } = run(name);
      assert.ok(!passed);
      assert.match(stderr, /^There is no test file/);
    });
  }
});
