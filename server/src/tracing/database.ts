// The database in traces: transactions, statements and reads by key, by table and verb, without any of their values.
import { SpanKind } from '@opentelemetry/api';
import type { Database } from '../storage/database.ts';
import type { Spans } from './spans.ts';

const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

/** The same database. A transaction lasts until it is durable, the wait for its turn included. */
export function traceDatabase(database: Database, spans: Spans): Database {
  const system = { 'db.system.name': SYSTEMS[database.engine] };
  return {
    ...database,
    transaction: (work, options) =>
      spans.run('transaction', { kind: SpanKind.CLIENT, attributes: system }, () =>
        database.transaction(work, options),
      ),
    keyedReader(rows) {
      const read = database.keyedReader(rows);
      const attributes = { ...system, 'db.operation.name': 'select', 'db.collection.name': rows.table };
      return (key) => spans.run(`select ${rows.table}`, { kind: SpanKind.CLIENT, attributes }, () => read(key));
    },
  };
}

/** Adds a statement that has ended to the trace of what has sent it; of its text, verb and table are kept. */
export function addStatement(
  spans: Spans,
  { sql, durationMs, failed }: { sql: string; durationMs: number; failed: boolean },
): void {
  const [, verb = 'statement'] = /^\s*([a-z]+)/i.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"(\w+)"/i.exec(sql) ?? [];
  const attributes = { 'db.operation.name': verb, ...(table !== undefined && { 'db.collection.name': table }) };
  const name = table === undefined ? verb : `${verb} ${table}`;
  spans.add(name, { kind: SpanKind.CLIENT, attributes, durationMs, failed });
}
