// Cursors: what a reader of the revocations has read so far, as text that the reader keeps.

/** The place of a revocation: its transaction, and its number within that. */
export type Position = { readonly transactionId: number; readonly number: number };

/** Before all revocations. */
// Mutation: `0` becomes `1`. No transaction has an id below 1, and no revocation a number below 1.
export const START: Position = { transactionId: 0, number: 0 };

/**
 * What a reader has read: all revocations up to a position, except those of transactions that were running. Transactions
 * commit in another order than that of their ids. The epoch changes when positions lose their meaning.
 */
export type Cursor = Position & {
  readonly epoch: string;
  /** The ids of transactions before the position that had not ended, ascending. */
  readonly running: readonly number[];
};

/** What the database shows at one moment: all transactions before `next`, except the ids in `running`, ascending. */
export type Snapshot = { readonly epoch: string; readonly next: number; readonly running: readonly number[] };

/** A cursor lists at most this many running transactions as text, so that a header and a URL have room for it. */
const MAX_RUNNING = 500;

/** Distances stand in the text in this base. */
const BASE = 36;

/** Returns the cursor of a reader that has read all that the snapshot shows. */
export function cursorAt({ epoch, next, running }: Snapshot): Cursor {
  return { epoch, transactionId: next, number: 0, running };
}

/** Returns the cursor of a reader that has read, of what the snapshot shows, all up to a revocation. */
export function cursorAfter({ transactionId, number }: Position, snapshot: Snapshot): Cursor {
  // The reader sees more than the snapshot, but not what else runs there.
  if (transactionId >= snapshot.next) return cursorAt(snapshot);
  const running = snapshot.running.filter((id) => id < transactionId);
  return { epoch: snapshot.epoch, transactionId, number, running };
}

/**
 * Returns the cursor as text. Running transactions stand there by their distance from the position.
 * @param most how many of them the text lists. A reader gets items again if more are running.
 */
export function formatCursor(cursor: Cursor, most = MAX_RUNNING): string {
  const { epoch, transactionId, number, running } = shorten(cursor, most);
  const position = `${epoch}-${transactionId}-${number}`;
  if (running.length === 0) return position;
  return `${position}-${running.map((id) => (transactionId - id).toString(BASE)).join('.')}`;
}

/** Moves the cursor back to the first running transaction that it has no room for. */
function shorten(cursor: Cursor, most: number): Cursor {
  const transactionId = cursor.running[most];
  if (transactionId === undefined) return cursor;
  return { ...cursor, transactionId, number: 0, running: cursor.running.slice(0, most) };
}

/** Reads a cursor, or returns `undefined` if the text is none. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^(\w{1,40})-(\d{1,15})-(\d{1,15})(?:-([\da-z]{1,10}(?:\.[\da-z]{1,10}){0,499}))?$/.exec(text);
  if (!match) return undefined;
  const [, epoch = '', id, number, distances] = match;
  const transactionId = Number(id);
  const running = (distances?.split('.') ?? []).map((distance) => transactionId - Number.parseInt(distance, BASE));
  const isAscending = running.every((id, index) => id > (running[index - 1] ?? -1) && id < transactionId);
  return isAscending ? { epoch, transactionId, number: Number(number), running } : undefined;
}

/** Whether two cursors have read the same. */
export function isSameCursor(one: Cursor, other: Cursor): boolean {
  const isSame = one.epoch === other.epoch && one.transactionId === other.transactionId && one.number === other.number;
  return isSame && one.running.join() === other.running.join();
}
