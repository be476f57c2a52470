// The check: format and lint, types, the dependency rule, unused code, current generated docs, and the installed packages.
import { join } from 'node:path';
import { runCaptured } from './child.mjs';
import { pinnedNode } from './layout.mjs';
import { pinnedEnvironment } from './pinned.mjs';

/**
 * `isReported`: its output is printed even if it succeeds.
 * @typedef {{ title: string, args: string[], isReported?: boolean }} Task
 */

/**
 * Runs all parts, two at a time, even if one fails. Prints the output of each part when it ends.
 * @param {string} folder the checkout
 * @returns {Promise<import('./child.mjs').End>} code 1 if any part failed
 */
export async function check(folder) {
  const waiting = tasks(folder);
  /** @type {string[]} */
  const failed = [];
  /** @type {NodeJS.Signals | null} */
  let stoppedBy = null;
  const work = async () => {
    for (let task = waiting.shift(); task && !stoppedBy; task = waiting.shift()) {
      const end = await run(folder, task);
      stoppedBy ??= end.signal;
      if (end.code !== 0) failed.push(task.title);
    }
  };
  await Promise.all([work(), work()]);
  process.stdout.write(failed.length === 0 ? '\ncheck passed\n\n' : `\ncheck failed: ${failed.join(', ')}\n\n`);
  return { code: failed.length === 0 ? 0 : 1, signal: stoppedBy };
}

/**
 * @param {string} folder
 * @returns {Task[]} the slowest first, so that both workers end at about the same time
 */
function tasks(folder) {
  const modules = join(folder, 'node_modules');
  /**
   * By one checker: each further one checks again what the files share, and two parts run at a time anyway.
   * @param {string} project
   */
  const types = (project) => [join(modules, '@typescript/native/bin/tsc'), '--checkers', '1', '--project', project];
  const rules = [
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'err-long',
    'server',
    'web',
    'sdk',
    'user-files',
    'scripts',
  ];
  return [
    { title: 'generated docs', args: ['scripts/docs/main.ts', '--check'] },
    { title: 'unused code (knip)', args: [join(modules, 'knip/bin/knip.js'), '--no-progress'] },
    { title: 'dependency rule', args: [join(modules, 'dependency-cruiser/bin/dependency-cruiser.mjs'), ...rules] },
    { title: 'types', args: types('tsconfig.json') },
    { title: 'types of the pages', args: types('web/tsconfig.json') },
    { title: 'types of the browser client', args: types('sdk/tsconfig.json') },
    { title: 'types of the reader of files', args: types('user-files/tsconfig.json') },
    { title: 'types of the clients that tests run in a browser', args: types('e2e/clients/tsconfig.json') },
    {
      title: 'format and lint',
      args: [join(modules, '@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
    },
    { title: 'signatures of the packages', args: ['scripts/check/signatures.ts'], isReported: true },
    { title: 'scripts that run at install', args: ['scripts/check/install-scripts.ts'] },
  ];
}

/**
 * @param {string} folder
 * @param {Task} task
 */
async function run(folder, task) {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const startedAt = Date.now();
  const end = await runCaptured(pinnedNode(folder), task.args, {
    cwd: folder,
    env: { ...pinnedEnvironment(folder), ...colors },
  });
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const output = end.code === 0 && !task.isReported ? '' : `${end.output.trim()}\n`;
  process.stdout.write(`${end.code === 0 ? '✔' : '✖'} ${task.title} (${seconds} s)\n${output}`);
  return end;
}
