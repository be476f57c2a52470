// Skipped tests fail the run: each case runs a small test file in the test runner with this reporter.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

const reporter = pathToFileURL(join(import.meta.dirname, 'unproven.mjs')).href;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-unproven-'));

/** @param {string} body */
function run(body) {
  const file = join(folder, 'sample.test.mjs');
  writeFileSync(file, `import { describe, it } from 'node:test';\n${body}\n`);
  // The outer test runner marks its children; the inner one is to stand on its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = ['--test', `--test-reporter=${reporter}`, '--test-reporter-destination=stderr'];
  const { status, stderr } = spawnSync(process.execPath, [...flags, file], { env, encoding: 'utf8' });
  return { passed: status === 0, stderr };
}

describe('the reporter of what was not tested', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is silent when every test ran', () => {
    assert.deepEqual(run("it('a', () => {});"), { passed: true, stderr: '' });
  });

  it('fails the run when no test ran', () => {
    assert.deepEqual(run(''), { passed: false, stderr: '\nNo test ran.\n' });
  });

  for (const body of [
    "it.skip('sample', () => {});",
    "it('sample', (t) => t.skip());",
    "it.todo('sample');",
    "it('sample', { todo: true }, () => { throw new Error('later'); });",
    "describe.skip('sample', () => { it('b', () => {}); });",
  ]) {
    it(`fails the run for ${body}`, () => {
      const { passed, stderr } = run(`it('ran', () => {});\n${body}`);
      assert.ok(!passed);
      assert.match(stderr, /Skipped or unfinished tests fail the run:\n {2}sample/);
    });
  }
});
