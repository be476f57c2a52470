// Cursors as text: what a reader sends back is what it got, and nothing else is a cursor.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Cursor, cursorAfter, cursorAt, formatCursor, parseCursor } from './cursor.ts';

const ids = fc.integer({ min: 1, max: 999_999_999_999_999 });
const snapshots = fc
  .record({ next: ids, running: fc.uniqueArray(ids, { maxLength: 60 }) })
  .map(({ next, running }) => ({
    epoch: '0a1b2c3d4e5f_12_4000000000',
    next,
    running: running.filter((id) => id < next).sort((a, b) => a - b),
  }));

/** Whether the reader has read a transaction completely, up to this number. */
const hasRead = ({ transactionId, number, running }: Cursor, id: number, at: number) =>
  (id < transactionId || (id === transactionId && at <= number)) && !running.includes(id);

describe('a cursor', () => {
  it('is the same after it was text', () => {
    fc.assert(
      fc.property(snapshots, ids, ids, (snapshot, transactionId, number) => {
        for (const cursor of [cursorAt(snapshot), cursorAfter({ transactionId, number }, snapshot)]) {
          const text = formatCursor(cursor);
          assert.deepEqual(parseCursor(text), cursor);
          assert.ok(formatCursor(cursor, 20).length <= 400);
        }
      }),
    );
  });

  it('has read nothing that was not visible', () => {
    fc.assert(
      fc.property(snapshots, ids, ids, (snapshot, transactionId, number) => {
        const whole = [cursorAt(snapshot), cursorAfter({ transactionId, number }, snapshot)];
        const short = whole.map((cursor) => parseCursor(formatCursor(cursor, 20)) ?? assert.fail());
        for (const cursor of [...whole, ...short]) {
          for (const id of snapshot.running) assert.ok(id === transactionId || !hasRead(cursor, id, 1));
          assert.ok(!hasRead(cursor, snapshot.next, 1));
        }
      }),
    );
  });

  it('is no other text', () => {
    const others = [
      '',
      '-',
      'x',
      'a-1',
      'a-1-',
      'a-1-1-',
      'a-1-1-X',
      'a-1-1-1.',
      'a--1-1',
      'a-1-1 ',
      'ä-1-1',
      'a-1e3-1',
    ];
    const long = [`${'a'.repeat(41)}-1-1`, `a-${'1'.repeat(16)}-1`, `a-100-1-${Array(501).fill('1').join('.')}`];
    // Found by fuzzing: transactions that are the position itself, are none, or stand in another order.
    const impossible = ['a-2-3-0', 'a-2-3-r', 'a-9-1-2.4', 'a-9-1-2.2'];
    for (const text of [...others, ...long, ...impossible]) assert.equal(parseCursor(text), undefined, text);
  });
});
