// The processes of workers: what happens when the system refuses to start one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** A script that says with which code the worker of this expression ends. */
const reportEnd = (variables: string, before: string) => `
  import { openSync, writeSync } from 'node:fs';
  import { forkWorker } from '${import.meta.resolve('./workers.ts')}';
  ${before}
  const worker = forkWorker(${variables}, ({ code }) => writeSync(1, 'refused with ' + code + ', '));
  worker.send({ kind: 'stop' });
  worker.kill('SIGTERM');
  worker.onExit((code, signal) => writeSync(1, 'ended with ' + code + ' ' + signal));`;

/** Keeps files open until the process may open no more. */
const openAll = `try { for (;;) openSync('/dev/null') } catch {}`;

describe('a worker that the system refuses to start', () => {
  for (const [error, variables, before] of [
    ['EMFILE', '{}', openAll],
    ['E2BIG', `{ LATCHKEY_WORKER: 'x'.repeat(8_000_000) }`, ''],
  ] as const) {
    it(`has failed, and the supervisor goes on: ${error}`, () => {
      const command = 'ulimit -n 256 && exec "$0" --input-type=module -e "$1" "$0"';
      const script = reportEnd(variables, before);
      const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
      assert.equal(stdout, `refused with ${error}, ended with 1 null`, stderr);
    });
  }
});
