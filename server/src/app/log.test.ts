// The log: which codes it shows, and an output that takes no lines.
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

describe('a line of the log', () => {
  function write(members: object) {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    createLogger('info', stream).info(members, 'something happened');
    return JSON.parse(lines.join(''));
  }
  const failed = (members: object) => write({ err: Object.assign(new Error('failed'), members) }).err;

  it('has the code of an error', () => {
    for (const code of ['ECONNREFUSED', 'ERR_INVALID_ARG_TYPE', 'CERT_HAS_EXPIRED', 'E2BIG', '57P01', '23505']) {
      assert.equal(failed({ code }).code, code);
    }
  });

  it('has no code that a person or a provider has given', () => {
    for (const code of ['123456', 'aBc-123', 'ABCDEF', 4711]) assert.equal(failed({ code }).code, '[redacted]');
    const { pin, token } = failed({ pin: '12345', token: 'ECONNREFUSED' });
    assert.deepEqual([pin, token], ['[redacted]', '[redacted]']);
    const { code, form } = write({ code: 'ECONNREFUSED', form: { code: 'ECONNREFUSED' } });
    assert.deepEqual([code, form], ['[redacted]', { code: '[redacted]' }]);
  });
});
