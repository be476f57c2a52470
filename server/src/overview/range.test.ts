// The hours and days of the overview, in the reader's time zone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Instant } from '../foundation/clock.ts';
import { findIntervals, findPeriodBefore } from './range.ts';

const at = (text: string) => Date.parse(text) as Instant;
const tell = (instant: number) => new Date(instant).toISOString().slice(0, 16);
const daysOf = (zone: string, now: string) => findIntervals('7d', zone, at(now)).starts.map(tell);

describe('the intervals of the overview', () => {
  it('are the last 24 hours, the present one included', () => {
    const { starts, end } = findIntervals('24h', 'UTC', at('2026-11-22T22:40:00Z'));
    assert.deepEqual([starts.length, tell(starts[0] ?? 0), tell(end)], [24, '2026-11-21T23:00', '2026-11-22T23:00']);
    assert.ok(starts.every((start, index) => index === 0 || start - (starts[index - 1] ?? 0) === 3_600_000));
  });

  it('are days that begin at midnight of the reader', () => {
    assert.deepEqual(daysOf('UTC', '2026-11-22T22:40:00Z').at(-1), '2026-11-22T00:00');
    assert.deepEqual(daysOf('Europe/Berlin', '2026-11-22T23:40:00Z').at(-1), '2026-11-22T23:00');
    assert.deepEqual(daysOf('America/New_York', '2026-11-22T02:40:00Z').at(-1), '2026-11-21T05:00');
    assert.equal(findIntervals('30d', 'Pacific/Auckland', at('2026-11-22T22:40:00Z')).starts.length, 30);
  });

  it('are days of 23 and 25 hours when the clocks change', () => {
    const spring = daysOf('Europe/Berlin', '2026-03-31T10:00:00Z');
    assert.deepEqual(spring.slice(3, 6), ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00']);
    const autumn = daysOf('Europe/Berlin', '2026-10-27T10:00:00Z');
    assert.deepEqual(autumn.slice(3, 6), ['2026-10-23T22:00', '2026-10-24T22:00', '2026-10-25T23:00']);
  });

  it('begin at the first whole hour of a day where midnight is within an hour of UTC', () => {
    assert.deepEqual(daysOf('Asia/Kolkata', '2026-11-22T10:00:00Z').slice(-2), [
      '2026-11-20T19:00',
      '2026-11-21T19:00',
    ]);
  });

  it('are compared with as many days before', () => {
    for (const [range, days] of [
      ['24h', 1],
      ['7d', 7],
      ['30d', 30],
    ] as const) {
      const intervals = findIntervals(range, 'Europe/Berlin', at('2026-11-22T22:40:00Z'));
      const { from, to } = findPeriodBefore(intervals, range);
      assert.equal((intervals.starts[0] ?? 0) - from, days * 86_400_000);
      assert.equal(intervals.end - to, days * 86_400_000);
    }
  });

  it('need a known time zone', () => {
    const unknown = { reason: 'request.invalid', details: /time zone of the IANA database/ };
    assert.throws(() => findIntervals('24h', 'Atlantis/Capital', at('2026-11-22T22:40:00Z')), unknown);
  });
});
