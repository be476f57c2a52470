// Positions: where a reader of the revocations stands. A cursor is a position as text, with its epoch.

/** A place between two revocations, in the order of their transactions, then of their numbers. */
export type Position = { readonly transactionId: number; readonly number: number };

/** Before all revocations. */
export const START: Position = { transactionId: 0, number: 0 };

export type Cursor = Position & { readonly epoch: string };

/** Returns the cursor as text. */
export function formatCursor({ epoch, transactionId, number }: Cursor): string {
  return `${epoch}-${transactionId}-${number}`;
}

/** Reads a cursor, or returns `undefined` if the text is none. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch = '', transactionId, number] = /^(\w{1,40})-(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return epoch === '' ? undefined : { epoch, transactionId: Number(transactionId), number: Number(number) };
}

/**
 * What a reader of the database could see at one moment: all transactions before `next`, except those that were running.
 * The epoch changes when positions lose their meaning.
 */
export type Snapshot = { readonly epoch: string; readonly next: number; readonly running: readonly number[] };

/** Returns the position that all transactions lie before which have certainly ended. */
export function safePosition({ next, running }: Snapshot): Position {
  return { transactionId: Math.min(next, ...running), number: 0 };
}

/** Whether a revocation of this transaction can be followed by one at an earlier position that is not visible yet. */
export function isSafe({ transactionId }: Position, snapshot: Snapshot): boolean {
  return transactionId < safePosition(snapshot).transactionId;
}
