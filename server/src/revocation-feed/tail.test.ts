// The tail under load: a follower begins at once, and gets each page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { type Cursor, START } from './cursor.ts';
import type { FeedPage } from './page.ts';
import { createTail } from './tail.ts';

const end: Cursor = { ...START, epoch: 'e', running: [] };
const page: FeedPage = { items: [], next: 'e-0-0', complete: true };
const onError = (error: unknown) => assert.fail(String(error));

test('a follower begins while revocations are committed without a pause', async () => {
  const COMMITS = 50;
  let pauses = 0;
  const clock = {
    ...createManualClock(),
    async sleep() {
      pauses += 1;
      if (pauses < COMMITS) tail.wake();
      await nextTurn();
    },
  };
  const tail = createTail({ readEnd: async () => end, readOn: async () => ({ page, end }), clock, onError });
  let batches = 0;
  const next = () => {
    batches += 1;
  };
  const following = tail.follow({ next, end: () => {} });
  tail.wake();
  const leave = await following;
  assert.ok(pauses < 2, `the follower waited for ${pauses} reads`);
  while (pauses < COMMITS) await nextTurn();
  assert.ok(batches >= COMMITS - 2, `${batches} batches of ${COMMITS} reads`);
  leave();
  tail.stop();
});

test('a follower that cannot begin is told so, and leaves', async () => {
  const readEnd = () => Promise.reject(new Error('The database is down.'));
  const clock = createManualClock();
  const tail = createTail({ readEnd, readOn: async () => ({ page, end }), clock, onError });
  await assert.rejects(tail.follow({ next: () => {}, end: () => {} }), /The database is down/);
  assert.deepEqual(tail.state(), { followers: 0, age: undefined });
});
