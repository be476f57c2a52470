// Exports of the audit trail: all entries that match, in pieces, as CSV or as JSON lines.

import type { Manager } from '../foundation/authority.ts';
import { toIsoString } from '../foundation/clock.ts';
import { BYTE_ORDER_MARK, toCsvRow } from '../foundation/csv.ts';
import type { Database } from '../storage/database.ts';
import { auditActions } from './declarations.ts';
import type { AuditEntry, AuditFilter } from './store.sql.ts';
import type { AuditTrail } from './trail.ts';

export type ExportFormat = 'csv' | 'jsonl';

export interface AuditExport {
  /**
   * Records the export, and returns the file in pieces, newest entry first. The administrator's session and permissions
   * are read again before each piece.
   * @throws AuthError of {@link Manager.authorize}, also while the pieces are read.
   */
  export(filter: AuditFilter, format: ExportFormat, by: Manager): Promise<AsyncIterable<string>>;
}

/** The members of an entry, in the order of the columns. */
const columns = [
  'id',
  'at',
  'action',
  'outcome',
  'reason',
  'userId',
  'userName',
  'ipAddress',
  'frontEnd',
  'userAgent',
  'details',
] as const satisfies readonly (keyof AuditEntry)[];

export function createAuditExport({ database, audit }: { database: Database; audit: AuditTrail }): AuditExport {
  async function* readPieces(filter: AuditFilter, format: ExportFormat, by: Manager) {
    if (format === 'csv') yield BYTE_ORDER_MARK + toCsvRow(columns);
    for await (const batch of audit.readAll(filter)) {
      await database.transaction((tx) => by.authorize(tx));
      // Also an empty piece: between two pieces the reader can end the search, when the client has left.
      yield batch.map(format === 'csv' ? toRow : toLine).join('');
    }
  }

  return {
    async export(filter, format, by) {
      await database.transaction(async (tx) => {
        await by.authorize(tx);
        const { actor: user, origin } = by;
        const details = { format, filter: describeFilter(filter) };
        await audit.record(tx, { action: auditActions.exported, outcome: 'success', user, origin, details });
      });
      return readPieces(filter, format, by);
    },
  };
}

const toLine = (entry: AuditEntry) => `${JSON.stringify({ ...entry, at: toIsoString(entry.at) })}\n`;

/** Details are JSON in their cell. */
function toRow({ at, details, ...same }: AuditEntry) {
  const row = { ...same, at: toIsoString(at), details: details && JSON.stringify(details) };
  return toCsvRow(columns.map((column) => row[column]));
}

const describeFilter = ({ from, to, ...same }: AuditFilter) => ({
  ...same,
  ...(from !== undefined && { from: toIsoString(from) }),
  ...(to !== undefined && { to: toIsoString(to) }),
});
