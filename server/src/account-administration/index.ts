// Account administration: what administrators do to accounts.
export { createAccountAdministration } from './account-administration.ts';
export { type AccountImport, createAccountImport, type ImportedAccount } from './account-import.ts';
export { administrationErrors } from './errors.ts';
export { administrationActions } from './events.ts';
export { createExternalLoginAdministration } from './external-logins.ts';
export { accountAdministrationRoutes, CreateInput, toAccountInput } from './routes.ts';
