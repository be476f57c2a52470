// The slice of persons.
import { createManagement } from '../account-changes/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import { personActions } from './declarations.ts';
import { createPersonExport } from './export.ts';
import { personRoutes } from './routes.ts';
import { createPersonStore } from './store.sql.ts';

export const personsSlice = {
  declarations: { actions: [personActions] },
  create(capabilities: Capabilities) {
    const store = createPersonStore(capabilities.database);
    const management = createManagement(capabilities);
    const personExport = createPersonExport({ ...capabilities, store, management });
    return { routes: personRoutes({ ...capabilities, personExport }) };
  },
} satisfies Slice;
