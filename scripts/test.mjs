// The tests: the check first, then every test file in the test runner of the pinned Node.
import { installBrowser } from './browser.mjs';
import { check } from './check.mjs';
import { runAttached } from './child.mjs';
import { pinnedNode, say } from './layout.mjs';
import { pinnedEnvironment } from './pinned.mjs';

const everything = ['server/{src,test}/**/*.test.ts', 'scripts/**/*.test.mjs'];

/** In a browser, which wants the machine for itself: after the others, one file at a time. */
const inBrowser = ['e2e/**/*.test.ts'];

const runnerFlags = [
  '--test',
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
  /** @param {string[]} chosen @param {number} atOnce files */
  const run = (chosen, atOnce) =>
    runAttached(pinnedNode(folder), [...runnerFlags, `--test-concurrency=${atOnce}`, ...flags, ...chosen], {
      cwd: folder,
      env: { ...pinnedEnvironment(folder), ...extra },
    });
  const ends = [await run(files.length > 0 ? files : everything, 2)];
  if (files.length === 0 && !ends[0]?.signal) {
    await installBrowser();
    ends.push(await run(inBrowser, 1));
  }
  if (checked.code !== 0) say('\nThe check before the tests failed: see the top, or `npm run check`.');
  return ends.find(({ signal, code }) => signal || code !== 0) ?? checked;
}
