// Account changes: the rules by which administrators and imports create and change accounts.
export {
  type AccountChanges,
  checkInput,
  createApplyChanges,
  describeChanges,
  findChanged,
  mergeChanges,
} from './account-changes.ts';
export { type AccountCreation, createAccountCreation, type HashedPassword } from './account-creation.ts';
export { administrationActions } from './declarations.ts';
export { CreateInput, toAccountInput, toChanges, UpdateInput } from './input.ts';
export { createLastAdministrator } from './last-administrator.ts';
export { type ChangedBy, createManagement, type Management, OWN_ACCOUNT_STAYS } from './management.ts';
export { createRequireFreeNumber } from './mobile-numbers.ts';
export { accountChangesSlice } from './slice.ts';
export { changedByAdministratorMessage } from './templates.ts';
