// Account import: adds the accounts of other systems, from the API and the command line.
export { createAccountImport } from './account-import.ts';
export {
  type ColumnNotes,
  type ImportEntry,
  readMembers,
  reasonsOf,
  roleColumns,
  unwrapItems,
} from './columns.ts';
export type { BroughtNotes, Consent } from './consent.ts';
export { createLineExport } from './export.ts';
export type { ImportedAccount, ImportOutcome } from './imported-account.ts';
export { type ReadLine, readId, readImportLine } from './line.ts';
export { accountImportSlice } from './slice.ts';
