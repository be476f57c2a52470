// Workers: what LATCHKEY_WORKERS may be, and how the machine is divided.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EnvironmentError } from './environment-error.ts';
import { readWorkers, shareOf } from './workers.ts';

const postgres = 'postgres://latchkey@db/latchkey';
const read = (LATCHKEY_WORKERS?: string, LATCHKEY_DATABASE_URL?: string) =>
  readWorkers({ LATCHKEY_WORKERS, LATCHKEY_DATABASE_URL }, 6);

describe('LATCHKEY_WORKERS', () => {
  it('is 1 by default, a number, or one for each core', () => {
    assert.deepEqual([read(undefined, postgres), read(' ', postgres), read('1', postgres)], [1, 1, 1]);
    assert.deepEqual([read(' 3 ', postgres), read('64', ` ${postgres}`), read('auto', postgres)], [3, 64, 6]);
    assert.equal(readWorkers({ LATCHKEY_WORKERS: 'auto', LATCHKEY_DATABASE_URL: postgres }, 200), 64);
  });

  it('is 1 with the embedded database, which has one writer', () => {
    for (const url of [undefined, '', 'sqlite:data/latchkey.db']) {
      assert.deepEqual([read(undefined, url), read('1', url), read('auto', url)], [1, 1, 1]);
      assert.throws(() => read('2', url), {
        name: 'EnvironmentError',
        message: /^LATCHKEY_WORKERS is 2, but only one process can write .* set LATCHKEY_WORKERS to 1 or auto, or use/,
      });
    }
  });

  for (const wrong of ['0', '65', '-1', '1.5', '1e1', '0x2', 'AUTO', 'two', '2 3', '999999999999']) {
    it(`is not ${wrong}`, () => {
      assert.throws(
        () => read(wrong, postgres),
        (error) => {
          assert.ok(error instanceof EnvironmentError);
          assert.equal(error.message, `LATCHKEY_WORKERS is "${wrong}", but must be auto, or a number from 1 to 64.`);
          return true;
        },
      );
    });
  }
});

describe('the share of a worker', () => {
  it('is the whole machine for one, and each has one hash thread more than its share of the cores', () => {
    assert.deepEqual(shareOf(1, 8), { hashThreads: 9, connections: 10 });
    assert.deepEqual(shareOf(2, 8), { hashThreads: 5, connections: 5 });
    assert.deepEqual(shareOf(3, 8), { hashThreads: 4, connections: 4 });
    assert.deepEqual(shareOf(16, 8), { hashThreads: 2, connections: 2 });
  });
});
