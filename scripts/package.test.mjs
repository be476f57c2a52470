// A rebuilt package keeps the modules that a service running from the former build may still load, and no older ones.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { keepFormerModules } from './package.mjs';

const top = mkdtempSync(join(tmpdir(), 'latchkey-package-'));
after(() => rmSync(top, { recursive: true }));

/**
 * Makes a folder with these modules, each with the folder's name as its text.
 * @param {string} name
 * @param {string[]} modules
 */
function folderWith(name, modules) {
  const folder = join(top, name);
  mkdirSync(folder);
  for (const module of modules) writeFileSync(join(folder, module), name);
  return folder;
}

describe('a rebuilt package', () => {
  const first = folderWith('first', ['main.js', 'mail-a.js', 'sql-a.js']);
  const second = folderWith('second', ['main.js', 'mail-b.js', 'sql-a.js']);
  const third = folderWith('third', ['main.js', 'mail-c.js']);
  keepFormerModules(join(top, 'none'), first);
  keepFormerModules(first, second);
  keepFormerModules(second, third);
  /**
   * @param {string} folder
   * @param {string} module
   */
  const read = (folder, module) => readFileSync(join(folder, module), 'utf8');

  it('has its own modules, and those of the build before', () => {
    assert.deepEqual(
      [read(second, 'main.js'), read(second, 'mail-b.js'), read(second, 'mail-a.js')],
      ['second', 'second', 'first'],
    );
    assert.deepEqual([read(third, 'mail-b.js'), read(third, 'sql-a.js')], ['second', 'second']);
  });

  it('has none of an older build', () => {
    assert.throws(() => read(third, 'mail-a.js'), { code: 'ENOENT' });
  });
});
