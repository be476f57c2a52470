// The bootstrap behind every npm script: prepares the checkout, then hands over to the pinned Node.
// Plain JavaScript without dependencies: it runs on whatever Node (18 or later) came with npm, before anything is installed.
import { check } from './check.mjs';
import { endLike, runAttached } from './child.mjs';
import { pinnedNode, Refusal, root, say } from './layout.mjs';
import { pinnedEnvironment } from './pinned.mjs';
import { prepare } from './prepare.mjs';
import { test, testFaults, testInBrowser, testOne, testVerifiers } from './test.mjs';

/** The command of the package. */
const LATCHKEY = 'dist/package/latchkey.mjs';

const [command = '', ...args] = process.argv.slice(2);

/** What `bench` measures with a program of its own, which writes a page of its own. */
const ownPrograms = ['profiles', 'soak'];

/** @type {Record<string, { builds: boolean, run: () => Promise<import('./child.mjs').End> }>} */
const commands = {
  start: { builds: true, run: () => pinned([LATCHKEY, 'serve', ...args]) },
  latchkey: { builds: true, run: () => pinned([LATCHKEY, ...args]) },
  dev: { builds: false, run: () => pinned(['scripts/dev/main.ts', ...args]) },
  test: { builds: true, run: () => test(root, args) },
  'test:one': { builds: true, run: () => testOne(root, args) },
  'test:long': { builds: true, run: () => test(root, args, { LATCHKEY_TEST_LONG: '1' }) },
  'test:faults': { builds: true, run: () => testFaults(root, args) },
  'test:verifiers': { builds: true, run: () => testVerifiers(root, args) },
  'test:fuzz': { builds: false, run: () => pinned(['server/test/fuzz/main.ts', ...args]) },
  'test:e2e': { builds: true, run: () => testInBrowser(root, args) },
  'test:mutation': { builds: true, run: () => pinned(['scripts/mutation/main.ts', ...args]) },
  build: { builds: true, run: () => pinned(['scripts/release/files.ts', 'dist', ...args]) },
  release: { builds: false, run: () => pinned(['scripts/release/main.ts', ...args]) },
  'build:image': { builds: true, run: () => pinned(['scripts/image/main.ts', ...args]) },
  check: { builds: false, run: () => check(root) },
  docs: { builds: false, run: () => pinned(['scripts/docs/main.ts', ...args]) },
  bench: {
    builds: true,
    run: () => pinned(ownPrograms.includes(args[0] ?? '') ? [`bench/${args[0]}/main.ts`] : ['bench/main.ts', ...args]),
  },
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
