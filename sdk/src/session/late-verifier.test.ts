// A verifier that is created at the first token.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claims, TokenRejected, type Verifier } from '../verify/interface.ts';
import { machine } from '../verify/system.ts';
import { createLateVerifier } from './late-verifier.ts';

/** Returns a late verifier, how often it was created, and what becomes of it. `expire` lets the time for a call pass. */
function start() {
  const readiness: PromiseWithResolvers<void>[] = [];
  const timers = new Set<() => void>();
  let created = 0;
  let isStale = true;
  const verifier: Verifier = {
    get isStale() {
      return isStale;
    },
    ready() {
      const next = Promise.withResolvers<void>();
      readiness.push(next);
      return next.promise;
    },
    async verify(token) {
      if (isStale) throw new TokenRejected('stale', 'stale');
      return { sub: token } as Claims;
    },
    close() {},
  };
  const after = (_milliseconds: number, task: () => void) => {
    timers.add(task);
    return () => void timers.delete(task);
  };
  const late = createLateVerifier(
    () => {
      created += 1;
      return verifier;
    },
    { ...machine, after },
  );
  return {
    late,
    created: () => created,
    becomeReady() {
      isStale = false;
      for (const { resolve } of readiness) resolve();
    },
    refuse: (message: string) => readiness.at(-1)?.reject(new Error(message)),
    expire() {
      for (const task of timers) task();
    },
    timers,
  };
}

describe('a verifier that is created late', () => {
  it('is created once, at the first token, and tokens wait until it is ready', async () => {
    const { late, created, becomeReady, timers } = start();
    assert.equal(created(), 0);
    const verified = ['1', '2'].map((token) => late.verify(token));
    becomeReady();
    assert.deepEqual(
      (await Promise.all(verified)).map(({ sub }) => sub),
      ['1', '2'],
    );
    assert.equal((await late.verify('3')).sub, '3');
    assert.deepEqual([created(), timers.size], [1, 0]);
  });

  it('tells that the service refuses its key, and is waited for again', async () => {
    const { late, created, becomeReady, refuse } = start();
    const refused = late.verify('1');
    refuse('The service refuses the service key.');
    await assert.rejects(refused, /refuses the service key/);
    const verified = late.verify('2');
    becomeReady();
    assert.equal((await verified).sub, '2');
    assert.equal(created(), 1);
  });

  it('tells a refusal that comes after the wait to the next token', async () => {
    const { late, refuse, expire } = start();
    const waiting = late.verify('1');
    expire();
    await assert.rejects(waiting, { reason: 'stale' });
    refuse('The service refuses the service key.');
    await new Promise(setImmediate);
    const refused = late.verify('2');
    refuse('The service refuses the service key.');
    await assert.rejects(refused, /refuses the service key/);
  });

  it('is waited for once: later tokens learn at once that it is stale', async () => {
    const { late, becomeReady, expire } = start();
    const waiting = late.verify('1');
    expire();
    await assert.rejects(waiting, { reason: 'stale' });
    await assert.rejects(late.verify('2'), { reason: 'stale' });
    becomeReady();
    assert.equal((await late.verify('3')).sub, '3');
  });
});
