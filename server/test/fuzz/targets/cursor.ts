// Cursors of the feeds: a text is read as what it says, and written as the same text again.
import assert from 'node:assert/strict';
import { formatCursor as formatAuditCursor, parseCursor as parseAuditCursor } from '../../../src/audit/feed.ts';
import { cursorAfter, formatCursor, isSameCursor, parseCursor } from '../../../src/revocation-feed/cursor.ts';
import type { Target } from '../target.ts';

export const target: Target = {
  name: 'cursor',
  words: ['-', '.', 'epoch-12-3', '0', '1', 'zz', '-a.9.3', '12-K5oZfzN95Z9UVu1E'],
  check(input) {
    const place = parseAuditCursor(input.toString());
    if (place) {
      assert.equal(formatAuditCursor(place), input.toString());
      assert.ok(Number.isSafeInteger(place.sequence));
    }
    const cursor = parseCursor(input.toString());
    if (!cursor) return place;
    const text = formatCursor(cursor);
    const again = parseCursor(text);
    assert.ok(again && isSameCursor(again, cursor), 'a cursor survives its text');
    for (const number of [cursor.transactionId, cursor.number, ...cursor.running])
      assert.ok(Number.isSafeInteger(number));
    assert.ok(
      cursor.running.every((id) => id < cursor.transactionId),
      'what was running began before',
    );
    assert.ok(
      cursor.running.every((id) => id >= 0),
      'transactions have ids',
    );
    const snapshot = { epoch: cursor.epoch, next: cursor.transactionId + 1, running: cursor.running };
    assert.equal(formatCursor(cursorAfter(cursor, snapshot)), text);
    return cursor;
  },
};
