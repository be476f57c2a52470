// The types of the extension API: an empty folder and the commands of the guide are enough for a strict compiler.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readGuideCommands, root } from '../support/guide.ts';
import { spread } from '../support/scale.ts';

const run = promisify(execFile);

/** Both compilers of the checkout: versions 7 and, at length, 6. Each must accept the modules with its default options. */
const compilers = ['@typescript/native/bin/tsc', 'typescript/bin/tsc6'].map((path) => join(root, 'node_modules', path));
const [newest = ''] = compilers;

const WRONG = `
  import { DeliveryError, type ExtensionContext } from 'latchkey/extension';
  export function initialize({ onExternalUserRegistering, log }: ExtensionContext): void {
    onExternalUserRegistering(() => 'maybe');
    log.debug('There is no such method.');
    throw new DeliveryError('lost', 'There is no such kind.');
  }`;

/** Runs `work` in an empty folder. */
async function inFolder(work: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-types-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes each module of these guides that begins with its file name. @returns the names. */
function writeModules(folder: string, guides = ['extensions.md', 'external-providers.md', 'delivery.md']): string[] {
  return guides.flatMap((guide) => {
    const text = readFileSync(join(root, 'docs/guide', guide), 'utf8');
    return [...text.matchAll(/^```ts\n(\/\/ (\w+\.ts)\b.*?)^```/gms)].map(([, code = '', name = '']) => {
      writeFileSync(join(folder, name), code);
      return name;
    });
  });
}

/** Returns what a strict compiler says about these files. */
async function compile(folder: string, files: readonly string[], compiler = newest, options: string[] = []) {
  const args = [compiler, '--strict', '--noEmit', '--pretty', 'false', ...options, ...files];
  const running = run(process.execPath, args, { cwd: folder });
  const end = await running.catch((failed: { stdout: string; stderr: string }) => failed);
  assert.equal(end.stderr, '', 'the compiler ran');
  return end.stdout;
}

describe('the types of extensions', () => {
  it('need the commands of the guide and nothing else', () =>
    inFolder(async (folder) => {
      const commands = readGuideCommands('extensions.md', 'link the types');
      assert.equal(commands.length, 2);
      await run('sh', ['-e', '-c', commands.join('\n').replaceAll('/opt/latchkey', root)], { cwd: folder });
      const names = writeModules(folder);
      assert.ok(names.length >= 7, `the guides have modules: ${names}`);
      for (const compiler of spread(compilers, 2)) assert.equal(await compile(folder, names, compiler), '', compiler);
      assert.equal(await compile(folder, names, newest, ['--module', 'nodenext', '--target', 'es2022']), '');
      writeFileSync(join(folder, 'wrong.ts'), WRONG);
      const errors = (await compile(folder, ['wrong.ts'])).match(/error TS\d+/g);
      assert.deepEqual(errors, ['error TS2322', 'error TS2339', 'error TS2345']);
    }));

  it('can be installed with npm in a folder that has packages', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'package.json'), '{}');
      const args = ['install', '--offline', '--no-audit', '--no-fund', '--save-dev', join(root, 'server')];
      await run('npm', args, { cwd: folder });
      assert.equal(await compile(folder, writeModules(folder)), '');
    }));

  it('are one file that needs none of the service’s sources or dependencies', () =>
    inFolder(async (folder) => {
      const installed = join(folder, 'node_modules/latchkey');
      mkdirSync(installed, { recursive: true });
      for (const file of ['package.json', 'extension.d.ts']) cpSync(join(root, 'server', file), join(installed, file));
      symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
      assert.equal(await compile(folder, writeModules(folder)), '');
    }));
});
