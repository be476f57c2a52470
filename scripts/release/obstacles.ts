// What a release demands of the checkout, so that anyone can build the published files again from the tag.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a build reads, without what it makes itself. An ignored file there, such as `web/.env`, can change the result. */
const sources = [
  'deploy',
  'docs',
  'scripts',
  'sdk',
  'server',
  'user-files',
  'web',
  ':!**/node_modules/**',
  ':!**/dist/**',
];

/**
 * Returns why this checkout cannot be released: one sentence for each reason, with what to do. None if it can.
 * @param folder the checkout
 */
export function releaseObstacles(folder: string): string[] {
  if (!existsSync(join(folder, '.git'))) return ['This folder is no git checkout: release from a clone.'];
  const { version, releaseDate } = readManifest(folder);
  const obstacles: string[] = [];
  if (git(folder, 'status', '--porcelain') !== '') {
    obstacles.push('The working tree differs from its commit: commit the changes, or remove them.');
  }
  const ignored = git(folder, 'ls-files', '--others', '--ignored', '--exclude-standard', '--', ...sources);
  if (ignored !== '') {
    obstacles.push(`git ignores files that a build could read: remove ${ignored.split('\n').join(', ')}.`);
  }
  const day = releaseDayOf(folder, version);
  if (day === undefined) {
    obstacles.push(`CHANGELOG.md has no line "## [${version}] - YEAR-MONTH-DAY": give the version its day of release.`);
  } else if (!releaseDate.startsWith(day)) {
    obstacles.push(
      `CHANGELOG.md says ${day}, and releaseDate in server/package.json says ${releaseDate}: correct one.`,
    );
  }
  if (!git(folder, 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) {
    obstacles.push(
      `The commit has no tag v${version}: make it with \`git tag -s v${version}\`, or correct the version.`,
    );
  }
  return obstacles;
}

/**
 * Returns why npm cannot publish with provenance, as `releaseObstacles` does. A dry run does without.
 * @param folder the checkout
 * @param environment the environment of the process that publishes
 */
export function publishObstacles(folder: string, environment: NodeJS.ProcessEnv): string[] {
  const obstacles: string[] = [];
  if (readManifest(folder).repository === undefined) {
    obstacles.push('server/package.json has no "repository": add it, because npm compares it with the provenance.');
  }
  if (environment.GITHUB_ACTIONS !== 'true' && environment.GITLAB_CI !== 'true') {
    obstacles.push('npm makes provenance in GitHub Actions and GitLab CI only: publish in a job there.');
  }
  return obstacles;
}

function readManifest(folder: string): { version: string; releaseDate: string; repository?: unknown } {
  return JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8'));
}

function releaseDayOf(folder: string, version: string): string | undefined {
  const lines = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').split('\n');
  const heading = `## [${version}] - `;
  const day = lines.find((line) => line.startsWith(heading))?.slice(heading.length);
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
}
