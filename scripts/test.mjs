// The tests: the check first, then every test file in the test runner of the pinned Node.
import { check } from './check.mjs';
import { runAttached } from './child.mjs';
import { pinnedNode, say } from './layout.mjs';
import { pinnedEnvironment } from './pinned.mjs';

const everything = ['server/{src,test}/**/*.test.ts', 'scripts/**/*.test.mjs', 'e2e/**/*.test.ts'];

const runnerFlags = [
  '--test',
  '--test-concurrency=2',
  '--test-global-setup=server/test/setup.ts',
  '--import=./server/test/seed.ts',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/unproven.mjs',
  '--test-reporter-destination=stderr',
];

/**
 * Runs check and tests, the tests also if the check fails: one run tells everything.
 * With arguments (files, patterns, flags of the test runner) it runs only the tests they choose.
 * @param {string} folder the checkout
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [extra] environment for the tests
 * @returns {Promise<import('./child.mjs').End>}
 */
export async function test(folder, args, extra = {}) {
  const checked = args.length > 0 ? { code: 0, signal: null } : await check(folder);
  if (checked.signal) return checked;
  const files = args.filter((arg) => !arg.startsWith('-'));
  const flags = args.filter((arg) => arg.startsWith('-'));
  const tested = await runAttached(
    pinnedNode(folder),
    [...runnerFlags, ...flags, ...(files.length > 0 ? files : everything)],
    { cwd: folder, env: { ...pinnedEnvironment(folder), ...extra } },
  );
  if (checked.code !== 0) say('\nThe check before the tests failed: see the top, or `npm run check`.');
  return tested.signal || tested.code !== 0 ? tested : checked;
}
