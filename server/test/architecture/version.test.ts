// The version: one for all workspaces, and described by the changelog.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VERSION } from '../../src/config/version.ts';

type Manifest = {
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readManifest = (folder: string): Manifest => JSON.parse(read(join(folder, 'package.json')));
const { version, workspaces = [] } = readManifest('.');

describe('the version', () => {
  it('is the same in every package.json and in the service', () => {
    const manifests = workspaces.map(readManifest);
    assert.deepEqual(
      manifests.map((manifest) => manifest.version),
      workspaces.map(() => version),
    );
    assert.equal(VERSION, version);
  });

  it('is the one under which workspaces depend on each other', () => {
    const versions = workspaces.flatMap((folder) => {
      const { dependencies = {}, devDependencies = {} } = readManifest(folder);
      const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('latchkey'),
      );
      return own.map(([, range]) => range);
    });
    assert.ok(versions.length > 0);
    assert.deepEqual([...new Set(versions)], [version]);
  });

  it('is in the names of both files to install, where a page says that nothing is published yet', () => {
    const files = ['latchkey', 'latchkey-sdk'].map((name) => `dist/${name}-${version}.tgz`);
    for (const page of ['README.md', 'docs/guide/operating.md']) {
      const text = read(page);
      const named = new Set(text.match(/dist\/latchkey[\w.-]*\.tgz/g));
      assert.deepEqual([...named], text.includes('is not published yet') ? files : [], page);
    }
  });

  it('leads from each page that installs or runs a package to where the packages come from', () => {
    const folder = 'docs/guide';
    // The page itself, and pages that need an installation of before.
    const others = ['operating.md', 'releases.md', 'upgrading.md', 'performance.md'];
    const lost = readdirSync(join(root, folder)).filter((page) => {
      const text = page.endsWith('.md') && !others.includes(page) ? read(`${folder}/${page}`) : '';
      return /npx latchkey|npm install.* latchkey/.test(text) && !text.includes('operating.md#install');
    });
    assert.deepEqual(lost, []);
  });

  it('has a section in the changelog', () => {
    assert.match(read('CHANGELOG.md'), new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\]`, 'm'));
  });
});
