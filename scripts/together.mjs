// Test files that share a process: they load the service once, and what the first has compiled serves all of them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The tests of a part: folders of the files that share processes, in how many processes, and folders of files with one each.
 * A process takes about a minute on a quiet core.
 */
const parts = {
  server: {
    sharing: [
      'server/src',
      'server/test/scenarios',
      'server/test/attacks',
      'server/test/architecture',
      'server/test/cli',
      'server/test/storage',
      'sdk/src',
      'user-files/src',
      'scripts',
      'bench',
    ],
    processes: 10,
    others: ['server/test'],
  },
  browser: { sharing: ['e2e'], processes: 8, others: [] },
};

const isAlone = /^\/\/ Alone in its process: /m;

/** What makes no part of the service and takes the processors long: a second image, a release, npm in empty folders. */
const isLongAlone = /^\/\/ In the long form alone: /m;

/** Of the tests in a browser, those in this folder take minutes each: `npm run test:e2e` has them too. */
const LONG = 'e2e/long/';

/**
 * Writes an entrance for each shared process.
 * @param {string} folder the checkout
 * @param {keyof typeof parts} part
 * @param {boolean} [isLong] whether the files are among them that only the long form has
 * @returns {string[][]} what the test runner runs: the entrances, and the files that are alone
 */
export function arrangeFiles(folder, part, isLong = false) {
  const { shared, alone } = groupFiles(folder, part, isLong);
  const entrances = entrancesOf(folder);
  const paths = shared.map((files, index) => {
    const path = join(entrances, `${part}-${String(index + 1).padStart(2, '0')}.test.mjs`);
    writeFileSync(path, entrance(files));
    return path;
  });
  return [paths, alone];
}

/** @param {string} folder the checkout */
function entrancesOf(folder) {
  const entrances = join(folder, 'node_modules', '.cache', 'together');
  mkdirSync(entrances, { recursive: true });
  return entrances;
}

/**
 * Returns files that lead to these, and that the test runner runs in this order: it sorts the files that it gets.
 * @param {string} folder the checkout
 * @param {string[]} files
 */
export function inOrder(folder, files) {
  const entrances = entrancesOf(folder);
  return files.map((file, index) => {
    const name = basename(file).replace(/\.test\.\w+$/, '');
    const path = join(entrances, `${String(index + 1).padStart(3, '0')}-${name}.test.mjs`);
    writeFileSync(path, `await import(${JSON.stringify(pathToFileURL(resolve(folder, file)).href)});\n`);
    return path;
  });
}

/**
 * Groups the test files of a part by process.
 * @param {string} folder the checkout
 * @param {keyof typeof parts} part
 * @param {boolean} [isLong] whether the files are among them that only the long form has
 * @returns {{ shared: string[][], alone: string[] }} the files of each shared process, and those with one each
 */
export function groupFiles(folder, part, isLong = false) {
  const { sharing, processes, others } = parts[part];
  /** @param {string} file */
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const files = [...sharing, ...others].flatMap((name) => find(folder, name));
  const alone = new Set(files.filter((file) => isLong || !isLongAlone.test(read(file))));
  const shared = sharing
    .flatMap((name) => find(folder, name))
    .filter((file) => alone.has(file) && !isAlone.test(read(file)));
  for (const file of shared) alone.delete(file);
  return {
    shared: Array.from({ length: processes }, (_, index) =>
      shared.filter((_, position) => position % processes === index),
    ),
    alone: [...alone],
  };
}

/**
 * Mixes lists, each spread evenly: those in a browser keep the processors busy, many others wait.
 * @param {string[][]} lists
 * @returns {string[]}
 */
export function mix(...lists) {
  return lists
    .flatMap((list) => list.map((file, position) => ({ file, place: position / list.length })))
    .sort((one, other) => one.place - other.place)
    .map(({ file }) => file);
}

/**
 * @param {string} folder the checkout
 * @param {string} name a folder in it
 * @returns {string[]} paths of its test files, from the checkout
 */
function find(folder, name) {
  return readdirSync(join(folder, name), { withFileTypes: true }).flatMap((entry) => {
    const path = `${name}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : find(folder, path);
    return /\.test\.(ts|mjs)$/.test(entry.name) && !path.startsWith(LONG) ? [path] : [];
  });
}

/** @param {string[]} files */
const entrance = (files) => `// Written by scripts/together.mjs.
import { createRequire } from 'node:module';
import { after, before, describe } from 'node:test';

const require = createRequire(import.meta.url);

for (const file of ${JSON.stringify(files, null, 2)}) {
  // The time limit of the run is for each test and suite in it.
  describe(file, { timeout: 3_600_000 }, () => {
    const variables = {};
    before(() => Object.assign(variables, process.env));
    after(() => {
      for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
      Object.assign(process.env, variables);
    });
    // At once: the tests of a file that arrives later would not be in this suite.
    require(\`../../../\${file}\`);
  });
}
`;
