// The rules of notices, at their limits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addSeconds, type Instant } from '../foundation/clock.ts';
import { addChange, describeChanges, isDue, nextNoticeAt, type WaitingChanges } from './notice.ts';

const DAY = 86_400;
const now = 1_000_000_000 as Instant;
const at = (seconds: number) => addSeconds(now, seconds);

const waitingFor = (...changes: string[]) => changes.reduce<WaitingChanges>(addChange, []);

describe('rules of notices', () => {
  it('let the next one go five minutes after the last one', () => {
    assert.deepEqual([isDue(nextNoticeAt(now), at(299.999)), isDue(nextNoticeAt(now), at(300))], [false, true]);
  });

  it('let none wait for more than a day, whatever a wrong clock has set', () => {
    assert.deepEqual([isDue(at(DAY), now), isDue(at(DAY + 0.001), now)], [false, true]);
  });

  it('count equal changes, in the order in which they first happened', () => {
    assert.deepEqual(waitingFor('b', 'a', 'b', 'b'), [
      { change: 'b', times: 3 },
      { change: 'a', times: 1 },
    ]);
  });

  it('tell each change in a line of an e-mail, and the first ones in an SMS', () => {
    const three = waitingFor('A was added.', 'B was removed.', 'A was added.', 'C was made.');
    assert.equal(describeChanges(three, 'email'), 'A was added. (2 times)\nB was removed.\nC was made.');
    assert.equal(describeChanges(three, 'sms'), 'A was added. (2 times) B was removed. C was made.');
    const five = addChange(addChange(three, 'D was added.'), 'E was added.');
    assert.match(describeChanges(five, 'email'), /\nD was added\.\nE was added\.$/);
    assert.equal(describeChanges(five, 'sms'), 'A was added. (2 times) B was removed. C was made. More changes: 2.');
  });
});
