// The bootstrap installs missing packages once, and repeats an install that did not finish.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const prepareModule = join(import.meta.dirname, 'prepare.mjs');

/** A fake npm: it empties node_modules as `npm ci` does, records the call, and installs the Node that runs it. */
const npm = `
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/node/bin', { recursive: true });
appendFileSync('calls', process.pid + ' ' + process.argv.slice(2).join(' ') + '\\n');
if (existsSync('offline')) { console.error('npm error code ENOTFOUND'); process.exit(1); }
if (existsSync('slow')) await new Promise((resolve) => setTimeout(resolve, 60_000));
await new Promise((resolve) => setTimeout(resolve, 300));
symlinkSync(process.execPath, 'node_modules/node/bin/node');
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: ${JSON.stringify(lockedPackages())} }));
`;

function lockedPackages() {
  return { 'node_modules/node': { version: process.version.slice(1), integrity: 'sha512-x' } };
}

describe('the scripts that npm runs', () => {
  it('do without import.meta.filename and dirname, which Node 18 does not have', () => {
    const scripts = readdirSync(import.meta.dirname).filter((file) => /(?<!\.test)\.mjs$/.test(file));
    const wrong = scripts.filter((file) =>
      /import\.meta\.\w*name/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('preparing a checkout', () => {
  let folder = '';

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'latchkey prepare ')), 'a checkout');
    write('package.json', JSON.stringify({ workspaces: ['server'] }));
    write('server/package.json', '{}');
    lock('first');
    write('npm.mjs', npm);
    // npm's own script ends in .js or .cjs; this one forwards to the module above.
    write('npm-cli.cjs', "import('./npm.mjs');");
  });

  afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }));

  /**
   * @param {string} file
   * @param {string} text
   */
  function write(file, text) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  /** @param {string} name */
  function lock(name) {
    write('package-lock.json', JSON.stringify({ name, packages: lockedPackages() }));
  }

  function calls() {
    return existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
  }

  function start() {
    const program = `import(${JSON.stringify(prepareModule)})
      .then(({ prepare }) => prepare(${JSON.stringify(folder)}, { builds: false }))
      .catch((error) => { console.error(error.message); process.exitCode = 1; });`;
    const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.cjs'), npm_node_execpath: process.execPath };
    const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    return { child, ended: once(child, 'close').then(([code]) => ({ code, errors })) };
  }

  async function prepared() {
    const { code, errors } = await start().ended;
    assert.equal(code, 0, errors);
  }

  it('installs once, with the development packages and the install scripts that the pinned Node needs', async () => {
    await prepared();
    await prepared();
    assert.equal(calls().length, 1);
    assert.match(calls()[0] ?? '', / ci .*--include=dev.*--ignore-scripts=false/);
  });

  it('installs again when the packages of a manifest or the lock file change', async () => {
    await prepared();
    write(
      'package-lock.json',
      JSON.stringify({ packages: { ...lockedPackages(), 'node_modules/new': { version: '1.0.0' } } }),
    );
    await prepared();
    assert.equal(calls().length, 2);
  });

  it('accepts what was installed by hand from the same lock file', async () => {
    await prepared();
    lock('renamed, the packages being the same');
    await prepared();
    assert.equal(calls().length, 1);
  });

  it('repeats an install that was killed', async () => {
    await prepared();
    write('slow', '');
    write(
      'package-lock.json',
      JSON.stringify({ packages: { ...lockedPackages(), 'node_modules/new': { version: '1.0.0' } } }),
    );
    const { child, ended } = start();
    while (calls().length < 2) await sleep(20);
    child.kill('SIGKILL');
    process.kill(Number.parseInt(calls()[1] ?? '', 10), 'SIGKILL');
    await ended;
    rmSync(join(folder, 'slow'));
    lock('first');
    await prepared();
    assert.equal(calls().length, 3);
  });

  it('lets one of several processes work and the others wait', async () => {
    const ends = await Promise.all([start().ended, start().ended, start().ended]);
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0, 0],
      ends.map(({ errors }) => errors).join(),
    );
    assert.equal(calls().length, 1);
    assert.ok(!existsSync(join(folder, '.prepare/lock')));
  });

  it('says what to do when npm cannot reach its registry, and tries again next time', async () => {
    write('offline', '');
    const { code, errors } = await start().ended;
    assert.equal(code, 1);
    assert.match(errors, /Check network and proxy, then run the command again\.\n$/);
    rmSync(join(folder, 'offline'));
    await prepared();
    assert.equal(calls().length, 2);
  });
});
