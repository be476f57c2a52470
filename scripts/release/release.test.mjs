// A release: its files, the dry run that publishes them, and a second build of the tag with the same hashes.
// In the long form alone: it makes a release, and makes it again from its tag.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { extract } from 'tar';
import { describeLicenses } from '../bundle/licenses.ts';
import { pinnedNode, root, workFolder } from '../layout.mjs';
import { npm } from '../npm.mjs';
import { git, linkPackages, makeTaggedClone } from './clones.mjs';

const { version } = readJson(join(root, 'server/package.json'));
const tarball = `latchkey-${version}.tgz`;
const sdkTarball = `latchkey-sdk-${version}.tgz`;

/** A clock that is more than a year ahead, as a module to preload. */
const clock = `
const { now } = Date;
Date.now = () => now() + 40_000_000_000;
globalThis.Date = class extends Date { constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); } };
`;

/** The folder of this test, on the volume of the checkout so that packages can be linked. */
let work = '';
let clone = '';
let output = '';
/** The unpacked tarball. */
let unpacked = '';

before(async () => {
  mkdirSync(workFolder(root), { recursive: true });
  work = mkdtempSync(join(workFolder(root), 'release-'));
  clone = join(work, 'clone');
  makeTaggedClone(clone);
  const env = {
    ...process.env,
    // Nothing listens there: the dry run must do without a registry.
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    // `npm --silent` around these tests would silence the dry run, too.
    npm_config_loglevel: 'notice',
  };
  output = execFileSync(pinnedNode(clone), ['scripts/release/main.ts'], { cwd: clone, env, encoding: 'utf8' });
  unpacked = join(work, 'unpacked');
  mkdirSync(unpacked);
  await extract({ file: join(clone, 'dist', tarball), cwd: unpacked, strip: 1 });
});

after(() => rmSync(work, { recursive: true, force: true }));

describe('a release', () => {
  it('is published in a dry run, unless the command says otherwise', () => {
    assert.match(output, /with tag latest and public access \(dry-run\)/);
    for (const name of ['latchkey', 'latchkey-sdk']) assert.match(output, new RegExp(`^\\+ ${name}@${version}$`, 'm'));
  });

  it('lists the hashes of its files', () => {
    const expected = [tarball, sdkTarball, 'sbom.cdx.json'].map(
      (name) => `${sha256(join(clone, 'dist', name))}  ${name}\n`,
    );
    assert.equal(readFileSync(join(clone, 'dist/SHA256SUMS'), 'utf8'), expected.join(''));
  });

  it('has the same hashes when another user builds the tag in another folder, at another time', () => {
    const other = join(work, 'elsewhere', 'another clone');
    git(work, '-c', 'advice.detachedHead=false', 'clone', '--quiet', '--branch', `v${version}`, clone, other);
    linkPackages(other);
    // Hidden files of an administrator or an editor are no part of a build.
    for (const name of ['deploy/.env', 'deploy/kubernetes/.env', 'docs/.notes.swp'])
      writeFileSync(join(other, name), 'secret');
    writeFileSync(join(work, 'clock.mjs'), clock);
    const env = {
      PATH: process.env.PATH,
      HOME: join(work, 'home'),
      TZ: 'Pacific/Auckland',
      LC_ALL: 'da_DK.UTF-8',
      NODE_ENV: 'development',
      NODE_OPTIONS: `--import=${pathToFileURL(join(work, 'clock.mjs'))}`,
    };
    const command = [pinnedNode(other), join(other, 'scripts/release/files.ts'), join(other, 'dist')];
    execFileSync('/bin/sh', ['-c', 'umask 077 && exec "$@"', 'sh', ...command], { cwd: '/', env, stdio: 'pipe' });
    assert.equal(
      readFileSync(join(other, 'dist/SHA256SUMS'), 'utf8'),
      readFileSync(join(clone, 'dist/SHA256SUMS'), 'utf8'),
    );
  });
});

