// The clock of a test server: it runs, and what becomes due when it is moved runs at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../foundation/clock.ts';
import { createTestClock } from './clock.ts';

const HOUR_MS = 3_600_000;

describe('the clock of a test server', () => {
  it('moves forward by what tests say, and runs besides', async () => {
    const clock = createTestClock();
    const [before, elapsed] = [clock.now(), clock.elapsed()];
    await clock.advance(3600);
    assert.ok(clock.now() - before >= HOUR_MS);
    assert.ok(clock.elapsed() - elapsed >= HOUR_MS);
    assert.ok(clock.now() - systemClock.now() <= HOUR_MS);
  });

  it('runs once what became due, and waits for it', async () => {
    const clock = createTestClock();
    const ran: string[] = [];
    const stops = [
      clock.every(HOUR_MS, async () => {
        await systemClock.sleep(0);
        ran.push('hourly');
      }),
      clock.every(2 * HOUR_MS, () => ran.push('every two hours')),
      clock.every(24 * HOUR_MS, () => ran.push('daily')),
    ];
    await clock.advance(3600);
    assert.deepEqual(ran, ['hourly']);
    await clock.advance(1800);
    assert.deepEqual(ran, ['hourly'], 'an hour after its last run, not before');
    await clock.advance(70_000);
    assert.deepEqual(ran.toSorted(), ['every two hours', 'hourly', 'hourly']);
    for (const stop of stops) stop();
    await clock.advance(7 * 86_400);
    assert.equal(ran.length, 3);
  });

  it('goes on after a task that fails', async () => {
    const clock = createTestClock();
    let runs = 0;
    const stop = clock.every(HOUR_MS, () => {
      runs += 1;
      throw new Error('This task fails.');
    });
    await assert.rejects(clock.advance(3600), /This task fails/);
    await assert.rejects(clock.advance(3600), /This task fails/);
    assert.equal(runs, 2);
    stop();
  });

  it('wakes who sleeps until then', async () => {
    const clock = createTestClock();
    const slept = Promise.all([clock.sleep(HOUR_MS), clock.sleep(HOUR_MS / 2)]);
    await clock.advance(3600);
    await slept;
  });
});
