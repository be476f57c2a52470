// Clones of this checkout for the tests of a release, with the packages linked instead of installed.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from '../layout.mjs';

/** What a clone does not have. */
const notCloned = ['.git', '.prepare', 'data', 'dist', 'node_modules'];

/**
 * Makes a clone of the present files that can be released: its changelog has a day, and its commit the tag of the version.
 * @param {string} folder
 */
export function makeTaggedClone(folder) {
  mkdirSync(folder);
  for (const name of readdirSync(root)) {
    if (notCloned.includes(name)) continue;
    const filter = (/** @type {string} */ file) => !/[/\\](node_modules|dist)$/.test(file);
    cpSync(join(root, name), join(folder, name), { recursive: true, filter });
  }
  const { version, releaseDate } = JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8'));
  const changelog = join(folder, 'CHANGELOG.md');
  const heading = `## [${version}] - `;
  const lines = readFileSync(changelog, 'utf8').split('\n');
  const dated = lines.map((line) => (line.startsWith(heading) ? heading + releaseDate.slice(0, 10) : line));
  writeFileSync(changelog, dated.join('\n'));
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Release');
  git(folder, 'tag', `v${version}`);
  linkPackages(folder);
}

/**
 * Gives a clone the packages of this checkout. Hard links, because bundlers resolve symbolic ones to their target.
 * @param {string} folder on the volume of this checkout
 */
export function linkPackages(folder) {
  for (const place of ['', 'server', 'web', 'sdk', 'user-files']) {
    const packages = join(place, 'node_modules');
    if (existsSync(join(root, packages))) linkTree(join(root, packages), join(folder, packages));
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function linkTree(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) linkSync(source, target);
    else if (entry.name !== '.cache') linkTree(source, target);
  }
}

/**
 * Runs git in a folder, without the user's configuration.
 * @param {string} folder
 * @param {string[]} args
 */
export function git(folder, ...args) {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' });
}
