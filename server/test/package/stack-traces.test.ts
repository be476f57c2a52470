// Stack traces of the bundle: the log, and what Node prints when the process crashes, name the service's sources.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../support/guide.ts';
import { startInVain, startProcess } from '../support/process.ts';

const LOOK_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'latchkey-traces-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes an extension that calls a function of the service. @returns the options of a service with it. */
function extensionThat(name: string, call: string) {
  const extension = join(folder, name);
  writeFileSync(extension, `export function initialize(context) {\n  ${call}\n}\n`);
  return { env: { LATCHKEY_EXTENSIONS: extension } };
}

/** Returns the line of the source that the first frame of a stack names. */
function lineOfFirstFrame(stack: string): string | undefined {
  const [, file = '', line] = /^ +at [^\n]*\((server\/src\/[\w/.-]+\.ts):(\d+)\)$/m.exec(stack) ?? [];
  return file && readFileSync(join(root, file), 'utf8').split('\n')[Number(line) - 1];
}

describe('a stack trace of the bundle', () => {
  it('names the sources in the log', async () => {
    const service = await startProcess(
      extensionThat('listening.mjs', 'context.subscribe(() => context.registerChannel({}));'),
    );
    const lines = () => service.output().split('\n');
    const find = () => lines().find((line) => line.includes('failed to listen'));
    while (!find()) await sleep(LOOK_MS);
    const { err } = JSON.parse(find() ?? '');
    assert.match(String(lineOfFirstFrame(err.stack)), /throw new Error\('initialize has ended/);
    assert.match(err.stack, /listening\.mjs:2:/);
    assert.doesNotMatch(err.stack, /service-/);
    await service.stop();
  });

  it('names the sources when the process crashes', async () => {
    const options = extensionThat('crashing.mjs', 'setTimeout(() => context.registerChannel({}), 100);');
    const { code, output } = await startInVain({ ...options, dataDir: join(folder, 'data') });
    assert.equal(code, 1);
    assert.match(String(lineOfFirstFrame(output)), /throw new Error\('initialize has ended/);
  });

  it('names the sources of the cause of a crash', async () => {
    const call = `setTimeout(() => {
      try { context.registerChannel({}); } catch (cause) { throw new Error('outer', { cause }); }
    }, 100);`;
    const options = extensionThat('causing.mjs', call);
    const { code, output } = await startInVain({ ...options, dataDir: join(folder, 'data') });
    assert.equal(code, 1);
    assert.match(String(lineOfFirstFrame(output)), /throw new Error\('initialize has ended/);
  });

  it('shows the error of a crash even if its stack cannot be read', async () => {
    const call = `const error = Object.defineProperty(new Error('shown'), 'stack', { get() { throw new Error('unreadable'); } });
      setTimeout(() => { throw error; }, 100);`;
    const { code, output } = await startInVain({ ...extensionThat('odd.mjs', call), dataDir: join(folder, 'data') });
    assert.equal(code, 1, output);
  });
});
