// Account administration: what administrators do to accounts.
export { type AccountImport, createAccountImport } from './account-import.ts';
export { CreateInput, toAccountInput, toChanges } from './dtos.ts';
export type { ImportedAccount, ImportOutcome } from './imported-account.ts';
export { administrationDefinitions, createAdministration } from './slice.ts';
