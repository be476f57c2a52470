// The answers of refreshes in the memory of a process.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machine } from '../verify/system.ts';
import type { SessionStore } from './interface.ts';
import { createMemoryStore, createRefreshes } from './refreshes.ts';
import { createSeals } from './seal.ts';
import type { Held } from './tokens.ts';

it('are kept for their time, and not returned later though nothing has replaced them', async () => {
  let elapsed = 0;
  const store = createMemoryStore({ ...machine, elapsed: () => elapsed });
  await store.set('key', 'answer', 30);
  elapsed = 29_999;
  assert.equal(await store.get('key'), 'answer');
  elapsed = 30_000;
  assert.equal(await store.get('key'), undefined);
});

it('are kept until a request gets them, at most while the old token is valid, and 30 seconds from then', async () => {
  const old = { token: `e30.${Buffer.from('{"exp":600}').toString('base64url')}.` };
  let milliseconds = 0;
  const system = { ...machine, now: () => milliseconds, elapsed: () => milliseconds };
  const open = () => {
    let fresh: Held | undefined = { token: 'fresh' };
    const refresh = async () => {
      const given = fresh;
      fresh = undefined;
      return given;
    };
    const service = { outliveToken: true, refresh, isOpen: async () => true, end: async () => undefined };
    return createRefreshes(service, createSeals('a secret of at least thirty-two characters'), undefined, system);
  };
  const at = async (seconds: number, refreshes: ReturnType<typeof open>, isWaiting = true) => {
    milliseconds = seconds * 1000;
    return (await refreshes.refresh(old, {}, () => isWaiting))?.token;
  };
  const claimed = open();
  await at(0, claimed, false);
  assert.deepEqual(
    [await at(599, claimed), await at(628, claimed), await at(629, claimed)],
    ['fresh', 'fresh', undefined],
  );
  const late = open();
  await at(0, late, false);
  assert.equal(await at(600, late), undefined);
  const near = open();
  await at(590, near, false);
  assert.equal(await at(619, near), 'fresh');
});

const SECRETS = ['a former secret of at least 32 characters', 'a new secret of at least thirty-two characters'];

/** Two processes on one store, while the secret is replaced: each encrypts with another one. The service exchanges the old tokens once. */
function openTwo(outliveToken: boolean) {
  let milliseconds = 0;
  const shared = Promise.withResolvers<void>();
  const system = {
    ...machine,
    now: () => milliseconds,
    elapsed: () => milliseconds,
    // The next look follows once the store has an answer, and the store never takes too long.
    after(ms: number, task: () => void) {
      if (ms < 1000) void shared.promise.then(task);
      return () => undefined;
    },
  };
  let fresh: Held | undefined = { token: 'fresh' };
  const refresh = async () => {
    const given = fresh;
    fresh = undefined;
    return given;
  };
  const service = { outliveToken, refresh, isOpen: async () => true, end: async () => undefined };
  const values = createMemoryStore(system);
  const store: SessionStore = {
    ...values,
    async set(...given) {
      await values.set(...given);
      shared.resolve();
    },
  };
  const open = (secrets: string[]) => createRefreshes(service, createSeals(secrets), store, system);
  const old = { token: `e30.${Buffer.from('{"exp":600}').toString('base64url')}.` };
  return {
    old,
    processes: [open(SECRETS), open(SECRETS.toReversed())] as const,
    moveTo(seconds: number) {
      milliseconds = seconds * 1000;
    },
  };
}

it('are shared by processes of which one encrypts with a new secret already, and the other not yet', async () => {
  for (const isReversed of [false, true]) {
    const { old, processes } = openTwo(false);
    const [one, other] = isReversed ? processes.toReversed() : processes;
    const answers = await Promise.all([one, other].map((refreshes) => refreshes?.refresh(old, {})));
    assert.deepEqual(answers, [{ token: 'fresh' }, { token: 'fresh' }]);
    assert.deepEqual(await other?.find(old), { token: 'fresh' });
  }
});

it('are kept for 30 seconds once a request got them from a process with another first secret', async () => {
  const { old, processes, moveTo } = openTwo(true);
  const [one, other] = processes;
  await one.refresh(old, {}, () => false);
  assert.deepEqual(await other.refresh(old, {}), { token: 'fresh' });
  moveTo(29);
  assert.deepEqual(await one.find(old), { token: 'fresh' });
  moveTo(30);
  assert.equal(await one.find(old), undefined);
});
