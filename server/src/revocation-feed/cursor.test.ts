// Cursors as text: what a reader sends back is what it got, and nothing else is a cursor.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Cursor, cursorAfter, cursorAt, formatCursor, parseCursor, type Snapshot } from './cursor.ts';

const ids = fc.integer({ min: 1, max: 999_999_999_999_999 });
const snapshots = fc
  .record({ next: ids, running: fc.uniqueArray(ids, { maxLength: 60 }) })
  .map(({ next, running }) => ({
    epoch: '0a1b2c3d4e5f_12_4000000000',
    next,
    running: running.filter((id) => id < next).sort((a, b) => a - b),
  }));

/** The places of a revocation: anywhere, and in the transactions that have ended after the snapshot. */
const placesOf = (snapshot: Snapshot, transactionId: number, number: number) =>
  [transactionId, snapshot.next, ...snapshot.running].map((id) => ({ transactionId: id, number }));

/** Whether the reader has read a transaction completely, up to this number. */
const hasRead = ({ transactionId, number, running }: Cursor, id: number, at: number) =>
  (id < transactionId || (id === transactionId && at <= number)) && !running.includes(id);

describe('a cursor', () => {
  it('is the same after it was text', () => {
    fc.assert(
      fc.property(snapshots, ids, ids, (snapshot, transactionId, number) => {
        const after = placesOf(snapshot, transactionId, number).map((place) => cursorAfter(place, snapshot));
        for (const cursor of [cursorAt(snapshot), ...after]) {
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
        const after = placesOf(snapshot, transactionId, number).map((place) => cursorAfter(place, snapshot));
        const whole = [cursorAt(snapshot), ...after];
        const short = whole.map((cursor) => parseCursor(formatCursor(cursor, 20)) ?? assert.fail());
        for (const cursor of [...whole, ...short]) {
          for (const id of snapshot.running) assert.ok(id === cursor.transactionId || !hasRead(cursor, id, 1));
          assert.ok(!hasRead(cursor, snapshot.next, 1));
        }
      }),
    );
  });

  it('names as text at most 500 running transactions, and moves back to the next one', () => {
    const running = Array.from({ length: 502 }, (_, index) => 1001 + 2 * index);
    const snapshot = { epoch: 'a', next: 9000, running };
    const fitting = { ...snapshot, running: running.slice(0, 500) };
    assert.deepEqual(parseCursor(formatCursor(cursorAt(fitting))), cursorAt(fitting));
    const [one, two] = running;
    for (const [most, cursor] of [
      [undefined, { epoch: 'a', transactionId: 2001, number: 0, running: fitting.running }],
      [2, { epoch: 'a', transactionId: 1005, number: 0, running: [one, two] }],
    ] as const) {
      assert.deepEqual(parseCursor(formatCursor(cursorAt(snapshot), most)), cursor);
    }
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
    const impossible = ['a-2-3-0', 'a-2-3-r', 'a-2-3-3', 'a-9-1-2.4', 'a-9-1-2.2'];
    for (const text of [...others, ...long, ...impossible]) assert.equal(parseCursor(text), undefined, text);
  });
});
