// The tail under load: a follower begins at once, and gets each page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { type Batch, createTail, type FeedPage, type Reading as ReadingOf } from './tail.ts';

type Cursor = { readonly place: number };
type Reading = ReadingOf<Cursor, object>;

const end: Cursor = { place: 0 };
const page: FeedPage<object> = { items: [], next: 'e-0-0', complete: true };
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
  const readOn = async () => {
    await nextTurn();
    return { page, end };
  };
  const tail = createTail({ readEnd: async () => end, readOn, clock, onError });
  let batches = 0;
  const next = () => {
    batches += 1;
  };
  const following = tail.follow({ next, end: () => {} });
  tail.wake();
  const leave = await following;
  assert.ok(pauses < 2, `the follower waited for ${pauses} reads`);
  for (let turn = 0; pauses < COMMITS; turn += 1) {
    assert.ok(turn < 100 * COMMITS, 'the tail pauses after each read');
    await nextTurn();
  }
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
  /** Where the feed ends when the next followers begin. */
  const ends: Promise<Cursor>[] = [];
  /** The cursors of the reads. */
  const asked: Cursor[] = [];
  const tail = createTail({
    readEnd: async () => ends.shift() ?? end,
    async readOn(cursor) {
      asked.push(cursor);
      await nextTurn();
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
  const heard: (Batch<object> | 'end')[] = [];
  const follower = { next: (batch: Batch<object>) => void heard.push(batch), end: () => void heard.push('end') };
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  };
  const countReads = () => asked.length;
  return { tail, clock, errors, pauses, polls, answers, ends, asked, heard, follower, settle, countReads };
}
const endAt = (place: number): Cursor => ({ place });
const known = (next: string, complete: boolean): Reading => ({ page: { items: [], next, complete }, end });

test('a tail reads ten times a second, for followers only', async () => {
  const { tail, polls, pauses, heard, follower, settle, countReads } = createObserved();
  tail.wake();
  await settle();
  assert.deepEqual([countReads(), pauses], [0, []], 'the first follower would wait for a pause');
  const leave = await tail.follow(follower);
  const leaveToo = await tail.follow({ ...follower });
  assert.deepEqual(
    polls.map(({ milliseconds }) => milliseconds),
    [100],
  );
  const poll = polls[0]?.poll();
  await settle();
  assert.deepEqual([countReads(), heard.length], [1, 2]);
  await poll;
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

test('a follower that begins during a read for former ones gets nothing that they had', async () => {
  const { tail, answers, ends, heard, follower, settle } = createObserved();
  const [read, begun] = [Promise.withResolvers<Reading | undefined>(), Promise.withResolvers<Cursor>()];
  ends.push(Promise.resolve(endAt(1)), begun.promise);
  const leave = await tail.follow({ ...follower });
  answers.push(() => read.promise);
  tail.wake();
  await settle();
  leave();
  const following = tail.follow(follower);
  await settle();
  read.resolve({ page: { ...page, next: 'of former followers' }, end: endAt(2) });
  await settle();
  assert.equal(heard.length, 0);
  begun.resolve(endAt(2));
  await following;
  tail.wake();
  await settle();
  assert.deepEqual(
    heard.map((batch) => batch !== 'end' && batch.page.next),
    [page.next],
  );
});

test('a follower that begins during a read for former ones is not ended by it', async () => {
  const { tail, answers, ends, heard, follower, settle } = createObserved();
  const read = Promise.withResolvers<Reading | undefined>();
  ends.push(Promise.resolve(endAt(1)), Promise.resolve(endAt(2)));
  const leave = await tail.follow({ ...follower });
  answers.push(() => read.promise);
  tail.wake();
  await settle();
  leave();
  await tail.follow(follower);
  read.resolve(undefined);
  await settle();
  assert.deepEqual([heard, tail.state().followers], [[], 1]);
});

test('a tail reads on where the last page ended, and for a later follower where the feed ends then', async () => {
  const { tail, answers, ends, asked, follower, settle } = createObserved();
  const wake = async () => {
    tail.wake();
    await settle();
  };
  ends.push(Promise.resolve(endAt(1)), Promise.resolve(endAt(7)));
  const leave = await tail.follow(follower);
  answers.push(async () => ({ page, end: endAt(2) }));
  await wake();
  await wake();
  leave();
  await tail.follow(follower);
  await wake();
  assert.deepEqual(asked, [endAt(1), endAt(2), endAt(7)]);
});

test('a follower that joins others begins with them, without a query', async () => {
  const { tail, ends, asked, heard, follower, settle } = createObserved();
  ends.push(Promise.resolve(endAt(1)), Promise.resolve(endAt(2)));
  await tail.follow(follower);
  await tail.follow({ ...follower });
  assert.equal(ends.length, 1);
  tail.wake();
  await settle();
  assert.deepEqual([asked, heard.length], [[endAt(1)], 2]);
});

test('of followers that begin together, none misses what comes after the first has begun', async () => {
  const { tail, ends, asked, heard, follower, settle, clock } = createObserved();
  const [first, second] = [Promise.withResolvers<Cursor>(), Promise.withResolvers<Cursor>()];
  ends.push(first.promise, second.promise);
  const following = [tail.follow(follower), tail.follow({ ...follower })];
  tail.wake();
  await settle();
  assert.deepEqual(asked, [], 'nothing is read before the tail knows from where');
  first.resolve(endAt(1));
  await following[0];
  clock.advance(1);
  second.resolve(endAt(2));
  await following[1];
  tail.wake();
  await settle();
  assert.deepEqual([asked, heard.length], [[endAt(1)], 2]);
});

test('a follower that ended before it could begin leaves no cursor behind', async () => {
  const { tail, answers, ends, asked, heard, follower, settle } = createObserved();
  const late = Promise.withResolvers<Cursor>();
  ends.push(late.promise, Promise.resolve(endAt(2)), Promise.resolve(endAt(3)));
  const following = tail.follow(follower);
  await tail.follow({ ...follower });
  answers.push(async () => undefined);
  tail.wake();
  await settle();
  assert.deepEqual(heard, ['end', 'end']);
  late.resolve(endAt(1));
  await following;
  assert.deepEqual(tail.state(), { followers: 0, age: undefined });
  await tail.follow(follower);
  tail.wake();
  await settle();
  assert.deepEqual(asked, [endAt(2), endAt(3)]);
});
