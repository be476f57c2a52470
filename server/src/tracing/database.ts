// The database in traces: transactions, statements and reads by key, with table and verb but without values.
import { SpanKind } from '@opentelemetry/api';
import type { Database } from '../storage/database.ts';
import type { Spans } from './spans.ts';

const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

/** Returns the database with traced transactions and reads. A transaction's span includes its wait for its turn or its group. */
export function traceDatabase(database: Database, spans: Spans): Database {
  const system = { 'db.system.name': SYSTEMS[database.engine] };
  const runTransaction = <Result>(run: () => Promise<Result>) =>
    spans.run('transaction', { kind: SpanKind.CLIENT, attributes: system }, run);
  return {
    ...database,
    transaction: (work, options) => runTransaction(() => database.transaction(work, options)),
    grouped(work) {
      const serve = database.grouped(work);
      return (caller) => runTransaction(() => serve(caller));
    },
    keyedReader(rows) {
      const read = database.keyedReader(rows);
      const attributes = { ...system, 'db.operation.name': 'select', 'db.collection.name': rows.table };
      return (key) => spans.run(`select ${rows.table}`, { kind: SpanKind.CLIENT, attributes }, () => read(key));
    },
  };
}

/** Adds a finished statement to the trace of its sender. The span shows the verb and table of its text only. */
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
