// The slice of importing accounts.
import { createAccountCreation } from '../account-changes/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import { importErrors } from './declarations.ts';
import { importRoutes } from './routes.ts';

export const accountImportSlice = {
  declarations: { errors: [importErrors] },
  create: (capabilities: Capabilities) => ({
    routes: importRoutes({ ...capabilities, creation: createAccountCreation(capabilities) }),
  }),
} satisfies Slice;
