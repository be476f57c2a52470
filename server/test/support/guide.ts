// Code blocks of the guides, exactly as printed there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';

export const root = join(import.meta.dirname, '../../..');

/** The block of a guide whose first comment begins with this file's name, such as `acme.ts`. */
export function readGuideFile(guide: string, name: string): string {
  const text = readFileSync(join(root, 'docs/guide', guide), 'utf8');
  const blocks = [...text.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) => ['//', '#', '--'].some((mark) => block.startsWith(`${mark} ${name}`)));
  assert.equal(found.length, 1, `${guide} has one block that is ${name}`);
  return found[0] as string;
}

/**
 * Runs the statements of a guide as psql does, one after the other, in a session with the limit that the guide gives the role of the service.
 * Fails unless the first statement lifts it: any other may take longer.
 */
export async function runGuideStatements(client: pg.Client, block: string): Promise<void> {
  await client.query("set statement_timeout = '1100ms'");
  const [first = '', ...others] = block.trim().split(/;\s*/).filter(Boolean);
  await client.query(first);
  const { rows } = await client.query('show statement_timeout');
  assert.deepEqual(rows, [{ statement_timeout: '0' }], first);
  for (const statement of others) await client.query(statement);
}

/** The commands of the block of a guide that opens with this comment, one per line. */
export function readGuideCommands(guide: string, title: string): string[] {
  const text = readFileSync(join(root, 'docs/guide', guide), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n# (.*)\n((?:.+\n)+?)```/gm)];
  const found = blocks.filter(([, comment]) => comment === title);
  assert.equal(found.length, 1, `${guide} has one block that says how to ${title}`);
  return (found[0]?.[2] ?? '').trim().split('\n');
}

/**
 * Fails unless these TypeScript files type-check in their folder, set up to find the checkout as the guides say.
 * @param packages names of npm packages that the files import besides.
 */
export async function assertWellTyped(
  folder: string,
  files: readonly string[],
  packages: readonly string[] = [],
): Promise<void> {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'server'), join(folder, 'node_modules/latchkey'));
  for (const name of ['@types', ...packages]) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const compilerOptions = {
    module: 'nodenext',
    types: ['node'],
    strict: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  const compile = promisify(execFile)(process.execPath, [compiler, '--project', folder]);
  await compile.catch(({ stdout }) => assert.fail(stdout));
}
