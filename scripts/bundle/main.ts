// Builds the package into a folder: the service as one bundle with lazy chunks, the pages, the SDK, and the types.
import { type CopySyncOptions, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { type ChunkingContext, type CodeSplittingGroup, rolldown } from 'rolldown';
import { root } from '../layout.mjs';
import { describeLicenses } from './licenses.ts';
import { failOnWarning, packageOf, packagesIn } from './packages.ts';
import { buildSdk, describeEntries } from './sdk.ts';
import { shortenSourceMaps } from './source-maps.ts';

const manifest = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));

/** Packages with native code. A bundle cannot contain them, so npm installs them as dependencies. */
export const native = ['@node-rs/argon2', '@node-rs/bcrypt'];

/**
 * Fills the empty folder `target` with the package.
 * @param pages the folder of the built pages
 * @returns the folders of the npm packages whose code or data the package contains
 */
export async function buildPackage(target: string, pages: string): Promise<string[]> {
  const inService = await bundleService(target);
  const inSdk = await buildSdk(join(target, 'sdk'), manifest.repository);
  const inPages = readdirSync(join(pages, '.packages')).flatMap((file): string[] =>
    JSON.parse(readFileSync(join(pages, '.packages', file), 'utf8')),
  );
  const data = copyFiles(target, pages);
  const packages = [...new Set([...inService, ...inSdk, ...inPages, ...data])];
  writeFileSync(join(target, 'THIRD-PARTY-LICENSES.md'), describeLicenses(packages));
  writeManifest(target);
  return packages;
}

/** Modules that packages import for features that the service does not use, and what replaces them. */
const unused = join(root, 'scripts/bundle/unused.ts');
const replaced = {
  // Fastify: HTTP/2, requests without a network, validation by JSON Schema.
  'node:http2$': unused,
  'light-my-request$': unused,
  '@fastify/ajv-compiler$': unused,
  // @fastify/static: lists of files.
  glob$: unused,
  // @fastify/send: rare types of files.
  mime$: 'mime/lite',
};

const commandLine = 'server/src/cli/main.ts';

/** Runs in a thread of its own, which needs nothing else. */
const hashThread = 'server/src/passwords/hash-thread.ts';

/** What `latchkey verifier` loads. */
const verifier = ['server/src/verifier/environment.ts', 'server/src/verifier/main.ts', 'server/src/app/log.ts'];

/**
 * All modules that every service loads, in two files: a file more takes a millisecond more at the start. The verifier loads
 * only the smaller one.
 */
const serviceChunks: CodeSplittingGroup = {
  debugName: 'service',
  tags: ['$initial'],
  name(id, context) {
    const isLoadedBy = (module: string) => findStaticImports(join(root, module), context).has(id);
    if (isLoadedBy(commandLine) || isLoadedBy(hashThread)) return null;
    return verifier.some(isLoadedBy) ? 'shared' : 'service';
  },
};

/** Returns the module and all modules that are loaded with it: here, those of a command line that only shows its help. */
function findStaticImports(id: string, context: ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) findStaticImports(imported, context, found);
  return found;
}

/** Returns the text with `e` for `é`, and `?` for a character without such a letter. */
const toAscii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{ASCII}]/gu, '?');

async function bundleService(target: string) {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: {
      main: commandLine,
      service: 'server/src/app/main.ts',
      extension: 'server/src/extensions/index.ts',
      'hash-thread': hashThread,
    },
    // pg tries pg-native, and runs without it.
    external: [...native, 'pg-native'],
    resolve: { alias: replaced },
    preserveEntrySignatures: 'allow-extension',
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    dir: join(target, 'server'),
    format: 'esm',
    sourcemap: true,
    // Paths from the checkout, wherever the target is: stack traces show them, and two builds are identical.
    sourcemapPathTransform: (source, map) => relative(root, resolve(map, '..', source)),
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [serviceChunks], includeDependenciesRecursively: false },
    // A script with one other character takes twice the memory. A licence's comment keeps them otherwise.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    plugins: [{ name: 'ascii-comments', renderChunk: (code) => ({ code: toAscii(code), map: null }) }],
  });
  await bundle.close();
  shortenSourceMaps(join(target, 'server'));
  return packagesIn(output);
}

/** Options for copies. Hidden files, such as an administrator's .env or those of an editor, are no part of the package. */
const visible: CopySyncOptions = { recursive: true, filter: (file) => !basename(file).startsWith('.') };

/** Copies what needs no bundler, and returns the folders of the npm packages that it comes from. */
function copyFiles(target: string, pages: string) {
  const passwords = createRequire(join(root, 'server/package.json')).resolve(
    '@zxcvbn-ts/language-common/src/passwords.json',
  );
  mkdirSync(join(target, 'words'), { recursive: true });
  cpSync(passwords, join(target, 'words/common-passwords.json'));
  cpSync(pages, join(target, 'pages'), visible);
  cpSync(join(root, 'server/extension.d.ts'), join(target, 'extension.d.ts'));
  for (const name of ['latchkey.mjs', 'README.md']) cpSync(join(root, 'scripts/bundle', name), join(target, name));
  for (const name of ['CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'docs']) {
    cpSync(join(root, name), join(target, name), visible);
  }
  // By name: an administrator's files may lie beside them.
  for (const name of ['Caddyfile', 'compose.yaml', 'kubernetes', 'latchkey.env', 'systemd']) {
    cpSync(join(root, 'deploy', name), join(target, 'deploy', name), visible);
  }
  return [packageOf(passwords) as string];
}

function writeManifest(target: string) {
  const { name, version, description, keywords, license, repository, engines, dependencies } = manifest;
  const published = {
    name,
    version,
    description,
    keywords,
    license,
    repository,
    type: 'module',
    engines,
    bin: { latchkey: 'latchkey.mjs' },
    exports: {
      './extension': { types: './extension.d.ts', default: './server/extension.js' },
      ...describeEntries('./client', './sdk'),
      './package.json': './package.json',
    },
    rollsFrom: JSON.parse(readFileSync(join(root, 'scripts/former-version.json'), 'utf8')),
    files: [
      'CHANGELOG.md',
      'SECURITY.md',
      'THIRD-PARTY-LICENSES.md',
      'deploy',
      'docs',
      'extension.d.ts',
      'latchkey.mjs',
      'pages',
      'sdk',
      'server',
      'words',
    ],
    dependencies: Object.fromEntries(native.map((one) => [one, dependencies[one]])),
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
}

if (import.meta.main) await buildPackage(resolve(process.argv[2] as string), join(root, 'web/dist'));
