// Row locks in one order, so that transactions that change several rows do not deadlock.
import type { Database } from './database.ts';

/** A query of rows that have an id. */
type Rows = { orderBy(column: 'id'): { forUpdate(): { execute(): Promise<unknown> } } };

/**
 * Locks the rows of a query in the order of their ids, until the transaction ends. A statement that changes several rows locks them in
 * any order: call this before. SQLite runs one transaction at a time.
 */
export async function lockInOrder({ engine }: Pick<Database, 'engine'>, rows: Rows): Promise<void> {
  if (engine === 'postgres') await rows.orderBy('id').forUpdate().execute();
}
