// The reasons against a release, in real git repositories.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { git } from './clones.mjs';
import { publishObstacles, releaseObstacles } from './obstacles.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-obstacles-'));
  writeManifest({});
  write('CHANGELOG.md', '# Changelog\n\n## [1.2.3] - 2026-12-01\n\n## [1.2.2] - 2026-11-01\n');
  git(folder, 'init', '--quiet');
  commit();
  git(folder, 'tag', 'v1.2.3');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('has no obstacle if the commit is clean, dated and tagged', () => {
    assert.deepEqual(releaseObstacles(folder), []);
  });

  it('needs a git checkout', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    assertOne(/^This folder is no git checkout/);
  });

  it('needs a working tree without changes, new files included', () => {
    write('new.txt', 'new');
    assertOne(/^The working tree differs from its commit/);
  });

  it('needs sources without files that git ignores, except what a build makes', () => {
    write('.gitignore', '.env\nnode_modules/\ndist/\n');
    retag();
    for (const made of ['web/node_modules/a.js', 'web/dist/a.js', 'dist/a.tgz', '.env']) write(made, '');
    assert.deepEqual(releaseObstacles(folder), []);
    write('web/.env', 'VITE_A=1');
    assertOne(/^git ignores files that a build could read: remove web\/\.env\.$/);
  });

  it('needs the tag of the version at this very commit', () => {
    write('more.txt', 'more');
    commit();
    assertOne(/^The commit has no tag v1\.2\.3: /);
    git(folder, 'tag', 'v1.2.4');
    assertOne(/^The commit has no tag v1\.2\.3: /);
  });

  it('needs the day of the version in the changelog', () => {
    for (const heading of ['## [1.2.3] - Unreleased', '## [1.2.4] - 2026-12-01', '## [1.2.3] - soon']) {
      write('CHANGELOG.md', `# Changelog\n\n${heading}\n`);
      retag();
      assertOne(/^CHANGELOG\.md has no line "## \[1\.2\.3\] - YEAR-MONTH-DAY"/);
    }
  });

  it('needs the same day in the changelog and in the manifest', () => {
    writeManifest({ releaseDate: '2026-12-02T00:00:00Z' });
    retag();
    assertOne(/^CHANGELOG\.md says 2026-12-01, and releaseDate in server\/package\.json says 2026-12-02/);
  });
});

describe('publishing', () => {
  it('needs a repository and a job that npm can name in the provenance', () => {
    assert.match(publishObstacles(folder, {}).join('\n'), /has no "repository".*\n.*GitHub Actions and GitLab CI only/);
    writeManifest({ repository: 'github:example/latchkey' });
    assert.deepEqual(publishObstacles(folder, { GITHUB_ACTIONS: 'true' }), []);
    assert.deepEqual(publishObstacles(folder, { GITLAB_CI: 'true' }), []);
    assert.equal(publishObstacles(folder, {}).length, 1);
  });
});

/** @param {RegExp} reason */
function assertOne(reason) {
  const obstacles = releaseObstacles(folder);
  assert.equal(obstacles.length, 1, obstacles.join('\n'));
  assert.match(String(obstacles[0]), reason);
}

/** @param {object} members */
function writeManifest(members) {
  write('server/package.json', JSON.stringify({ version: '1.2.3', releaseDate: '2026-12-01T00:00:00Z', ...members }));
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function commit() {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Change');
}

function retag() {
  commit();
  git(folder, 'tag', '--force', 'v1.2.3');
}
