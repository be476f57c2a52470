// The reporters of a run: each case runs a small test file in the test runner with one of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-reporters-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * @param {'unproven' | 'failures'} name
 * @param {string} body
 */
function run(name, body) {
  const reporter = pathToFileURL(join(import.meta.dirname, `${name}.mjs`)).href;
  const file = join(folder, 'sample.test.mjs');
  writeFileSync(file, `import { describe, it } from 'node:test';\n${body}\n`);
  // The outer test runner marks its children; the inner one is to stand on its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = ['--test', `--test-reporter=${reporter}`, '--test-reporter-destination=stderr'];
  const { status, stderr } = spawnSync(process.execPath, [...flags, file], { env, encoding: 'utf8' });
  return { passed: status === 0, stderr };
}

describe('the reporter of what was not tested', () => {
  it('is silent when every test ran', () => {
    assert.deepEqual(run('unproven', "it('a', () => {});"), { passed: true, stderr: '' });
  });

  it('fails the run when no test ran', () => {
    assert.deepEqual(run('unproven', ''), { passed: false, stderr: '\nNo test ran.\n' });
  });

  for (const body of [
    "it.skip('sample', () => {});",
    "it('sample', (t) => t.skip());",
    "it.todo('sample');",
    "it('sample', { todo: true }, () => { throw new Error('later'); });",
    "describe.skip('sample', () => { it('b', () => {}); });",
  ]) {
    it(`fails the run for ${body}`, () => {
      const { passed, stderr } = run('unproven', `it('ran', () => {});\n${body}`);
      assert.ok(!passed);
      assert.match(stderr, /Skipped or unfinished tests fail the run:\n {2}sample/);
    });
  }
});

describe('the reporter of failures', () => {
  it('says of a failed test where it stands and what was wrong, and nothing more of its file', () => {
    const { stderr } = run('failures', "it('a', () => { throw new Error('wrong'); });");
    assert.match(stderr, /^\n✖ a \(.*sample\.test\.mjs:2\)\nError: wrong\n/);
    assert.doesNotMatch(stderr, /ended with/);
  });

  /** @type {[body: string, end: string, words: RegExp][]} */
  const files = [
    ["it('a', () => { setTimeout(() => { throw new Error('late'); }); });", 'code 1', /"Error: late"/],
    ["it('a', () => console.error('words')); process.on('exit', () => process.exit(3));", 'code 3', /^words$/m],
    ["it('a', () => { console.error('words'); process.kill(process.pid, 'SIGKILL'); });", 'SIGKILL', /^words$/m],
  ];
  for (const [body, end, words] of files) {
    it(`says how a file ended that fails without a failed test, and its last words: ${body}`, () => {
      const { stderr } = run('failures', body);
      assert.match(stderr, new RegExp(`It ended with ${end}, and said last:`));
      assert.match(stderr, words);
    });
  }
});
