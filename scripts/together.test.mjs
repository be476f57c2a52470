// Every test file runs once, in a shared process or alone.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from './layout.mjs';
import { arrangeFiles } from './together.mjs';

const server = [
  'server/{src,test}/**/*.test.ts',
  'sdk/src/**/*.test.ts',
  'user-files/src/**/*.test.ts',
  'scripts/**/*.test.mjs',
  'bench/**/*.test.ts',
];

/** @param {string} path */
const filesOf = (path) =>
  path.startsWith(root) ? JSON.parse(readFileSync(path, 'utf8').match(/\[.*?\]/s)?.[0] ?? '') : [path];

for (const [part, patterns] of /** @type {const} */ ([
  ['server', server],
  ['browser', ['e2e/*.test.ts']],
])) {
  it(`runs every test file of the part ${part} once`, () => {
    const files = globSync(patterns, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
    assert.deepEqual(arrangeFiles(root, part).flatMap(filesOf).sort(), files.sort());
    assert.ok(files.length > 40, join(root, part));
  });
}
