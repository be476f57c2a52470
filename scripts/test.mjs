// The tests: the check first, then every test file in the test runner of the pinned Node.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { check } from './check.mjs';
import { runAttached } from './child.mjs';
import { pinnedNode, Refusal, say } from './layout.mjs';
import { pinnedEnvironment } from './pinned.mjs';
import { installPrograms } from './programs.mjs';
import { arrangeFiles, inOrder, mix } from './together.mjs';

const runnerFlags = [
  '--test',
  // A larger nursery saves a twentieth of the processor's time: tests leave much garbage.
  '--max-semi-space-size=32',
  '--test-global-setup=server/test/setup.ts',
  '--import=./server/test/promises.ts',
  '--import=./server/test/seed.ts',
  '--import=./server/test/leftovers.ts',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/unproven.mjs',
  '--test-reporter-destination=stderr',
];

/** A test that hangs fails, and the others still run. Far above what any test takes on a slow machine. */
const timeLimit = '--test-timeout=600000';

const allInBrowser = 'e2e/**/*.test.ts';

const faults = 'server/test/faults/';

/**
 * Runs check and tests, all of them whatever fails: one run tells everything. The long form leaves out what has a long command of its own,
 * the faults and the tests in a browser: both need processors that nothing else keeps busy.
 * With arguments (files, patterns, flags of the test runner) it runs only the tests they choose.
 * @param {string} folder the checkout
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [extra] environment for the tests
 * @returns {Promise<import('./child.mjs').End>}
 */
export async function test(folder, args, extra = {}) {
  const { files, flags } = splitArguments(args);
  if (files.length > 0) return run(folder, ['--test-concurrency=2', ...args], extra);
  const isLong = extra.LATCHKEY_TEST_LONG === '1';
  await installPrograms('browser', 'deploy');
  if (isLong) await installPrograms('container', 'clients', 'examples');
  const checked = await check(folder);
  if (checked.signal || checked.isStopped) return checked;
  const failures = join(mkdtempSync(join(tmpdir(), 'latchkey-failures-')), 'all');
  const all = isLong
    ? arrangeFiles(folder, 'server', true)
        .flat()
        .filter((file) => !file.startsWith(faults))
    : inOrder(folder, mix(...arrangeFiles(folder, 'browser'), ...arrangeFiles(folder, 'server')));
  const chosen = [
    // Many of the server's tests wait for a process, a clock or a fault: two cores have room for more files at a time.
    '--test-concurrency=4',
    '--test-reporter=./scripts/failures.mjs',
    `--test-reporter-destination=${failures}`,
    ...(isLong ? [] : [timeLimit]),
    ...flags,
    ...all,
  ];
  const tested = await run(folder, chosen, extra);
  if (tested.signal || tested.isStopped) return tested;
  if (checked.code !== 0) say('\nThe check failed: npm run check');
  process.stdout.write(readFileSync(failures));
  rmSync(dirname(failures), { recursive: true });
  return checked.code === 0 ? tested : checked;
}

/**
 * Runs one test file of any kind with everything it needs: PostgreSQL, a browser, or what it deploys with.
 * @param {string} folder the checkout
 * @param {string[]} args the file, and flags of the test runner such as `--test-name-pattern=…`
 */
export async function testOne(folder, args) {
  const [file, ...more] = splitArguments(args).files;
  if (file === undefined || more.length > 0) {
    throw new Refusal('Name one test file: npm run test:one -- FILE [--test-name-pattern=PATTERN]');
  }
  const path = relative(folder, resolve(folder, file));
  if (!/\.test\.(ts|mjs)$/.test(path) || !existsSync(join(folder, path))) {
    throw new Refusal(`There is no test file ${file}. Give its path from the root of the checkout.`);
  }
  if (path.startsWith(`e2e${sep}`)) await installPrograms('browser');
  if (path.startsWith(join('e2e', 'long', sep))) await installPrograms('examples');
  if (path.startsWith(join('server', 'test', 'deploy', sep))) await installPrograms('deploy');
  if (path.startsWith(join('server', 'test', 'image', sep))) await installPrograms('container');
  if (path.startsWith(join('server', 'test', 'openid-clients', sep))) await installPrograms('clients');
  return run(folder, args);
}

/**
 * Tries every fault at length, two files at a time, prints what came of it, and writes the page about it if all of them ran.
 * @param {string} folder the checkout
 * @param {string[]} args files, patterns, flags of the test runner
 */
export async function testFaults(folder, args) {
  const rows = join(mkdtempSync(join(tmpdir(), 'latchkey-faults-')), 'rows.jsonl');
  const isWhole = args.length === 0;
  const chosen = splitArguments(args).files.length > 0 ? args : [...args, `${faults}*.test.ts`];
  const end = await run(folder, ['--test-concurrency=2', ...chosen], {
    LATCHKEY_TEST_LONG: '1',
    LATCHKEY_FAULTS_REPORT: rows,
  });
  const page = isWhole && end.code === 0 ? ['--write'] : [];
  await runAttached(pinnedNode(folder), ['server/test/faults/page.ts', rows, ...page], { cwd: folder });
  return end;
}

/**
 * Runs the code of the guides on tokens, in every language for which Debian has the tools. It installs none.
 * @param {string} folder the checkout
 * @param {string[]} args flags of the test runner
 */
export function testVerifiers(folder, args) {
  const files = [
    'server/test/scenarios/verifying-tokens.test.ts',
    'server/test/deploy/protecting-applications.test.ts',
  ];
  return run(folder, [...args, ...files], { LATCHKEY_TEST_VERIFIERS: '1' });
}

/**
 * Runs the tests of the pages in a browser. Without a choice of files, in their long form.
 * @param {string} folder the checkout
 * @param {string[]} args files, patterns, flags of the test runner
 */
export async function testInBrowser(folder, args) {
  const isWhole = splitArguments(args).files.length === 0;
  await installPrograms('browser');
  if (isWhole) await installPrograms('examples');
  const chosen = isWhole ? [...args, allInBrowser] : args;
  return run(folder, ['--test-concurrency=2', ...chosen], isWhole ? { LATCHKEY_TEST_LONG: '1' } : {});
}

/** @param {string[]} args files, patterns, flags of the test runner */
function splitArguments(args) {
  return {
    files: args.filter((arg) => !arg.startsWith('-')),
    flags: args.filter((arg) => arg.startsWith('-')),
  };
}

/**
 * @param {string} folder
 * @param {string[]} args files, patterns, flags of the test runner
 * @param {NodeJS.ProcessEnv} [extra]
 */
function run(folder, args, extra = {}) {
  const env = { ...pinnedEnvironment(folder), ...extra };
  // Node passes flags that stand behind a file on to that file, and would run all of its tests.
  const { files, flags } = splitArguments(args);
  return runAttached(pinnedNode(folder), [...runnerFlags, ...flags, ...files], { cwd: folder, env });
}
