// Times and time zones: what a caller names is a moment that exists, or is refused.
import assert from 'node:assert/strict';
import { toInstant, toIsoString } from '../../../src/foundation/clock.ts';
import { findIntervals, findPeriodBefore, RANGE_DAYS, type Range } from '../../../src/overview/range.ts';
import { answerOf, type Target } from '../target.ts';

const ranges = Object.keys(RANGE_DAYS) as Range[];
const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-29T10:20:30Z');

export const target: Target = {
  name: 'times',
  words: ['Europe/Berlin', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC', '+05:30', 'Etc/GMT+12', 'America/St_Johns', '|'],
  maxBytes: 300,
  weight: 20,
  check(input) {
    const [timeZone = '', days = ''] = input.toString().split('|');
    const now = toInstant(NOW + (Number.parseInt(days, 10) % 20_000 || 0) * 24 * HOUR_MS);
    return ranges.map((range) => {
      const answer = answerOf(() => findIntervals(range, timeZone, now), 'request.invalid');
      if ('refused' in answer) return answer;
      const { starts, end } = answer.value;
      const all = [...starts, end];
      assert.equal(starts.length, range === '24h' ? 24 : RANGE_DAYS[range]);
      for (const [index, start] of starts.entries()) {
        const length = (all[index + 1] ?? Number.NaN) - start;
        assert.ok(length > 0 && length % HOUR_MS === 0 && length <= 49 * HOUR_MS, `an interval of ${length} ms`);
      }
      assert.ok((starts.at(-1) ?? end) <= now && now < end, 'the last interval contains now');
      const before = findPeriodBefore({ starts, end }, range);
      assert.ok(before.from < before.to && before.to < end);
      return all.map(toIsoString);
    });
  },
};