describe('the package', () => {
  it('contains what npm would pack, and nothing else', async () => {
    const end = await npm(pinnedNode(root), ['pack', '--dry-run', '--json', '--loglevel=silent'], unpacked);
    const [{ files }] = JSON.parse(end.output);
    const listed = execFileSync('find', ['.', '-type', 'f'], { cwd: unpacked, encoding: 'utf8' }).trim().split('\n');
    assert.deepEqual(files.map((/** @type {{ path: string }} */ { path }) => `./${path}`).sort(), listed.sort());
  });

  it('has the SDK as the package of its own that is published', async () => {
    const sdk = join(work, 'sdk');
    mkdirSync(sdk);
    await extract({ file: join(clone, 'dist', sdkTarball), cwd: sdk, strip: 1 });
    const hashes = (/** @type {string} */ folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [relative(folder, file), sha256(file)])
        .sort();
    assert.deepEqual(hashes(sdk), hashes(join(unpacked, 'sdk')));
    const { name, engines, exports, dependencies } = readJson(join(sdk, 'package.json'));
    assert.deepEqual([name, engines, dependencies], ['latchkey-sdk', { node: '>=20' }, undefined]);
    const named = Object.values(exports).flatMap((one) => (typeof one === 'string' ? one : Object.values(one)));
    const missing = [...named, 'LICENSE', 'README.md'].filter((file) => !existsSync(join(sdk, String(file))));
    assert.deepEqual(missing, []);
    assert.match(readFileSync(join(sdk, 'THIRD-PARTY-LICENSES.md'), 'utf8'), /^\| jose \|/m);
  });

  it('has the program and the modules that its manifest names, and the licence', () => {
    const { bin, exports, license, engines } = readJson(join(unpacked, 'package.json'));
    const named = [
      ...Object.values(bin),
      ...Object.values(exports).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))),
    ];
    assert.ok(named.length > 4);
    const missing = [...named, 'LICENSE', 'README.md'].filter((file) => !existsSync(join(unpacked, String(file))));
    assert.deepEqual(missing, []);
    assert.equal(license, 'MIT');
    assert.match(engines.node, /^>=\d+\.\d+$/);
  });
});

describe('the list of licences', () => {
  it('has a row and a text for each package that the SBOM says is in the package', () => {
    const page = readFileSync(join(unpacked, 'THIRD-PARTY-LICENSES.md'), 'utf8');
    const titles = page.split('\n').flatMap((line) => (line.startsWith('## ') ? line.slice(3).split(', ') : []));
    const bundled = bundledParts().map(({ name, version }) => ({ name, version }));
    assert.ok(bundled.length > 100);
    const missing = bundled.filter(
      (one) => !page.includes(`| ${one.name} | ${one.version} | `) || !titles.includes(`${one.name} ${one.version}`),
    );
    assert.deepEqual(missing, []);
  });

  it('refuses a package whose licence is not permissive', () => {
    assert.throws(() => describeLicenses(['node_modules/lightningcss']), /lightningcss .* has the licence MPL-2\.0/);
  });
});

describe('the SBOM', () => {
  it('is valid CycloneDX', () => {
    const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
    // Formats, such as that of an address, would need another package.
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
      ajv.addSchema(readJson(join(schemas, name)), `http://cyclonedx.org/schema/${name}`);
    }
    const isValid = ajv.validate(readJson(join(schemas, 'bom-1.6.SNAPSHOT.schema.json')), readSbom());
    assert.deepEqual(ajv.errors ?? [], []);
    assert.ok(isValid);
  });

  it('has the code of the service and the pages, and what npm installs, but no development tool', () => {
    const names = bundledParts().map(({ name }) => name);
    for (const name of ['fastify', 'pg', 'preact', '@zxcvbn-ts/language-common']) assert.ok(names.includes(name), name);
    const others = readSbom()
      .components.map(nameOf)
      .filter((/** @type {string} */ name) => !names.includes(name));
    const { dependencies } = readJson(join(unpacked, 'package.json'));
    for (const name of Object.keys(dependencies)) assert.ok(others.includes(name), name);
    const unexpected = others.filter((/** @type {string} */ name) => !name.startsWith('@node-rs/'));
    assert.deepEqual(unexpected, []);
  });

  it('leads from the service to every part', () => {
    const { metadata, components, dependencies } = readSbom();
    const reached = new Set([metadata.component['bom-ref']]);
    for (const ref of reached) {
      const { dependsOn = [] } = dependencies.find((/** @type {{ ref: string }} */ one) => one.ref === ref);
      for (const next of dependsOn) reached.add(next);
    }
    assert.equal(reached.size, components.length + 1);
  });
});

/** @returns {{ name: string, version: string }[]} the parts whose code or data the package contains */
function bundledParts() {
  const property = 'cdx:npm:package:bundled';
  return readSbom()
    .components.filter((/** @type {Component} */ { properties = [] }) =>
      properties.some(({ name }) => name === property),
    )
    .map((/** @type {Component} */ component) => ({ name: nameOf(component), version: component.version }));
}

/** @typedef {{ group?: string, name: string, version: string, properties?: { name: string }[] }} Component */

/** @param {Component} component */
function nameOf({ group, name }) {
  return group === undefined ? name : `${group}/${name}`;
}

function readSbom() {
  return readJson(join(clone, 'dist/sbom.cdx.json'));
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {string} file */
function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
