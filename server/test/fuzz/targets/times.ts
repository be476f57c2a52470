// Times and time zones: what a caller names is a moment that exists, or is refused.
import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { parseTime } from '../../../src/contract/time.ts';
import { toInstant, toIsoString } from '../../../src/foundation/clock.ts';
import { findIntervals, findPeriodBefore, RANGE_DAYS, type Range } from '../../../src/overview/range.ts';
import { answerOf, type Target } from '../target.ts';

const ranges = Object.keys(RANGE_DAYS) as Range[];
const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-29T10:20:30Z');

const DateTime = Type.String({ format: 'date-time', maxLength: 40 });

/** A time of the audit trail, as its schema lets it in. */
function checkTime(text: string) {
  if (!Check(DateTime, text)) return undefined;
  const answer = answerOf(() => parseTime(text, 'from'), 'request.invalid');
  if ('refused' in answer) return answer;
  assert.equal(parseTime(toIsoString(answer.value), 'from'), answer.value, 'a time survives its text');
  const year = new Date(answer.value).getUTCFullYear();
  assert.ok(year >= -1 && year <= 10_000, `the year is ${year}`);
  return answer;
}

export const target: Target = {
  name: 'times',
  words: [
    'Europe/Berlin',
    'Pacific/Apia',
    'Asia/Kathmandu',
    'UTC',
    '+05:30',
    'Etc/GMT+12',
    'America/St_Johns',
    '|',
    '||2026-01-31T08:30:00Z',
    '23:59:60',
    '+14:00',
  ],
  maxBytes: 300,
  weight: 20,
  check(input) {
    const [timeZone = '', days = '', time = ''] = input.toString().split('|');
    const now = toInstant(NOW + (Number.parseInt(days, 10) % 20_000 || 0) * 24 * HOUR_MS);
    const intervals = ranges.map((range) => {
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
    return [intervals, checkTime(time)];
  },
};
