// The README's tour, run as printed against a real service.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { startProcess } from '../support/process.ts';

const MARK = '---- end of block ----';
const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);

it('the tour shows what the README says', async () => {
  const service = await startProcess({});
  try {
    const password = /^ {6}(\S+)$/m.exec(service.output())?.[1] ?? '';
    assert.match(password, /^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/, 'the generated password is printed');
    const script = blocks.map((block) => `${block}\necho '${MARK}'\n`).join('');
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script.replace(/^BASE=.*$/m, '')], {
      env: { ...process.env, BASE: service.url, ADMIN_PASSWORD: password },
    });
    const outputs = stdout.split(MARK);
    assert.equal(outputs.length, blocks.length + 1);
    for (const [index, block] of blocks.entries()) {
      for (const [, expected = ''] of block.matchAll(/^#=> (.*)$/gm)) {
        assert.ok(outputs[index]?.includes(expected), `expected ${expected} in:\n${outputs[index]}`);
      }
    }
  } finally {
    await service.stop();
  }
});
