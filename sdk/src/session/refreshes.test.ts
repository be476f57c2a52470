// The answers of refreshes in the memory of a process.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machine } from '../verify/system.ts';
import { createMemoryStore } from './refreshes.ts';

it('are kept for their time, and not returned later though nothing has replaced them', async () => {
  let elapsed = 0;
  const store = createMemoryStore({ ...machine, elapsed: () => elapsed });
  await store.set('key', 'answer', 30);
  elapsed = 29_999;
  assert.equal(await store.get('key'), 'answer');
  elapsed = 30_000;
  assert.equal(await store.get('key'), undefined);
});
