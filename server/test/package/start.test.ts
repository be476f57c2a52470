// What the start loads: no part of Node or of the bundle that only some services need. Each takes time and memory of all services.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../support/guide.ts';
import { startProcess } from '../support/process.ts';

const LOOK_MS = 20;
const bundle = join(root, 'dist/package/server');

const folder = mkdtempSync(join(tmpdir(), 'latchkey-start-'));
after(() => rmSync(folder, { recursive: true }));

describe('the start of the service', () => {
  it('loads neither fetch nor HTTP/2', async () => {
    const extension = join(folder, 'listing.mjs');
    writeFileSync(
      extension,
      `export const initialize = ({ log }) => {
         process.on('SIGUSR2', () => log.info('loaded', { modules: process.moduleLoadList }));
       };`,
    );
    const service = await startProcess({ env: { LATCHKEY_EXTENSIONS: extension } });
    service.child.kill('SIGUSR2');
    const find = () =>
      service
        .output()
        .split('\n')
        .find((line) => line.includes('"loaded"'));
    while (!find()) await sleep(LOOK_MS);
    const { modules } = JSON.parse(find() ?? '');
    const unwanted = /^NativeModule (internal\/deps\/undici\/undici|internal\/http2\/core)$/;
    assert.deepEqual(
      modules.filter((name: string) => unwanted.test(name)),
      [],
    );
    assert.ok(modules.includes('NativeModule http'), 'the list has other names than it had');
    await service.stop();
  });

  it('reads a bundle of ASCII', () => {
    // Without the modules that are kept of the build before.
    const own: string[] = JSON.parse(readFileSync(join(bundle, '.modules.json'), 'utf8'));
    const files = own.filter((name) => /^service-[\w-]+\.js$/.test(name));
    assert.ok(files.length > 0);
    for (const name of files) {
      const beyond = readFileSync(join(bundle, name)).findIndex((byte) => byte > 0x7f);
      assert.equal(beyond, -1, `${name}: one other character doubles the memory of the whole file`);
    }
  });
});
