// Time limits: work that ends in time keeps its result; work that does not is aborted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualClock } from '../../test/support/clock.ts';
import { systemClock } from './clock.ts';
import { TimeLimitError, within } from './time-limit.ts';

const SECONDS = 10;

/** Waits enough turns of the event loop for all pending work. */
async function settle() {
  for (let turns = 0; turns < 50; turns++) await nextTurn();
}

/** A clock that counts its sleepers. */
function createCountingClock() {
  const clock = createManualClock();
  let sleeps = 0;
  const sleep = (milliseconds: number) => {
    sleeps += 1;
    return clock.sleep(milliseconds);
  };
  return { ...clock, sleep, sleeps: () => sleeps };
}

describe('work within its time', () => {
  it('returns its result, or rejects with its error, also before it first waits', async () => {
    const clock = createManualClock();
    assert.equal(await within(SECONDS, clock, async () => 'done'), 'done');
    await assert.rejects(
      within(SECONDS, clock, () => Promise.reject(new RangeError('no luck'))),
      /^RangeError: no luck$/,
    );
    await assert.rejects(
      within(SECONDS, clock, () => {
        throw new RangeError('no start');
      }),
      /^RangeError: no start$/,
    );
  });

  it('is no longer watched once it has ended, and its signal is never aborted', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const clock = createCountingClock();
      const ended = Promise.withResolvers<void>();
      let signal: AbortSignal | undefined;
      const result = within(SECONDS, clock, (given) => {
        signal = given;
        return ended.promise;
      }).catch(() => {});
      await settle();
      assert.ok(clock.sleeps() > 1, 'it was watched');
      ended[end]();
      await result;
      const sleeps = clock.sleeps();
      clock.advance(2 * SECONDS);
      await settle();
      assert.deepEqual([clock.sleeps(), signal?.aborted], [sleeps, false]);
    }
  });

  it('may end just before the limit', async () => {
    const clock = createManualClock();
    const ended = Promise.withResolvers<string>();
    const result = within(SECONDS, clock, () => ended.promise);
    clock.advance(SECONDS - 0.001);
    await settle();
    ended.resolve('just so');
    assert.equal(await result, 'just so');
  });
});

describe('work beyond its time', () => {
  const beyond = { name: 'TimeLimitError', message: 'It took longer than 10 s.' };

  it('is aborted by its signal at the limit, not before', async () => {
    const clock = createManualClock();
    let signal: AbortSignal | undefined;
    let isOver = false;
    const result = within(SECONDS, clock, (given) => {
      signal = given;
      return new Promise(() => {});
    }).finally(() => {
      isOver = true;
    });
    const rejected = assert.rejects(result, beyond);
    clock.advance(SECONDS - 0.001);
    await settle();
    assert.deepEqual([isOver, signal?.aborted], [false, false]);
    clock.advance(0.001);
    await rejected;
    assert.ok(signal?.aborted && signal.reason instanceof TimeLimitError);
  });

  it('is aborted at the limit also when the clock was set back or forward', async () => {
    for (const seconds of [-3600, 3600]) {
      const clock = createManualClock();
      let isOver = false;
      const result = within(SECONDS, clock, () => new Promise(() => {})).finally(() => {
        isOver = true;
      });
      const rejected = assert.rejects(result, beyond);
      clock.set(seconds);
      clock.advance(SECONDS - 1);
      await settle();
      assert.equal(isOver, false);
      clock.advance(1);
      await settle();
      assert.equal(isOver, true);
      await rejected;
    }
  });

  it('has its result discarded, and its failure too', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const clock = createManualClock();
      const work = (signal: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          const ends = { resolve, reject: () => reject(new Error('too late to matter')) };
          signal.addEventListener('abort', () => ends[end]());
        });
      const rejected = assert.rejects(within(SECONDS, clock, work), beyond);
      clock.advance(SECONDS);
      await rejected;
    }
  });

  it('is aborted by the system clock as well', async () => {
    await assert.rejects(
      within(0.05, systemClock, () => new Promise(() => {})),
      { message: 'It took longer than 0.05 s.' },
    );
  });
});
