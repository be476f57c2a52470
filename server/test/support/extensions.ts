// Extensions for tests: modules in empty folders, loaded as the service loads them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { settingDefinitions } from '../../src/app/catalogue.ts';
import { createLogger } from '../../src/app/log.ts';
import type { ExtensionContext } from '../../src/extensions/index.ts';
import { ExtensionError, loadExtensions } from '../../src/extensions/load.ts';
import { createManualClock } from './clock.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A file in a new folder that holds nothing else: no package.json, no node_modules. @returns its path. */
export function writeExtension(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-extension-'));
  folders.push(folder);
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Loads modules as the service does. @returns what they registered, and the log lines, later ones included. */
export async function load(paths: string[], clock = createManualClock()) {
  const lines: Record<string, unknown>[] = [];
  const stream = new PassThrough().on('data', (line) => lines.push(JSON.parse(line)));
  const takenSettings = settingDefinitions.map(({ name }) => name);
  const { channels, ...additions } = await loadExtensions(paths, {
    log: createLogger('info', stream),
    clock,
    takenSettings,
  });
  return { channels, additions, lines };
}

/** The one error line with which loading these modules fails. */
export async function failure(paths: string[], clock?: ReturnType<typeof createManualClock>): Promise<string> {
  const error = await load(paths, clock).then(
    () => assert.fail('they were loaded'),
    (reason) => reason,
  );
  assert.ok(error instanceof ExtensionError, error.stack);
  assert.doesNotMatch(error.message, /[\r\n]|\bat .*:\d+:\d+/, 'one line, without a stack');
  return error.message;
}

/** A module that runs this code on initialization, with `context` in scope, and exports `context`. */
export function writeInitializing(body: string): string {
  return writeExtension(
    'extension.mjs',
    `import { ExternalAuthProviderApiBase } from 'latchkey/extension';
     class Api extends ExternalAuthProviderApiBase {
       async getUserInfoAsync() { return null; }
     }
     export let context;
     export async function initialize(given) {
       context = given;
       const { providers } = context.externalAuth;
       ${body}
     }`,
  );
}

/** What the module at this path exports, such as the context it received. */
export async function importExtension(path: string): Promise<{ context: ExtensionContext } & Record<string, unknown>> {
  return import(pathToFileURL(path).href);
}
