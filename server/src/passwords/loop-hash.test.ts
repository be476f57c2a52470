// Hash loops in threads: the main thread is free meanwhile, and a failure reaches the caller.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInThread } from './loop-hash.ts';

const loop = {
  kind: 'sha-crypt',
  digest: 'sha512',
  rounds: 1000,
  salt: Buffer.from('salt'),
  password: Buffer.from('a'),
} as const;

describe('a hash loop', () => {
  it('runs while the main thread does other work', async () => {
    let [turns, isRunning] = [0, true];
    const turn = () => {
      turns += 1;
      if (isRunning) setImmediate(turn);
    };
    turn();
    await runInThread({ ...loop, rounds: 20_000 });
    isRunning = false;
    assert.ok(turns > 100, `${turns} turns`);
  });

  it('may run beside others', async () => {
    const digests = await Promise.all(
      ['a', 'b', 'a'].map((text) => runInThread({ ...loop, password: Buffer.from(text) })),
    );
    assert.deepEqual(digests[0], digests[2]);
    assert.notDeepEqual(digests[0], digests[1]);
  });

  it('fails with the error of its thread', async () => {
    const unknown = { ...loop, digest: 'none' };
    // @ts-expect-error There is no such digest.
    await assert.rejects(runInThread(unknown), /Digest method not supported|Invalid digest/);
  });
});
