// The log on an output that takes no lines.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, it } from 'node:test';
import { countEntries, createLogger, openOutput } from './log.ts';

describe('a log on a full disk', () => {
  it('neither ends the process nor keeps it from ending, and still counts entries', async () => {
    const descriptor = openSync('/dev/full', 'w');
    const output = openOutput(descriptor);
    const log = createLogger('info', output);
    for (let time = 1; time <= 2; time += 1) {
      const failed = once(output, 'error');
      log.warn('nobody reads this');
      const [error] = await failed;
      assert.equal(error.code, 'ENOSPC');
      assert.equal(countEntries(log).get('warn'), time);
    }
    output.flushSync();
    closeSync(descriptor);
  });
});
