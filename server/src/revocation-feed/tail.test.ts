// The tail under load: a follower begins at once, and gets each page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { type Cursor, START } from './cursor.ts';
import type { FeedPage } from './page.ts';
import { type Batch, createTail, type Reading } from './tail.ts';

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

/** A tail whose reads and pauses the test controls, and the batches that its follower gets. */
function createObserved() {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const pauses: number[] = [];
  const polls: { milliseconds: number; poll: () => unknown; isStopped: boolean }[] = [];
  /** What the next reads return. Without one, nothing is new. */
  const answers: (() => Promise<Reading | undefined>)[] = [];
  let reads = 0;
  const tail = createTail({
    readEnd: async () => end,
    async readOn() {
      reads += 1;
      const answer = answers.shift();
      return answer ? answer() : { page, end };
    },
    clock: {
      ...clock,
      async sleep(milliseconds) {
        pauses.push(milliseconds);
        await nextTurn();
      },
      every(milliseconds, poll) {
        const one = { milliseconds, poll, isStopped: false };
        polls.push(one);
        return () => {
          one.isStopped = true;
        };
      },
    },
    onError: (error) => errors.push(error),
  });
  const heard: (Batch | 'end')[] = [];
  const follower = { next: (batch: Batch) => void heard.push(batch), end: () => void heard.push('end') };
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  };
  return { tail, clock, errors, pauses, polls, answers, heard, follower, settle, countReads: () => reads };
}
const known = (next: string, complete: boolean): Reading => ({ page: { items: [], next, complete }, end });

test('a tail reads ten times a second, for followers only', async () => {
  const { tail, polls, heard, follower, settle, countReads } = createObserved();
  tail.wake();
  await settle();
  assert.equal(countReads(), 0);
  const leave = await tail.follow(follower);
  const leaveToo = await tail.follow({ ...follower });
  assert.deepEqual(
    polls.map(({ milliseconds }) => milliseconds),
    [100],
  );
  await polls[0]?.poll();
  await settle();
  assert.deepEqual([countReads(), heard.length], [1, 2]);
  leave();
  leave();
  assert.equal(polls[0]?.isStopped, false);
  leaveToo();
  assert.equal(polls[0]?.isStopped, true);
  assert.deepEqual(tail.state(), { followers: 0, age: undefined });
  tail.wake();
  await settle();
  assert.equal(countReads(), 1);
});

test('a tail reads page after page until nothing is new, and pauses then', async () => {
  const { tail, answers, pauses, heard, follower, settle, clock } = createObserved();
  await tail.follow(follower);
  clock.advance(2);
  assert.deepEqual(tail.state(), { followers: 1, age: 2000 });
  answers.push(async () => {
    clock.advance(1);
    return known('first', false);
  });
  answers.push(async () => known('second', true));
  tail.wake();
  await settle();
  const batches = heard.map((batch) => (batch === 'end' ? batch : [batch.page.next, batch.readAt]));
  assert.deepEqual(batches, [
    ['first', 2000],
    ['second', 3000],
  ]);
  assert.deepEqual(pauses, [10]);
  assert.deepEqual(tail.state(), { followers: 1, age: 0 });
});

test('a tail is as old as its last complete page', async () => {
  const { tail, answers, follower, settle, clock } = createObserved();
  await tail.follow(follower);
  answers.push(async () => known('first', false));
  answers.push(() => Promise.reject(new Error('fault')));
  clock.advance(3);
  tail.wake();
  await settle();
  assert.equal(tail.state().age, 3000);
});

test('a tail reads again when it was woken during a read or its pause', async () => {
  const { tail, answers, follower, settle, countReads } = createObserved();
  await tail.follow(follower);
  answers.push(async () => {
    await nextTurn();
    tail.wake();
    tail.wake();
    return known('woken', true);
  });
  tail.wake();
  await settle();
  assert.equal(countReads(), 2);
});

test('a tail that cannot read says so once, and goes on when it can', async () => {
  const { tail, answers, errors, heard, follower, settle } = createObserved();
  await tail.follow(follower);
  const fault = new Error('fault');
  for (let turn = 0; turn < 3; turn += 1) {
    answers.push(() => Promise.reject(fault));
    tail.wake();
    await settle();
  }
  assert.deepEqual([errors, heard], [[fault], []]);
  tail.wake();
  await settle();
  assert.equal(heard.length, 1);
  answers.push(() => Promise.reject(fault));
  tail.wake();
  await settle();
  assert.deepEqual(errors, [fault, fault]);
});

test('a tail whose cursor has lost its meaning ends its followers, and takes new ones', async () => {
  const { tail, answers, heard, polls, follower, settle } = createObserved();
  await tail.follow(follower);
  answers.push(async () => undefined);
  tail.wake();
  await settle();
  assert.deepEqual(heard, ['end']);
  assert.deepEqual([polls[0]?.isStopped, tail.state()], [true, { followers: 0, age: undefined }]);
  await tail.follow(follower);
  tail.wake();
  await settle();
  assert.equal(heard.length, 2);
});

test('a tail that has stopped has ended its followers, and takes none', async () => {
  const { tail, heard, polls, follower } = createObserved();
  await tail.follow(follower);
  tail.stop();
  assert.deepEqual([heard, polls[0]?.isStopped], [['end'], true]);
  await assert.rejects(tail.follow(follower), { reason: 'service.unavailable', retryAfterSeconds: 1 });
});

test('a tail discards the page of a read during which all followers have left', async () => {
  const { tail, answers, heard, follower, settle } = createObserved();
  const leave = await tail.follow(follower);
  answers.push(async () => {
    leave();
    return known('late', true);
  });
  tail.wake();
  await settle();
  assert.deepEqual([heard, tail.state()], [[], { followers: 0, age: undefined }]);
});
