// Exporting accounts: all that match, in batches, as CSV or as JSON lines. No export has a secret.

import { administrationActions } from '../account-changes/index.ts';
import type { AccountConditions, AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { BYTE_ORDER_MARK, type CsvCell, toCsvRow } from '../foundation/csv.ts';
import type { Database } from '../storage/database.ts';
import type { ManagedAccount, WithState } from './account-reader.ts';
import { type AccountFilter, toConditions } from './store.filter.ts';

export type ExportFormat = 'csv' | 'jsonl';

export interface AccountExport {
  /**
   * Records the export, and returns the file in pieces. Before each piece it reads the administrator's session and
   * permissions again.
   * @throws AuthError of {@link Manager.authorize}, also while the pieces are read.
   */
  export(filter: AccountFilter, format: ExportFormat, by: Manager): Promise<AsyncIterable<string>>;
}

/** The members of an account in an export. */
type Exported = Readonly<Record<string, CsvCell | readonly string[]>>;

export function createAccountExport(deps: {
  database: Database;
  accounts: AccountStore;
  audit: AuditTrail;
  withState: WithState;
  /** Returns what an export has of an account. */
  toExported: (account: ManagedAccount) => Exported;
  /** The members of an exported account, in the order of the columns. */
  members: readonly string[];
  clock: Clock;
}): AccountExport {
  const { database, accounts, audit, withState, toExported, members, clock } = deps;

  async function* readBatches(conditions: AccountConditions, by: Manager) {
    for await (const found of accounts.readBatches(conditions)) {
      await database.transaction((tx) => by.authorize(tx));
      yield (await withState(found)).map(toExported);
    }
  }

  async function* toJsonLines(batches: AsyncIterable<Exported[]>) {
    for await (const batch of batches) yield batch.map((account) => `${JSON.stringify(account)}\n`).join('');
  }

  async function* toCsv(batches: AsyncIterable<Exported[]>) {
    yield BYTE_ORDER_MARK + toCsvRow(members);
    for await (const batch of batches) {
      yield batch.map((account) => toCsvRow(members.map((member) => toCell(account[member])))).join('');
    }
  }

  return {
    async export(filter, format, by) {
      const conditions = toConditions(filter, clock.now());
      const count = await accounts.count(conditions);
      await database.transaction(async (tx) => {
        await by.authorize(tx);
        await audit.record(tx, {
          action: administrationActions.exported,
          outcome: 'success',
          user: by.actor,
          origin: by.origin,
          details: { format, count },
        });
      });
      const batches = readBatches(conditions, by);
      return format === 'csv' ? toCsv(batches) : toJsonLines(batches);
    },
  };
}

/** Several values share a cell, separated by semicolons. Without one, an import would take a comma within a value for a separator. */
function toCell(value: Exported[string] | undefined): CsvCell {
  if (typeof value !== 'object' || value === null) return value ?? null;
  const cell = value.join(';');
  return cell.includes(',') && !cell.includes(';') ? `${cell};` : cell;
}
