// Account administration: what administrators do to accounts.
export { createAccountImport } from './account-import.ts';
export { CreateInput, toAccountInput } from './dtos.ts';
export type { BroughtNotes, Consent } from './import-consent.ts';
export type { ImportedAccount, ImportOutcome } from './imported-account.ts';
export {
  type ColumnNotes,
  type ImportEntry,
  readMembers,
  reasonsOf,
  roleColumns,
  unwrapItems,
} from './routes.import-columns.ts';
export { type ReadLine, readId, readImportLine } from './routes.import-line.ts';
export { administrationDefinitions, createAdministration } from './slice.ts';
