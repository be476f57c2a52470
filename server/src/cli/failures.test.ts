// Failures of the system in one line: what it was, and what to check.
import assert from 'node:assert/strict';
import { dirname, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { serviceErrors } from '../foundation/errors.ts';
import { UnsealError } from '../foundation/secrets.ts';
import { explain } from './failures.ts';

const systemError = (code: string, text: string, more: { syscall: string; path?: string }) =>
  Object.assign(new Error(`${code}: ${text}, ${more.syscall}`), { code, ...more });

describe('a failure of the system', () => {
  it('names the data directory for its own paths only', async () => {
    const data = resolve(process.env.LATCHKEY_DATA_DIR?.trim() || 'data');
    for (const [path, check] of [
      [data, 'LATCHKEY_DATA_DIR and its owner'],
      [`${data}/secret`, 'LATCHKEY_DATA_DIR and its owner'],
      [dirname(data), 'LATCHKEY_DATA_DIR and its owner'],
      [`${data}-other`, 'the path and its permissions'],
      ['/tmp/latchkey-import-x', 'the path and its permissions'],
    ] as const) {
      const told = await explain(systemError('EACCES', 'permission denied', { syscall: 'open', path }));
      assert.equal(told, `Cannot use ${path}: EACCES: permission denied. Check ${check}.`);
    }
  });

  it('says that a disk is full, also where the system names no path', async () => {
    const told = await explain(systemError('ENOSPC', 'no space left on device', { syscall: 'write' }));
    assert.equal(told, 'No space is left on a disk (ENOSPC): free up space, and try again.');
  });

  it('says that another transaction was in the way, and does not doubt the address', async () => {
    for (const code of ['57014', '55P03', '40P01', '40001']) {
      const cause = Object.assign(new Error('deadlock detected'), { code });
      const told = await explain(serviceErrors.unavailable({ cause }));
      assert.match(told, /did not answer in time \(deadlock detected\)\..* another transaction holds/, code);
    }
    const cause = Object.assign(new Error('password authentication failed'), { code: '28P01' });
    assert.match(await explain(serviceErrors.unavailable({ cause })), /that address, user and password are right/);
  });

  it('says what a lost LATCHKEY_SECRET has sealed', async () => {
    const told = await explain(new UnsealError(undefined, 'The secret of the app'));
    assert.match(told, /^The secret of the app was changed, or sealed .* LATCHKEY_SECRET was lost, see "Signing keys"/);
  });
});
