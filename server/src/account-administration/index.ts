// Account administration: what administrators do to accounts.
export { type AccountImport, createAccountImport, type ImportedAccount } from './account-import.ts';
export { CreateInput, toAccountInput } from './dtos.ts';
export { administrationDefinitions, createAdministration } from './slice.ts';
