// The slice of persons.
import { createManagement } from '../account-changes/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import { personActions, personErrors } from './declarations.ts';
import { createErasure } from './erasure.ts';
import { createPersonExport } from './export.ts';
import { personRoutes } from './routes.ts';
import { ownErasureSetting } from './settings.ts';
import { createPersonStore } from './store.sql.ts';

export const personsSlice = {
  declarations: { settings: [ownErasureSetting], errors: [personErrors], actions: [personActions] },
  create(capabilities: Capabilities) {
    const store = createPersonStore(capabilities.database);
    const management = createManagement(capabilities);
    const personExport = createPersonExport({ ...capabilities, store, management });
    const erasure = createErasure({ ...capabilities, store, management });
    return { routes: personRoutes({ ...capabilities, personExport, erasure }), jobs: [erasure.goOn] };
  },
} satisfies Slice;
