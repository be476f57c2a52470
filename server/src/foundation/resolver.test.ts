// The resolver: how long it remembers addresses, and what it asks again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { createResolver } from './resolver.ts';

/** A resolver whose nameserver gives another address at each answer. */
function build(ttl: number) {
  const clock = createManualClock();
  const asked: string[] = [];
  const failures: Error[] = [];
  const resolve = createResolver({
    clock,
    async ask(name) {
      asked.push(name);
      const [failure] = failures.splice(0, 1);
      if (failure) throw failure;
      return { addresses: [`192.0.2.${asked.length}`], ttl };
    },
  });
  return { clock, asked, failures, resolve };
}

describe('the resolver', () => {
  it('asks once for all who ask at the same time', async () => {
    const { asked, resolve } = build(0);
    const found = await Promise.all([resolve('a.example'), resolve('a.example'), resolve('b.example')]);
    assert.deepEqual(found, [['192.0.2.1'], ['192.0.2.1'], ['192.0.2.2']]);
    assert.deepEqual(asked, ['a.example', 'b.example']);
    assert.deepEqual(await resolve('a.example'), ['192.0.2.3'], 'a time to live of 0 is not remembered');
  });

  for (const [ttl, seconds] of [
    [20, 20],
    [86_400, 60],
  ] as const) {
    it(`remembers addresses for ${seconds} seconds if they hold for ${ttl}`, async () => {
      const { clock, resolve } = build(ttl);
      await resolve('a.example');
      clock.advance(seconds - 0.001);
      assert.deepEqual(await resolve('a.example'), ['192.0.2.1']);
      clock.advance(0.001);
      assert.deepEqual(await resolve('a.example'), ['192.0.2.2']);
    });
  }

  it('rejects for all who wait, and asks again', async () => {
    const { failures, resolve } = build(60);
    failures.push(new Error('no answer'));
    const [first, second] = await Promise.allSettled([resolve('a.example'), resolve('a.example')]);
    assert.deepEqual([first.status, second.status], ['rejected', 'rejected']);
    assert.deepEqual(await resolve('a.example'), ['192.0.2.2']);
  });

  it('finds a name of the hosts file', async () => {
    assert.ok((await createResolver()('localhost')).includes('127.0.0.1'));
  });
});
