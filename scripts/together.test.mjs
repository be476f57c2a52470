// Every test file runs once, in a shared process or alone, in the short form or in the long one.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from './layout.mjs';
import { groupFiles, inOrder, mix } from './together.mjs';

const server = [
  'server/{src,test}/**/*.test.ts',
  'sdk/src/**/*.test.ts',
  'user-files/src/**/*.test.ts',
  'scripts/**/*.test.mjs',
  'bench/**/*.test.ts',
];

/**
 * @param {'server' | 'browser'} part
 * @param {boolean} isLong
 */
function filesOf(part, isLong) {
  const { shared, alone } = groupFiles(root, part, isLong);
  return [...shared.flat(), ...alone];
}

for (const [part, patterns] of /** @type {const} */ ([
  ['server', server],
  ['browser', ['e2e/*.test.ts']],
])) {
  it(`runs every test file of the part ${part} once`, () => {
    const exclude = ['**/node_modules'];
    const files = globSync(patterns, { cwd: root, exclude }).map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(filesOf(part, true).sort(), files.sort());
    assert.ok(files.length > 40, join(root, part));
  });
}

it('leaves few files to the long form', () => {
  const long = new Set(filesOf('server', true));
  for (const file of filesOf('server', false)) long.delete(file);
  assert.deepEqual([...long].sort(), [
    'scripts/release/release.test.mjs',
    'scripts/test-one.test.mjs',
    'server/test/cli/export-scale.test.ts',
    'server/test/cli/import-scale.test.ts',
    'server/test/faults/gateways.test.ts',
    'server/test/faults/standby.test.ts',
    'server/test/faults/verifiers-failover.test.ts',
    'server/test/image/image.test.ts',
    'server/test/package/sdk.test.ts',
    'server/test/package/test-kit.test.ts',
  ]);
});

it('shares processes among files that wait for nothing when they are loaded', () => {
  const waits = /^(?:(?:const|let) .+ = )?await /m;
  const files = /** @type {const} */ (['server', 'browser']).flatMap((part) => groupFiles(root, part).shared.flat());
  // Programs that a test writes may wait.
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8').replace(/`[^`]*`/g, '');
  const waiting = files.filter((file) => waits.test(read(file)));
  assert.deepEqual(waiting, [], 'begin the work in a promise that the tests await, or in `before`');
});

it('spreads the files of each list over the whole', () => {
  assert.deepEqual(mix(['a', 'b'], ['1', '2', '3', '4']), ['a', '1', '2', 'b', '3', '4']);
});

it('leads to the files in the order of names, in which the test runner takes them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-order-'));
  const paths = inOrder(folder, ['server/b.test.ts', join(folder, 'c.test.mjs'), 'e2e/a.test.ts']);
  assert.deepEqual(paths.toSorted(), paths);
  const contents = paths.map((path) => readFileSync(path, 'utf8'));
  for (const [index, name] of ['/server/b.test.ts', '/c.test.mjs', '/e2e/a.test.ts'].entries()) {
    assert.ok(contents[index]?.includes(`${folder}${name}`), contents.join());
  }
  rmSync(folder, { recursive: true });
});
