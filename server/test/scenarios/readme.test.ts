// The README's tour, run as printed against a real service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startProcess } from '../support/process.ts';
import { itAtLength } from '../support/scale.ts';
import { createSettableClock } from '../support/settable-clock.ts';

const MARK = '---- end of block ----';
const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);

/** A shell that stays open from block to block. */
function startShell(env: Record<string, string>) {
  const shell = spawn('sh', ['-e'], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(shell, 'exit');
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  return {
    /** Runs a block. @returns its output. */
    async run(block: string): Promise<string> {
      output = '';
      shell.stdin.write(`${block}\necho '${MARK}'\n`);
      while (!output.includes(MARK)) {
        assert.equal(shell.exitCode, null, output);
        await Promise.race([once(shell.stdout, 'data'), ended]);
      }
      return output;
    },
    async end() {
      shell.stdin.end();
      await ended;
    },
  };
}

for (const [pace, seconds, declare] of [
  ['at once', 0, itAtLength],
  ['with a minute for each block', 61, it],
] as const) {
  declare(`the tour shows what the README says, read ${pace}`, async () => {
    const clock = createSettableClock();
    const service = await startProcess({ env: clock.env });
    const password = /^ {6}(\S+)$/m.exec(service.output())?.[1] ?? '';
    assert.match(password, /^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/, 'the generated password is printed');
    const shell = startShell({ BASE: service.url, ADMIN_PASSWORD: password });
    try {
      for (const [index, block] of blocks.entries()) {
        await clock.set(index * seconds);
        const output = await shell.run(block.replace(/^BASE=.*$/m, ''));
        for (const [, expected = ''] of block.matchAll(/^#=> (.*)$/gm)) {
          assert.ok(output.includes(expected), `expected ${expected} in:\n${output}`);
        }
      }
    } finally {
      await shell.end();
      await service.stop();
      clock.close();
    }
  });
}
