// `npm run release`: checks the checkout, builds the files, and publishes the tarballs. Without --publish, a dry run.
import { join, relative } from 'node:path';
import { pinnedNode, root, say } from '../layout.mjs';
import { npm } from '../npm.mjs';
import { buildReleaseFiles } from './files.ts';
import { publishObstacles, releaseObstacles } from './obstacles.ts';

const given = process.argv.slice(2);
const publishes = given.includes('--publish');
const obstacles = [
  ...given.filter((one) => one !== '--publish').map((one) => `Unknown argument ${one}: there is only --publish.`),
  ...releaseObstacles(root),
  ...(publishes ? publishObstacles(root, process.env) : []),
];
for (const obstacle of obstacles) say(obstacle);
if (obstacles.length > 0) process.exit(1);

say('Building the files of the release …');
const tarballs = await buildReleaseFiles(join(root, 'dist'));
const paths = tarballs.map((tarball) => `./${relative(root, tarball)}`);
let code: number | null = 0;
for (const path of paths) {
  const args = ['publish', path, '--provenance', '--access', 'public'];
  const end = await npm(pinnedNode(root), publishes ? args : [...args, '--dry-run'], root);
  process.stdout.write(end.output);
  code ||= end.code;
}
if (code === 0 && !publishes) say('Nothing was published. To publish: npm run release -- --publish');
process.exitCode = code ?? 1;
