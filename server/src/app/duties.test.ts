// The duties of a node: the cleanup, and what its stop waits for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createManualClock } from '../../test/support/clock.ts';
import { serviceErrors } from '../foundation/errors.ts';
import { dutiesOf, startWorks, stopWorks } from './duties.ts';

/** Starts the cleanup with these jobs. @returns its parts, and a function that lets its time come. */
function startCleanup(jobs: (() => Promise<void>)[]) {
  let task: () => unknown = () => {};
  const errors: unknown[] = [];
  const every = (_: number, given: () => unknown) => {
    task = given;
    return () => {
      task = () => {};
    };
  };
  const duties = dutiesOf({ jobs, duties: [] }, { ...createManualClock(), every }, (error) => errors.push(error));
  startWorks(duties);
  return { duties, errors, run: async () => void (await task()) };
}

describe('the cleanup', () => {
  it('runs one job after the other, also if one fails', async () => {
    const ran: string[] = [];
    const failure = new Error('down');
    const { errors, run } = startCleanup([async () => Promise.reject(failure), async () => void ran.push('second')]);
    await run();
    await run();
    assert.deepEqual(
      [ran, errors],
      [
        ['second', 'second'],
        [failure, failure],
      ],
    );
  });

  it('reports an outage once in a run, and other failures too', async () => {
    const outages = [serviceErrors.unavailable(), serviceErrors.unavailable(), serviceErrors.unavailable()];
    const failure = new Error('a bug');
    const [first, ...others] = outages;
    const all = [first, failure, ...others];
    const { errors, run } = startCleanup(all.map((error) => async () => Promise.reject(error)));
    await run();
    assert.deepEqual(errors, [first, failure]);
    await run();
    assert.deepEqual(errors, [first, failure, first, failure]);
  });

  it('stops when the job under way has ended, and begins no other one', async () => {
    const ran: string[] = [];
    const held = Promise.withResolvers<void>();
    const { duties, run } = startCleanup([
      async () => {
        await held.promise;
        ran.push('first');
      },
      async () => void ran.push('second'),
    ]);
    const running = run();
    const stopped = stopWorks(duties).then(() => ran.push('stopped'));
    await new Promise(setImmediate);
    assert.deepEqual(ran, [], 'the stop waits for the job');
    held.resolve();
    await Promise.all([running, stopped]);
    await run();
    assert.deepEqual(ran, ['first', 'stopped']);
  });

  it('stops at once on a node that has not started it', async () => {
    await stopWorks(dutiesOf({ jobs: [], duties: [] }, createManualClock(), () => assert.fail()));
  });
});
