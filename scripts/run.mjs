// The bootstrap behind every npm script: prepares the checkout, then hands over to the pinned Node.
// Plain JavaScript without dependencies: it runs on whatever Node (18 or later) came with npm, before anything is installed.
import { check } from './check.mjs';
import { endLike, runAttached } from './child.mjs';
import { pinnedNode, Refusal, root, say } from './layout.mjs';
import { pinnedEnvironment } from './pinned.mjs';
import { prepare } from './prepare.mjs';
import { test, testFaults, testInBrowser, testOne, testVerifiers } from './test.mjs';

const [command = '', ...args] = process.argv.slice(2);

/**
 * A service that answers thousands of small requests a second makes garbage that is young and small: a small nursery
 * costs it nothing measurable and keeps it some forty megabytes lighter.
 */
const serviceFlags = ['--max-semi-space-size=4'];

/** @type {Record<string, { pages: boolean, run: () => Promise<import('./child.mjs').End> }>} */
const commands = {
  start: { pages: true, run: () => pinned([...serviceFlags, 'server/src/cli/main.ts', 'serve', ...args]) },
  latchkey: { pages: true, run: () => pinned([...serviceFlags, 'server/src/cli/main.ts', ...args]) },
  dev: { pages: false, run: () => pinned(['scripts/dev/main.ts', ...args]) },
  test: { pages: true, run: () => test(root, args) },
  'test:one': { pages: true, run: () => testOne(root, args) },
  'test:long': { pages: true, run: () => test(root, args, { LATCHKEY_TEST_LONG: '1' }) },
  'test:faults': { pages: true, run: () => testFaults(root, args) },
  'test:verifiers': { pages: true, run: () => testVerifiers(root, args) },
  'test:e2e': { pages: true, run: () => testInBrowser(root, args) },
  'test:mutation': { pages: true, run: () => pinned(['scripts/mutation/main.ts', ...args]) },
  check: { pages: false, run: () => check(root) },
  docs: { pages: false, run: () => pinned(['server/src/tools/docs.ts', ...args]) },
  bench: { pages: true, run: () => pinned(['bench/main.ts', ...args]) },
};

/** @param {string[]} nodeArgs */
function pinned(nodeArgs) {
  return runAttached(pinnedNode(root), nodeArgs, { cwd: root, env: pinnedEnvironment(root) });
}

const chosen = commands[command];
try {
  if (!chosen) throw new Refusal(`Unknown command "${command}". There are: ${Object.keys(commands).join(', ')}.`);
  await prepare(root, chosen);
  endLike(await chosen.run());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
}
